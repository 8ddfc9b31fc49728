// Loops of many kinds of data: conversions, divisions, short numbers, pairs, tables, decisions. Beside loops.c they make a compiler use most of what
// it knows.
#include <stddef.h>
#include <stdint.h>

#define EACH(name, to, from, value)                                          \
  void name(to *restrict a, const from *restrict b, const from *restrict c, size_t n) { \
    for (size_t i = 0; i < n; i++) a[i] = (to)(value);                       \
  }
#define ALL(name, to, from, start, value)                                    \
  to name(const from *restrict a, const from *restrict b, size_t n) {        \
    to r = start;                                                            \
    for (size_t i = 0; i < n; i++) r = value;                                \
    return r;                                                                \
  }

EACH(narrow, float, double, b[i] + c[i])
EACH(wide, double, float, b[i] * c[i])
EACH(whole, int32_t, double, b[i] - c[i])
EACH(real, double, int32_t, b[i] + c[i])
EACH(quotient, double, double, b[i] / c[i])
EACH(quotient_of_floats, float, float, b[i] / c[i])
EACH(root, float, float, __builtin_sqrtf(b[i]) + c[i])
EACH(magnitude, double, double, __builtin_fabs(b[i]) + __builtin_sqrt(c[i]))
EACH(lower, int32_t, int32_t, b[i] < c[i] ? b[i] : c[i])
EACH(halfwords, int16_t, int16_t, b[i] * c[i])
EACH(scaled, int32_t, int16_t, b[i] * c[i])
EACH(bytes, uint8_t, uint8_t, (b[i] + c[i] + 1) >> 1)
EACH(long_product, int64_t, int32_t, (int64_t)b[i] * c[i])
EACH(remainder_of, uint32_t, uint32_t, b[i] % c[i])
EACH(masked, uint64_t, uint64_t, (b[i] & ~c[i]) ^ (c[i] << 5))
EACH(clamped, float, float, b[i] > 1.0f ? 1.0f : b[i] < c[i] ? c[i] : b[i])
EACH(signs, int32_t, int32_t, -(b[i] ^ (c[i] >> 31)))

ALL(sum_of_shorts, int64_t, int16_t, 0, r + a[i] * b[i])
ALL(sum_of_floats, float, float, 0, r + a[i] / b[i])
ALL(sum_of_bytes, uint32_t, uint8_t, 0, r + (a[i] ^ b[i]))
ALL(largest, double, double, 0, a[i] * b[i] > r ? a[i] * b[i] : r)
ALL(horner, double, double, 1, r * a[i] + b[i])
ALL(parity, uint64_t, uint64_t, 0, r ^ (a[i] >> 7) ^ (b[i] << 9))
ALL(different, size_t, uint8_t, 0, r + (a[i] != b[i]))

void complex_product(double *restrict a, const double *restrict b, const double *restrict c, size_t n) {
  for (size_t i = 0; i < n; i++) {
    a[2 * i] = b[2 * i] * c[2 * i] - b[2 * i + 1] * c[2 * i + 1];
    a[2 * i + 1] = b[2 * i] * c[2 * i + 1] + b[2 * i + 1] * c[2 * i];
  }
}

void unzip(float *restrict a, float *restrict b, const float *restrict c, size_t n) {
  for (size_t i = 0; i < n; i++) {
    a[i] = c[2 * i] * 2.0f;
    b[i] = c[2 * i + 1] + 1.0f;
  }
}

void gather(double *restrict a, const double *restrict b, const int *restrict index, size_t n) {
  for (size_t i = 0; i < n; i++) a[i] = b[index[i]];
}

void scatter(float *restrict a, const float *restrict b, const uint32_t *restrict index, size_t n) {
  for (size_t i = 0; i < n; i++) a[index[i]] += b[i];
}

void histogram(uint32_t *restrict a, const uint8_t *restrict b, size_t n) {
  for (size_t i = 0; i < n; i++) a[b[i]]++;
}

void running(int32_t *restrict a, const int16_t *restrict b, size_t n) {
  int32_t r = 0;
  for (size_t i = 0; i < n; i++) a[i] = r += b[i];
}

void reversed(int16_t *restrict a, const int16_t *restrict b, size_t n) {
  for (size_t i = 0; i < n; i++) a[i] = b[n - 1 - i];
}

void transposed(int16_t *restrict a, const int16_t *restrict b, const uint32_t *restrict index, size_t n) {
  for (size_t i = 0; i < n; i++) a[index[i]] = b[index[n - i]];
}

struct node {
  struct node *next;
  uint64_t value;
};

uint64_t walk(const struct node *p) {
  uint64_t r = 0;
  for (; p; p = p->next) r += p->value;
  return r;
}

size_t length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

void rotate(uint64_t *a, size_t n) {
  for (size_t i = 0; i < n; i++) a[i] = (a[i] << 13 | a[i] >> 51) * 5 + 0xe6546b64;
}

void fill(double *a, double s, size_t n) {
  for (size_t i = 0; i < n; i++) a[i] = s * (double)i;
}
