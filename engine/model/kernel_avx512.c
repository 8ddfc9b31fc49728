/* Compiled with -mavx512f -mbmi -mpopcnt; called only where the processor has these. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "model/load_tree.h"

typedef __m512 vec;

static inline vec vec_load(const float* p) {
    return _mm512_load_ps(p);
}

static inline void vec_store(float* p, vec v) {
    _mm512_store_ps(p, v);
}

static inline vec vec_scaled(float c, const float* p) {
    return _mm512_mul_ps(_mm512_set1_ps(c), _mm512_load_ps(p));
}

static inline vec vec_added(vec v, float c, const float* p) {
    return _mm512_fmadd_ps(_mm512_set1_ps(c), _mm512_load_ps(p), v);
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

static inline unsigned vec_at_least(vec v, float x) {
    return _mm512_cmp_ps_mask(v, _mm512_set1_ps(x), _CMP_GE_OQ);
}

static inline unsigned vec_above(vec v, float x) {
    return _mm512_cmp_ps_mask(v, _mm512_set1_ps(x), _CMP_GT_OQ);
}

static inline float vec_largest(vec v) {
    return _mm512_reduce_max_ps(v);
}

#include "model/subset_sums.h"
#include "model/tree_search.h"

const ptl_kernel_table ptl_kernel_avx512 = {"avx512", fill, search, widest_ratio};
#else
typedef int ptl_kernel_avx512_is_for_x86;
#endif
