/* Compiled with -mavx2 -mfma -mbmi -mbmi2 -mpopcnt; called only where the processor has these. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "model/load_tree.h"

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

static inline vec vec_scaled(float c, const float* p) {
    __m256 factor = _mm256_set1_ps(c);
    return (vec){_mm256_mul_ps(factor, _mm256_load_ps(p)), _mm256_mul_ps(factor, _mm256_load_ps(p + 8))};
}

static inline vec vec_added(vec v, float c, const float* p) {
    __m256 factor = _mm256_set1_ps(c);
    return (vec){_mm256_fmadd_ps(factor, _mm256_load_ps(p), v.low),
                 _mm256_fmadd_ps(factor, _mm256_load_ps(p + 8), v.high)};
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

static inline unsigned vec_at_least(vec v, float x) {
    __m256 all = _mm256_set1_ps(x);
    unsigned low = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v.low, all, _CMP_GE_OQ));
    unsigned high = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v.high, all, _CMP_GE_OQ));
    return low | high << 8;
}

static inline unsigned vec_above(vec v, float x) {
    __m256 all = _mm256_set1_ps(x);
    unsigned low = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v.low, all, _CMP_GT_OQ));
    unsigned high = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v.high, all, _CMP_GT_OQ));
    return low | high << 8;
}

static inline float vec_largest(vec v) {
    __m256 m = _mm256_max_ps(v.low, v.high);
    __m128 q = _mm_max_ps(_mm256_castps256_ps128(m), _mm256_extractf128_ps(m, 1));
    q = _mm_max_ps(q, _mm_movehl_ps(q, q));
    return _mm_cvtss_f32(_mm_max_ss(q, _mm_movehdup_ps(q)));
}

#include "model/subset_sums.h"
#include "model/tree_search.h"

const ptl_kernel_table ptl_kernel_avx2 = {"avx2", fill, search, widest_ratio};
#else
typedef int ptl_kernel_avx2_is_for_x86;
#endif
