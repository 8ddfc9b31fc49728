// Ten loops of the kinds that programs have, for OSACA and Portolan to predict as a compiler makes them.
#include <stddef.h>
#include <stdint.h>

void triad(double *restrict a, const double *restrict b, const double *restrict c, double s, size_t n) {
  for (size_t i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

double dot(const double *a, const double *b, size_t n) {
  double r = 0;
  for (size_t i = 0; i < n; i++) r += a[i] * b[i];
  return r;
}

uint64_t sum(const uint64_t *a, size_t n) {
  uint64_t r = 0;
  for (size_t i = 0; i < n; i++) r += a[i];
  return r;
}

size_t count(const int *a, size_t n, int limit) {
  size_t r = 0;
  for (size_t i = 0; i < n; i++) r += a[i] > limit;
  return r;
}

int64_t widen(const int *a, const int *index, size_t n) {
  int64_t r = 0;
  for (size_t i = 0; i < n; i++) r += a[index[i]];
  return r;
}

uint32_t hash(const unsigned char *s, size_t n) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < n; i++) h = (h ^ s[i]) * 16777619u;
  return h;
}

int biggest(const int *a, size_t n) {
  int m = a[0];
  for (size_t i = 1; i < n; i++) m = a[i] > m ? a[i] : m;
  return m;
}

void stencil(float *restrict a, const float *restrict b, size_t n) {
  for (size_t i = 1; i + 1 < n; i++) a[i] = (b[i - 1] + b[i] + b[i + 1]) * 0.25f;
}

void shift(uint32_t *restrict a, const uint32_t *restrict b, size_t n, int k) {
  for (size_t i = 0; i < n; i++) a[i] = (b[i] << k) | (b[i] >> 3);
}

size_t steps(uint64_t x) {
  size_t n = 0;
  while (x != 1) {
    x = x & 1 ? 3 * x + 1 : x >> 1;
    n++;
  }
  return n;
}
