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

/* The largest of its floats. */
static inline float vec_largest(vec v) {
    __m256 m = _mm256_max_ps(v.low, v.high);
    __m128 q = _mm_max_ps(_mm256_castps256_ps128(m), _mm256_extractf128_ps(m, 1));
    q = _mm_max_ps(q, _mm_movehl_ps(q, q));
    return _mm_cvtss_f32(_mm_max_ss(q, _mm_movehdup_ps(q)));
}

/* One bit for each that is above x. */
static inline unsigned vec_above(vec v, float x) {
    __m256 all = _mm256_set1_ps(x);
    unsigned low = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v.low, all, _CMP_GT_OQ));
    unsigned high = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v.high, all, _CMP_GT_OQ));
    return low | high << 8;
}

#endif
