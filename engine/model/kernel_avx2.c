/* Compiled with -mavx2 -mfma -mbmi -mbmi2 -mpopcnt; called only where the processor has these. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "base/vec_avx2.h"
#include "model/load_tree.h"

static inline vec vec_scaled(float c, const float* p) {
    __m256 factor = _mm256_set1_ps(c);
    return (vec){_mm256_mul_ps(factor, _mm256_load_ps(p)), _mm256_mul_ps(factor, _mm256_load_ps(p + 8))};
}

static inline vec vec_added(vec v, float c, const float* p) {
    __m256 factor = _mm256_set1_ps(c);
    return (vec){_mm256_fmadd_ps(factor, _mm256_load_ps(p), v.low),
                 _mm256_fmadd_ps(factor, _mm256_load_ps(p + 8), v.high)};
}

static inline __m256 half_where_inside(__m256 v, const ptl_ports* sets, __m256i ports, __m256 count) {
    __m256i outside = _mm256_andnot_si256(_mm256_load_si256((const __m256i*)(const void*)sets), ports);
    __m256 none = _mm256_castsi256_ps(_mm256_cmpeq_epi32(outside, _mm256_setzero_si256()));
    return _mm256_add_ps(v, _mm256_and_ps(none, count));
}

static inline vec vec_where_inside(vec v, const ptl_ports* sets, ptl_ports ports, float count) {
    __m256i all_ports = _mm256_set1_epi32((int)ports);
    __m256 all_count = _mm256_set1_ps(count);
    return (vec){half_where_inside(v.low, sets, all_ports, all_count),
                 half_where_inside(v.high, sets + 8, all_ports, all_count)};
}

static inline unsigned vec_at_least(vec v, float x) {
    __m256 all = _mm256_set1_ps(x);
    unsigned low = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v.low, all, _CMP_GE_OQ));
    unsigned high = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v.high, all, _CMP_GE_OQ));
    return low | high << 8;
}

/* Lane by lane the larger half of two vectors: a's and b's maxima of lanes two apart take turns. */
static inline __m256 fold_lanes(__m256 a, __m256 b) {
    return _mm256_max_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
}

static inline __m256 fold_pairs(__m256 a, __m256 b) {
    __m256d x = _mm256_castps_pd(a), y = _mm256_castps_pd(b);
    return _mm256_max_ps(_mm256_castpd_ps(_mm256_unpacklo_pd(x, y)),
                         _mm256_castpd_ps(_mm256_unpackhi_pd(x, y)));
}

static inline __m256 fold_halves(__m256 a, __m256 b) {
    return _mm256_max_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}

static inline __m256 load_folded(const float* p) {
    return _mm256_max_ps(_mm256_load_ps(p), _mm256_load_ps(p + 8));
}

static inline __m256 fold_four(const float* p) {
    return fold_pairs(fold_lanes(load_folded(p), load_folded(p + 16)),
                      fold_lanes(load_folded(p + 32), load_folded(p + 48)));
}

static inline void vec_largest_each(const float* p, float* out) {
    _mm256_storeu_ps(out, fold_halves(fold_four(p), fold_four(p + 64)));
    _mm256_storeu_ps(out + 8, fold_halves(fold_four(p + 128), fold_four(p + 192)));
}

#include "model/subset_sums.h"
#include "model/tree_search.h"

const ptl_kernel_table ptl_kernel_avx2 = {"avx2", fill, search, widest_ratio};
#else
typedef int ptl_kernel_avx2_is_for_x86;
#endif
