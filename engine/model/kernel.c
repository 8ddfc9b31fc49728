#include "model/kernel.h"

#include <string.h>

#if defined(__x86_64__)
static bool has(ptl_kernel k) {
    if (k == PTL_KERNEL_SCALAR) return true;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
        return false;
    return k == PTL_KERNEL_AVX2 || (k == PTL_KERNEL_AVX512 && __builtin_cpu_supports("avx512f"));
}

static const ptl_kernel_table* const kernels[] = {NULL, &ptl_kernel_scalar, &ptl_kernel_avx2,
                                                  &ptl_kernel_avx512};
#else
static bool has(ptl_kernel k) {
    return k == PTL_KERNEL_SCALAR;
}

static const ptl_kernel_table* const kernels[] = {NULL, &ptl_kernel_scalar, NULL, NULL};
#endif

const ptl_kernel_table* ptl_kernel_of(ptl_kernel k) {
    if (k == PTL_KERNEL_AUTO)
        for (k = PTL_KERNEL_COUNT - 1; k > PTL_KERNEL_SCALAR && !has(k); k--) {
        }
    return k < PTL_KERNEL_COUNT && has(k) ? kernels[k] : NULL;
}

ptl_kernel ptl_kernel_named(const char* name) {
    static const char* const names[] = {"auto", "scalar", "avx2", "avx512"};
    ptl_kernel k = PTL_KERNEL_AUTO;
    while (k < PTL_KERNEL_COUNT && strcmp(names[k], name)) k++;
    return k;
}
