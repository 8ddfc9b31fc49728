/* The covering problem without what makes no difference (cover.h). */
#ifndef PTL_ANICA_COVER_REDUCE_H
#define PTL_ANICA_COVER_REDUCE_H

#include "anica/cover.h"

typedef struct ptl_cover_core {
    size_t sets;       /* those that no other one contains */
    size_t* original;  /* their numbers */
    size_t classes;    /* elements that the same of these cover, one class each */
    size_t words;      /* of a row */
    uint64_t* rows;    /* classes x words: which of the sets cover it, none is empty */
    uint32_t* weights; /* elements in each */
} ptl_cover_core;

/* PTL_NO_MEMORY. */
ptl_status ptl_cover_reduce(ptl_cover_core* core, const ptl_cover* c, ptl_error* error);
void ptl_cover_core_free(ptl_cover_core* core);

/* Elements that a choice covers. */
size_t ptl_cover_count(const ptl_cover_core* core, const bool* chosen);

/* A good choice of at most k sets: greedy, then exchanges of one set as long as they gain. Returns what it
 * covers. */
size_t ptl_cover_greedy(const ptl_cover_core* core, size_t k, bool* chosen);

#endif
