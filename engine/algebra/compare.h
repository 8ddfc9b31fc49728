/* Tells how two mappings relate on the schemes that both explain. */
#ifndef PTL_ALGEBRA_COMPARE_H
#define PTL_ALGEBRA_COMPARE_H

#include "algebra/distinguish.h"

typedef struct ptl_comparison {
    ptl_pairs pairs;
    bool equal;       /* the same port usage up to a renaming of the ports */
    bool decided;     /* otherwise it is not known whether they are equal (never seen) */
    bool same_limits; /* R_max is the same, and all slots are, unless there is no R_max to count them against;
                         and so are units that stay busy */
    ptl_renaming renaming; /* that of the equality, or the closest one found */
    size_t matching;       /* schemes whose usage is the same under it */
    ptl_distinction distinction;
} ptl_comparison;

/* All but the distinction. PTL_BAD_INPUT: no scheme in common; PTL_NO_MEMORY. */
ptl_status ptl_relate(const ptl_mapping* a, const ptl_mapping* b, ptl_arena* arena, ptl_comparison* out,
                      ptl_error* error);

/* epsilon in CPI. The result lives in the arena and refers to both mappings. PTL_BAD_INPUT: no scheme in
 * common; PTL_NO_MEMORY; PTL_INTERRUPTED with what is known so far. */
ptl_status ptl_compare(const ptl_mapping* a, const ptl_mapping* b, double epsilon, uint64_t seed,
                       ptl_arena* arena, ptl_comparison* out, ptl_error* error);

#endif
