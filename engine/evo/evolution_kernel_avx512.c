/* Compiled with -mavx512f; called only where the processor has it. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "base/vec_avx512.h"
#include "evo/evolution_kernel.h"

static inline vec vec_all(float x) {
    return _mm512_set1_ps(x);
}

static inline vec vec_minus(vec a, vec b) {
    return _mm512_sub_ps(a, b);
}

static inline vec vec_above1(vec v) {
    return _mm512_movehdup_ps(v);
}

static inline vec vec_above2(vec v) {
    return _mm512_permute_ps(v, 0xee);
}

static inline vec vec_above4(vec v) {
    return _mm512_shuffle_f32x4(v, v, 0xf5);
}

static inline vec vec_above8(vec v) {
    return _mm512_shuffle_f32x4(v, v, 0xee);
}

static inline vec vec_below1(vec v) {
    return _mm512_maskz_moveldup_ps(0xaaaa, v);
}

static inline vec vec_below2(vec v) {
    return _mm512_maskz_permute_ps(0xcccc, v, 0x44);
}

static inline vec vec_below4(vec v) {
    return _mm512_maskz_shuffle_f32x4(0xf0f0, v, v, 0xa0);
}

static inline vec vec_below8(vec v) {
    return _mm512_maskz_shuffle_f32x4(0xff00, v, v, 0x44);
}

#include "evo/loops.h"

const ptl_evo_kernel ptl_evo_kernel_avx512 = {"avx512", fill_row, fill_tops, cycles_of, try_uop};
#else
typedef int ptl_evo_kernel_avx512_is_for_x86;
#endif
