/* The loops of this folder, run and timed: core cycles per iteration, to set beside what `portolan predict
 * --code` says.
 *
 *     gcc -O2 time.c *.s -o loops && taskset -c 1 ./loops
 *
 * All data are in the first cache. What counts is the difference between all of the data and a half of them,
 * the least time of many runs each. A chain of additions, which take one cycle each, is timed before and
 * after each run, and tells what a cycle is. Every result is checked against plain C. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

#define WORDS 512
#define RUNS 2000
#define PADDED 284 /* nodes: the second list does not begin a multiple of 4096 bytes after the first */

struct node {
    struct node* next;
    long value;
};

float dot(const float* a, const float* b, long n);
float dot4(const float* a, const float* b, long n);
void copy(long* to, const long* from, long n);
void copy_wide(long* to, const long* from, long n);
uint64_t fnv(const unsigned char* text, long n);
uint64_t fnv_two(const unsigned char* text, long n, const unsigned char* other);
uint32_t crc_table(const void* data, long n, const uint32_t* table);
uint32_t crc_words(const void* data, long n);
uint32_t crc_three(const void* data, long n);
void matrix(float* c, const float* a, const float* b, long n);
void matrix_narrow(float* c, const float* a, const float* b, long n);
void prefix(long* to, const long* from, long n, long* total);
void prefix_register(long* to, const long* from, long n, long* total);
long list(const struct node* node);
long list_two(const struct node* node, const struct node* other);
long length(const char* text);
long length_wide(const char* text);
long digits(unsigned long x);
long digits_multiply(unsigned long x);
long bits(const unsigned long* words, long n);
long bits_wide(const unsigned long* words, long n);
double horner(const double* c, long n, double x);
double horner_two(const double* c, long n, double x);

#define ALIGNED __attribute__((aligned(64)))

static float a[1024] ALIGNED, b[4096] ALIGNED, c[64] ALIGNED, c2[64];
static long from[WORDS] ALIGNED, to[WORDS] ALIGNED, total;
static struct node nodes[2][PADDED] ALIGNED;
static char text[4096] ALIGNED;
static uint32_t table[256];
static double coefficients[1024];
static volatile double sink;

static void run_dot(long part) {
    sink = dot(a, b, 512 * part);
}
static void run_dot4(long part) {
    sink = dot4(a, b, 512 * part);
}
static void run_copy(long part) {
    copy(to, from, WORDS / 2 * part);
}
static void run_copy_wide(long part) {
    copy_wide(to, from, WORDS / 2 * part);
}
static void run_fnv(long part) {
    sink = (double)fnv((unsigned char*)text, 1000 * part);
}
static void run_fnv_two(long part) {
    sink = (double)fnv_two((unsigned char*)text, 1000 * part, (unsigned char*)text + 2000);
}
static void run_crc_table(long part) {
    sink = crc_table(text, 1000 * part, table);
}
static void run_crc_words(long part) {
    sink = crc_words(text, 2000 * part);
}
static void run_crc_three(long part) {
    sink = crc_three(text, 600 * part);
}
static void run_matrix(long part) {
    matrix(c, a, b, 64 * part);
}
static void run_matrix_narrow(long part) {
    matrix_narrow(c, a, b, 64 * part);
}
static void run_prefix(long part) {
    prefix(to, from, WORDS / 2 * part, &total);
}
static void run_prefix_register(long part) {
    prefix_register(to, from, WORDS / 2 * part, &total);
}
static void run_list(long part) {
    sink = (double)list(&nodes[0][256 - 128 * part]);
}
static void run_list_two(long part) {
    sink = (double)list_two(&nodes[0][256 - 128 * part], &nodes[1][256 - 128 * part]);
}
static void run_length(long part) {
    sink = (double)length(text + 4000 - 1600 * part);
}
static void run_length_wide(long part) {
    sink = (double)length_wide(text + 4000 - 1600 * part);
}
static void run_digits(long part) {
    sink = (double)digits(part == 2 ? 9999999999999999999UL : 999999999UL);
}
static void run_digits_multiply(long part) {
    sink = (double)digits_multiply(part == 2 ? 9999999999999999999UL : 999999999UL);
}
static void run_bits(long part) {
    sink = (double)bits((unsigned long*)text, WORDS / 2 * part);
}
static void run_bits_wide(long part) {
    sink = (double)bits_wide((unsigned long*)text, WORDS / 2 * part);
}
static void run_horner(long part) {
    sink = horner(coefficients, 500 * part, 0.99);
}
static void run_horner_two(long part) {
    sink = horner_two(coefficients, 500 * part, 0.99);
}

static const struct loop {
    const char* name;
    void (*run)(long part); /* of the data: 1 is a half, 2 all */
    int iterations;         /* that the second half takes */
} loops[] = {
    {"dot", run_dot, 64},
    {"dot4", run_dot4, 16},
    {"copy", run_copy, WORDS / 2},
    {"copy_wide", run_copy_wide, WORDS / 32},
    {"fnv", run_fnv, 1000},
    {"fnv_two", run_fnv_two, 1000},
    {"crc_table", run_crc_table, 1000},
    {"crc_words", run_crc_words, 250},
    {"crc_three", run_crc_three, 75},
    {"matrix", run_matrix, 64},
    {"matrix_narrow", run_matrix_narrow, 64},
    {"prefix", run_prefix, WORDS / 2},
    {"prefix_register", run_prefix_register, WORDS / 2},
    {"list", run_list, 128},
    {"list_two", run_list_two, 128},
    {"length", run_length, 1600},
    {"length_wide", run_length_wide, 50},
    {"digits", run_digits, 10},
    {"digits_multiply", run_digits_multiply, 10},
    {"bits", run_bits, WORDS / 8},
    {"bits_wide", run_bits_wide, WORDS / 8},
    {"horner", run_horner, 500},
    {"horner_two", run_horner_two, 250},
};

