/* Inside of ptl_search (search.h): what the files that answer its questions share. */
#ifndef PTL_SMT_SEARCH_STATE_H
#define PTL_SMT_SEARCH_STATE_H

#include "smt/conflict.h"
#include "smt/observed.h"
#include "smt/search.h"
#include "smt/select.h"
#include "smt/tell.h"

struct ptl_search {
    ptl_search_options options;
    ptl_uops uops;
    bool two_level;                   /* one uop each */
    unsigned counts[PTL_SCHEMES_MAX]; /* ports of each row, 0 where unknown */
    ptl_arena arena;
    ptl_z3* z;
    ptl_columns columns;
    ptl_select select; /* two-level */
    ptl_loose loose;
    ptl_tell tell;
    ptl_cost cost;
    ptl_demand demand; /* scratch */
    ptl_same same[PTL_SCHEMES_MAX];
    size_t sames;
    uint32_t fixed[PTL_SCHEMES_MAX]; /* given ports of a row; 0: none */
    size_t lazy, undecided;          /* observations of which the solver does not know everything */
    ptl_observed observed;
    double deadline;
    ptl_literal* supposed; /* standing assumptions */
    size_t supposals, supposed_capacity;
    unsigned least_cost; /* of the last mapping that was asked for */
    /* The last mappings seen; often one of them still stands when its rival has fallen. */
    uint32_t recent[4][PTL_SCHEMES_MAX];
    size_t recents;
};

/* Bytes of a mapping. */
size_t ptl_search_bytes(const ptl_search* s);

void ptl_search_remember(ptl_search* s, const uint32_t* mapping);

/* Room for n further assumptions after the standing ones, which are *count; NULL without memory. To be freed.
 */
ptl_literal* ptl_search_assumptions(const ptl_search* s, size_t n, size_t* count);

/* A check under these assumptions, and the solver's mapping; again as long as it breaks what the solver could
 * not know (lazy.h). */
ptl_status ptl_search_check(ptl_search* s, const ptl_literal* a, size_t n, bool* sat, uint32_t* mapping,
                            ptl_error* error);

#endif
