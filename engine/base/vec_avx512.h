/* Sixteen floats at a time, for kernels that are compiled with -mavx512f and called only where the processor
 * has it. */
#ifndef PTL_VEC_AVX512_H
#define PTL_VEC_AVX512_H

#include <immintrin.h>

typedef __m512 vec;

static inline vec vec_load(const float* p) {
    return _mm512_load_ps(p);
}

static inline void vec_store(float* p, vec v) {
    _mm512_store_ps(p, v);
}

static inline vec vec_plus(vec a, vec b) {
    return _mm512_add_ps(a, b);
}

static inline vec vec_times(vec a, vec b) {
    return _mm512_mul_ps(a, b);
}

static inline vec vec_larger(vec a, vec b) {
    return _mm512_max_ps(a, b);
}

/* The largest of its floats. */
static inline float vec_largest(vec v) {
    return _mm512_reduce_max_ps(v);
}

/* One bit for each that is above x. */
static inline unsigned vec_above(vec v, float x) {
    return _mm512_cmp_ps_mask(v, _mm512_set1_ps(x), _CMP_GT_OQ);
}

#endif
