#include "evo/evolution_kernel.h"

#include <string.h>

const ptl_evo_kernel* ptl_evo_kernel_named(const char* name) {
    if (!strcmp(name, "scalar")) return &ptl_evo_kernel_scalar;
#if defined(__x86_64__)
    if (!strcmp(name, "avx2") && __builtin_cpu_supports("avx2")) return &ptl_evo_kernel_avx2;
    if (!strcmp(name, "avx512") && __builtin_cpu_supports("avx512f")) return &ptl_evo_kernel_avx512;
#endif
    return NULL;
}

const ptl_evo_kernel* ptl_evo_kernel_best(void) {
    const ptl_evo_kernel* k = ptl_evo_kernel_named("avx512");
    if (!k) k = ptl_evo_kernel_named("avx2");
    return k ? k : &ptl_evo_kernel_scalar;
}
