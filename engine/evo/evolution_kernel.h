/* The hot loops of evolution, for the vectors of different processors: evolution_kernel_scalar.c, _avx2.c and
 * _avx512.c. All of them compute the same bits: no fused multiply-add, and sums run in one order.
 *
 * A row holds, for every set Q of ports (its index is its bits), the load that a scheme puts on it:
 * L[Q] = (uops whose ports lie in Q) / |Q|. An experiment takes max over Q of the sum of count * L[Q]
 * (Theorem 5.2).
 *
 * Its tops are the maxima of PTL_EVO_LANES entries each, in turn: the same sum over tops bounds that many
 * entries from above (rounding is monotone), so that cycles() opens few of them, and the tops of all schemes
 * stay close to the processor.
 *
 * The loops are written once, in loops.h, over operations that each of these files defines before it includes
 * that:
 *
 *     vec                            PTL_EVO_LANES floats
 *     vec vec_load(const float* p)   p aligned to 64 bytes
 *     void vec_store(float* p, vec v)
 *     vec vec_all(float x)
 *     vec vec_plus(vec a, vec b), vec_minus, vec_times, vec_larger     lane by lane
 *     float vec_largest(vec v)       over all lanes
 *     unsigned vec_above(vec v, float x)                               bit k: lane k > x
 *     vec vec_above1(vec v), vec_above2, vec_above4, vec_above8        lane k is lane k | bit of v
 *     vec vec_below1(vec v), ...     lane k is lane k - bit of v if k has the bit, and 0 otherwise */
#ifndef PTL_EVO_EVOLUTION_KERNEL_H
#define PTL_EVO_EVOLUTION_KERNEL_H

#include "evo/usage.h"

#define PTL_EVO_TOPS_MIN 1024 /* sets: with fewer there are no tops */

/* An experiment, and a uop that is tried in it. */
typedef struct ptl_evo_trial {
    const float* const* rows; /* of the schemes as they are */
    const float* counts;
    size_t terms;
    float extra;  /* how many of the uop there are */
    float least;  /* no prediction is below */
    float cycles; /* measured */
    float weight; /* of a deviation */
} ptl_evo_trial;

typedef struct ptl_evo_kernel {
    const char* name;
    /* The row of a usage; 64-byte aligned, p->sets floats. */
    void (*row)(const ptl_evo_problem* p, const ptl_evo_usage* u, float* row);
    /* The tops of a row: sets / PTL_EVO_LANES floats, aligned. */
    void (*tops)(const float* row, size_t sets, float* tops);
    /* max over Q of the sum of counts[k] * rows[k][Q]; terms > 0. tops: those of the rows, or NULL: the same,
     * and for few sets the faster way. */
    float (*cycles)(const float* const* rows, const float* const* tops, const float* counts, size_t terms,
                    size_t sets);
    /* For every port set A at once: how far off would the experiment be with the uop on A? Adds
     * weight * ptl_evo_off(max(base, max over Q that contain A of (sum[Q] + extra / |Q|), least) - cycles) to
     * errors[A], where base is the maximum of sum[Q] over all Q, which it returns. The maxima over all
     * supersets are one pass per port (a zeta transform) instead of one per set. scratch, errors: p->sets
     * floats, aligned. */
    float (*trial)(const ptl_evo_problem* p, const ptl_evo_trial* t, float* scratch, float* errors);
} ptl_evo_kernel;

/* The fastest that this processor has. */
const ptl_evo_kernel* ptl_evo_kernel_best(void);
/* By name ("scalar", "avx2", "avx512"); NULL: there is none, or not on this processor. */
const ptl_evo_kernel* ptl_evo_kernel_named(const char* name);

extern const ptl_evo_kernel ptl_evo_kernel_scalar;
#if defined(__x86_64__)
extern const ptl_evo_kernel ptl_evo_kernel_avx2, ptl_evo_kernel_avx512;
#endif

#endif
