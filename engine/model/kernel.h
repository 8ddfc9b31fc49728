/* The hot loops, for the vectors of different processors: kernel_scalar.c, kernel_avx2.c and kernel_avx512.c.
 *
 * What is done with vectors is written once, in tree_search.h and subset_sums.h, over a handful of operations
 * that each of these files defines before it includes them:
 *
 *     vec                                               PTL_LANES floats
 *     vec vec_load(const float* p)                      p aligned to 64 bytes
 *     void vec_store(float* p, vec v)
 *     vec vec_scaled(float c, const float* p)           c * p[0 ... 15]
 *     vec vec_added(vec v, float c, const float* p)     v + c * p[0 ... 15]
 *     vec vec_plus(vec a, vec b)
 *     vec vec_times(vec a, vec b)
 *     vec vec_larger(vec a, vec b)                      lane by lane
 *     vec vec_where_inside(vec v, const ptl_ports* sets, ptl_ports ports, float count)
 *                                                       v + count in the lanes whose set has all these ports
 *     unsigned vec_at_least(vec v, float x)             bit k: lane k >= x
 *     unsigned vec_above(vec v, float x)                bit k: lane k > x
 *     float vec_largest(vec v)                          over all lanes
 *     void vec_largest_each(const float* p, float* out) the same for 16 vectors, one after the other in p,
 * which is aligned to 64 bytes; all in a third of the steps */
#ifndef PTL_MODEL_KERNEL_H
#define PTL_MODEL_KERNEL_H

#include "model/bottleneck.h"
#include "model/load_tree.h"

#define PTL_INLINE static inline __attribute__((always_inline))

typedef enum ptl_kernel {
    PTL_KERNEL_AUTO, /* the fastest that this processor has */
    PTL_KERNEL_SCALAR,
    PTL_KERNEL_AVX2,
    PTL_KERNEL_AVX512,
    PTL_KERNEL_COUNT
} ptl_kernel;

typedef struct ptl_kernel_table {
    const char* name;
    /* The row of a scheme: its loads on all sets, and their maxima upwards. issue: its load on R_max, in
     * units; it goes to the first lane, whose set is empty if the tree has an R_max. */
    void (*fill)(const ptl_load_tree* t, const ptl_usage* u, float issue, float* row);
    /* Inverse throughputs, in cycles, of `size` experiments: the terms of experiment j, distinct schemes of
     * the tree, are scheme[k] and count[k] for start[j] <= k < start[j + 1]. PTL_NO_MEMORY. */
    ptl_status (*search)(const ptl_load_tree* t, const uint32_t* start, const uint32_t* scheme,
                         const float* count, size_t size, double* cycles);
    /* The bottleneck of `size` uops over `ports` ports, 4 to 20 of them, whose masses sum to less than 2^24.
     * sums: 2^ports floats, zeroed, aligned to 64 bytes. */
    void (*widest_ratio)(const ptl_mass* uops, size_t size, unsigned ports, float* sums, ptl_bottleneck* out);
} ptl_kernel_table;

/* NULL: not on this processor. */
const ptl_kernel_table* ptl_kernel_of(ptl_kernel k);

/* The kernel with that name ("auto", "scalar", "avx2", "avx512"); PTL_KERNEL_COUNT: there is none. */
ptl_kernel ptl_kernel_named(const char* name);

extern const ptl_kernel_table ptl_kernel_scalar;
#if defined(__x86_64__)
extern const ptl_kernel_table ptl_kernel_avx2, ptl_kernel_avx512;
#endif

#endif
