/* Sixteen floats at a time, for kernels that are compiled with -mavx2 and called only where the processor has
 * it. */
#ifndef PTL_VEC_AVX2_H
#define PTL_VEC_AVX2_H

#include <immintrin.h>

typedef struct vec {
    __m256 low, high;
} vec;

static inline vec vec_load(const float* p) {
    return (vec){_mm256_load_ps(p), _mm256_load_ps(p + 8)};
}

static inline void vec_store(float* p, vec v) {
    _mm256_store_ps(p, v.low);
    _mm256_store_ps(p + 8, v.high);
}

static inline vec vec_plus(vec a, vec b) {
    return (vec){_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)};
}

static inline vec vec_times(vec a, vec b) {
    return (vec){_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)};
}

static inline vec vec_larger(vec a, vec b) {
    return (vec){_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)};
}

#endif
