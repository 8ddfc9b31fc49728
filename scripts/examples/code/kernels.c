// Twelve loops that people know, as plain C: `portolan loop scripts/examples/code/kernels.c --function dot --
// -O2` and so on.
#include <stddef.h>
#include <stdint.h>

double dot(const double* a, const double* b, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

void saxpy(float* restrict y, const float* restrict x, float a, long n) {
    for (long i = 0; i < n; i++) y[i] += a * x[i];
}

void gemm(float* restrict c, const float* restrict a, const float* restrict b, long n) {
    for (long k = 0; k < n; k++)
        for (int j = 0; j < 8; j++) c[j] += a[k] * b[8 * k + j];
}

void stencil(double* restrict to, const double* restrict from, long n) {
    for (long i = 1; i < n - 1; i++) to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

uint64_t hash(const unsigned char* text, long n) {
    uint64_t h = 14695981039346656037u;
    for (long i = 0; i < n; i++) h = (h ^ text[i]) * 1099511628211u;
    return h;
}

long length(const char* text) {
    long n = 0;
    while (text[n] > ' ') n++; // up to a blank or the end: of `!= 0` compilers make a call of strlen
    return n;
}

const char* find(const char* text, char wanted, long n) {
    for (long i = 0; i < n; i++)
        if (text[i] == wanted) return text + i;
    return NULL;
}

uint32_t crc(const unsigned char* data, long n, const uint32_t* table) {
    uint32_t c = ~0u;
    for (long i = 0; i < n; i++) c = table[(c ^ data[i]) & 255] ^ c >> 8;
    return ~c;
}

struct node {
    struct node* next;
    long value;
};

long list(const struct node* node) {
    long sum = 0;
    for (; node; node = node->next) sum += node->value;
    return sum;
}

double horner(const double* coefficients, double x, long n) {
    double y = 0;
    for (long i = 0; i < n; i++) y = y * x + coefficients[i];
    return y;
}

void prefix(long* restrict to, const long* restrict from, long n) {
    long sum = 0;
    for (long i = 0; i < n; i++) to[i] = sum += from[i];
}

long bits(const uint64_t* words, long n) {
    long count = 0;
    for (long i = 0; i < n; i++)
        for (uint64_t w = words[i]; w; w &= w - 1) count++;
    return count;
}
