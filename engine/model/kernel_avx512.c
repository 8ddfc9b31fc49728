/* Compiled with -mavx512f -mbmi -mpopcnt; called only where the processor has these. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "base/vec_avx512.h"
#include "model/load_tree.h"

static inline vec vec_scaled(float c, const float* p) {
    return _mm512_mul_ps(_mm512_set1_ps(c), _mm512_load_ps(p));
}

static inline vec vec_added(vec v, float c, const float* p) {
    return _mm512_fmadd_ps(_mm512_set1_ps(c), _mm512_load_ps(p), v);
}

static inline vec vec_where_inside(vec v, const ptl_ports* sets, ptl_ports ports, float count) {
    __m512i outside = _mm512_andnot_si512(_mm512_load_si512(sets), _mm512_set1_epi32((int)ports));
    return _mm512_mask_add_ps(v, _mm512_testn_epi32_mask(outside, outside), v, _mm512_set1_ps(count));
}

static inline unsigned vec_at_least(vec v, float x) {
    return _mm512_cmp_ps_mask(v, _mm512_set1_ps(x), _CMP_GE_OQ);
}

/* Two vectors become one whose lanes hold, in turn, a's and b's maxima of lanes that lie two apart. */
static inline __m512 fold_lanes(__m512 a, __m512 b) {
    return _mm512_max_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
}

static inline __m512 fold_pairs(__m512 a, __m512 b) {
    __m512d x = _mm512_castps_pd(a), y = _mm512_castps_pd(b);
    return _mm512_max_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(x, y)),
                         _mm512_castpd_ps(_mm512_unpackhi_pd(x, y)));
}

static inline __m512 fold_quarters(__m512 a, __m512 b) {
    return _mm512_max_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
}

static inline __m512 fold_four(const float* p) {
    return fold_pairs(fold_lanes(_mm512_load_ps(p), _mm512_load_ps(p + 16)),
                      fold_lanes(_mm512_load_ps(p + 32), _mm512_load_ps(p + 48)));
}

static inline void vec_largest_each(const float* p, float* out) {
    __m512 low = fold_quarters(fold_four(p), fold_four(p + 64));
    __m512 high = fold_quarters(fold_four(p + 128), fold_four(p + 192));
    _mm512_storeu_ps(out, fold_quarters(low, high));
}

#include "model/subset_sums.h"
#include "model/tree_search.h"

const ptl_kernel_table ptl_kernel_avx512 = {"avx512", fill, search, widest_ratio};
#else
typedef int ptl_kernel_avx512_is_for_x86;
#endif
