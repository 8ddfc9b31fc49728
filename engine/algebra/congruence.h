/* Schemes that a mapping treats alike. Section 5.1.2 calls schemes congruent that the measurements at hand
 * cannot tell apart; under a mapping the exact counterpart is equal usage: then one can stand for the other
 * in every experiment. (The converse does not hold: p0 + p1 and 2*p01 take the same time unless some scheme
 * of the mapping uses only one of the two ports.) */
#ifndef PTL_ALGEBRA_CONGRUENCE_H
#define PTL_ALGEBRA_CONGRUENCE_H

#include "model/mapping.h"

#define PTL_NO_CLASS UINT32_MAX

typedef struct ptl_congruence {
    size_t known;       /* explained schemes */
    uint32_t* by_name;  /* their indices in the mapping, by name */
    uint32_t* class_of; /* per scheme of the mapping; PTL_NO_CLASS if it is not explained */
    uint32_t count;     /* classes, numbered by their first scheme by name */
    uint32_t* first;    /* per class: that scheme */
} ptl_congruence;

/* The classes of explained schemes with equal uops, that keep the same unit busy for as long and, where slots
 * is true, with equal issue slots. Memory from the arena. PTL_NO_MEMORY. */
ptl_status ptl_congruence_find(const ptl_mapping* m, bool slots, ptl_arena* arena, ptl_congruence* out,
                               ptl_error* error);

#endif
