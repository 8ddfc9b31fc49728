/* Compiled with -mavx2; called only where the processor has it. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "base/vec_avx2.h"
#include "evo/evolution_kernel.h"

static inline vec vec_all(float x) {
    return (vec){_mm256_set1_ps(x), _mm256_set1_ps(x)};
}

static inline vec vec_minus(vec a, vec b) {
    return (vec){_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high)};
}

static inline vec vec_above1(vec v) {
    return (vec){_mm256_movehdup_ps(v.low), _mm256_movehdup_ps(v.high)};
}

static inline vec vec_above2(vec v) {
    return (vec){_mm256_permute_ps(v.low, 0xee), _mm256_permute_ps(v.high, 0xee)};
}

static inline vec vec_above4(vec v) {
    return (vec){_mm256_permute2f128_ps(v.low, v.low, 0x11), _mm256_permute2f128_ps(v.high, v.high, 0x11)};
}

static inline vec vec_above8(vec v) {
    return (vec){v.high, v.high};
}

static inline __m256 every(__m256 v, int which) {
    __m256 zero = _mm256_setzero_ps();
    return which == 1 ? _mm256_blend_ps(zero, v, 0xaa) : _mm256_blend_ps(zero, v, 0xcc);
}

static inline vec vec_below1(vec v) {
    return (vec){every(_mm256_moveldup_ps(v.low), 1), every(_mm256_moveldup_ps(v.high), 1)};
}

static inline vec vec_below2(vec v) {
    return (vec){every(_mm256_permute_ps(v.low, 0x44), 2), every(_mm256_permute_ps(v.high, 0x44), 2)};
}

static inline vec vec_below4(vec v) {
    return (vec){_mm256_permute2f128_ps(v.low, v.low, 0x08), _mm256_permute2f128_ps(v.high, v.high, 0x08)};
}

static inline vec vec_below8(vec v) {
    return (vec){_mm256_setzero_ps(), v.low};
}

#include "evo/loops.h"

const ptl_evo_kernel ptl_evo_kernel_avx2 = {"avx2", fill_row, fill_tops, cycles_of, try_uop};
#else
typedef int ptl_evo_kernel_avx2_is_for_x86;
#endif