/* 4,000 additions one after the other: as many cycles. */
static uint64_t chain(void) {
    uint64_t begin = __rdtsc();
    long x = 1, y = 0;
    for (int i = 0; i < 40; i++) __asm__ volatile(".rept 100\n add %1, %0\n .endr" : "+r"(y) : "r"(x));
    return __rdtsc() - begin;
}

/* The least time of a run, in time stamps, and of the chain around it. */
static uint64_t least(const struct loop* l, long part, uint64_t* chain_stamps) {
    uint64_t best = UINT64_MAX;
    for (int r = 0; r < RUNS; r++) {
        uint64_t ahead = chain();
        _mm_lfence();
        uint64_t begin = __rdtsc();
        _mm_lfence();
        l->run(part);
        _mm_lfence();
        uint64_t time = __rdtsc() - begin, after = chain();
        if (ahead < *chain_stamps) *chain_stamps = ahead;
        if (after < *chain_stamps) *chain_stamps = after;
        if (time < best) best = time;
    }
    return best;
}

/* What surrounds a loop takes as long for half of the data as for all. */
static void time_of(const struct loop* l) {
    uint64_t chain_stamps = UINT64_MAX;
    uint64_t half = least(l, 1, &chain_stamps), all = least(l, 2, &chain_stamps);
    printf("%-16s %7.2f\n", l->name, (double)(all - half) * 4000 / (double)chain_stamps / l->iterations);
}

static void fill(void) {
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0x82f63b78 : 0);
    }
    for (int i = 0; i < 4000; i++) text[i] = (char)(i % 100 + 1);
    for (int i = 0; i < 4096; i++) b[i] = (float)(i % 13);
    for (int i = 0; i < 1024; i++) a[i] = (float)(i % 7), coefficients[i] = 1.0 / (i + 1);
    for (long i = 0; i < WORDS; i++) from[i] = i;
    for (int k = 0; k < 2; k++)
        for (long i = 0; i < 256; i++) nodes[k][i] = (struct node){i < 255 ? &nodes[k][i + 1] : 0, i};
}

static int failed;

static void check(const char* name, int right) {
    if (!right) printf("%s is wrong\n", name), failed = 1;
}

static void check_integers(void) {
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        hash[k] = 0xcbf29ce484222325;
        for (int i = 0; i < 2000; i++)
            hash[k] = (hash[k] ^ (unsigned char)text[k * 2000 + i]) * 0x100000001b3;
    }
    check("fnv", fnv((unsigned char*)text, 2000) == hash[0]);
    check("fnv_two", fnv_two((unsigned char*)text, 2000, (unsigned char*)text + 2000) == hash[0] + hash[1]);
    check("crc_table", crc_table("123456789", 9, table) == 0xe3069283);
    check("crc_words", crc_words(text, 4000) == crc_table(text, 4000, table));
    uint32_t parts = 0;
    for (int k = 0; k < 3; k++) parts += ~crc_words(text + 800 * k, 800);
    check("crc_three", crc_three(text, 800) == parts);
    check("list", list(nodes[0]) == 255 * 128 && list_two(nodes[0], nodes[1]) == 2 * 255 * 128);
    check("length", length(text) == 4000 && length_wide(text) == 4000);
    check("digits", digits(18446744073709551615UL) == 87 && digits_multiply(18446744073709551615UL) == 87);
    long set = 0;
    for (int i = 0; i < 4096; i++) set += __builtin_popcount((unsigned char)text[i]);
    check("bits", bits((unsigned long*)text, WORDS) == set && bits_wide((unsigned long*)text, WORDS) == set);
}

static void check_arrays(void) {
    float product = 0; /* of small whole numbers: exact in any order */
    for (int i = 0; i < 1024; i++) product += a[i] * b[i];
    check("dot", dot(a, b, 1024) == product && dot4(a, b, 1024) == product);
    copy(to, from, WORDS), check("copy", !memcmp(to, from, sizeof to));
    memset(to, 0, sizeof to), copy_wide(to, from, WORDS), check("copy_wide", !memcmp(to, from, sizeof to));
    for (int k = 0; k < 2; k++) {
        total = 5, memset(to, 0, sizeof to);
        (k ? prefix_register : prefix)(to, from, WORDS, &total);
        int right = total == 5 + WORDS * (WORDS - 1) / 2;
        for (long i = 0; i < WORDS; i++) right &= to[i] == 5 + i * (i + 1) / 2;
        check("prefix", right);
    }
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 128; k++) c2[i] += a[2 * k + i / 32] * b[32 * k + i % 32];
    matrix(c, a, b, 128), check("matrix", !memcmp(c, c2, sizeof c));
    memset(c2, 0, sizeof c2);
    for (int j = 0; j < 32; j++)
        for (int k = 0; k < 128; k++) c2[j] += a[k] * b[32 * k + j];
    matrix_narrow(c, a, b, 128), check("matrix_narrow", !memcmp(c, c2, sizeof c / 2));
    double y = 0;
    for (int i = 0; i < 1000; i++) y = y * 0.99 + coefficients[i];
    double once = horner(coefficients, 1000, 0.99) - y, two = horner_two(coefficients, 1000, 0.99) - y;
    check("horner", once * once < 1e-18 * y * y && two * two < 1e-18 * y * y);
}

int main(void) {
    fill();
    check_integers();
    check_arrays();
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) time_of(&loops[i]);
    return failed;
}
