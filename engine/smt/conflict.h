/* Which observations contradict each other? */
#ifndef PTL_SMT_CONFLICT_H
#define PTL_SMT_CONFLICT_H

#include "base/error.h"
#include "smt/uops.h"

/* See ptl_uops_same. */
typedef struct ptl_same {
    size_t scheme;
    uint64_t among;
} ptl_same;

typedef struct ptl_problem {
    size_t ports;
    const ptl_uops* uops;
    const ptl_same* same;
    size_t sames;
    const unsigned* counts; /* ports of each row, 0 where unknown; or NULL */
    const uint32_t* fixed;  /* see ptl_columns_fix */
    uint64_t seed;
    double deadline; /* moment (ptl_now) to give up; 0: never */
} ptl_problem;

/* A minimal set of observations that no mapping admits: writes their indices, ascending, to `which` (room for
 * count) and their number to *n; 0 if they do not contradict. Soft bounds play no part. PTL_LIMIT,
 * PTL_INTERRUPTED, PTL_NO_MEMORY, PTL_INTERNAL. */
ptl_status ptl_conflict(const ptl_problem* problem, const ptl_observation* observations, size_t count,
                        size_t* which, size_t* n, ptl_error* error);

#endif
