/* The unknown two-level mapping: one boolean per scheme and port.
 *
 * Ports have no identity, so the columns (the set of schemes a port runs) are ordered lexicographically: of
 * all renamings of a mapping one is kept (nearly always exactly one). Unused ports come last. */
#ifndef PTL_SMT_COLUMNS_H
#define PTL_SMT_COLUMNS_H

#include "base/arena.h"
#include "candidates/candidate.h"
#include "smt/z3.h"

typedef struct ptl_union ptl_union;

typedef struct ptl_columns {
    ptl_z3* z;
    ptl_arena* arena;
    size_t schemes, ports;
    ptl_literal* runs;               /* runs[scheme * ports + port] */
    unsigned least[PTL_SCHEMES_MAX]; /* ports of each scheme, as far as known for certain */
    ptl_union** table;               /* of the unions spoken of so far, by set of schemes */
    size_t table_size, unions;
} ptl_columns;

/* Every scheme runs on at least one port; exactly counts[i] if that is not 0. counts may be NULL. */
ptl_status ptl_columns_new(ptl_columns* c, ptl_z3* z, ptl_arena* arena, size_t schemes, size_t ports,
                           const unsigned* counts, ptl_error* error);
void ptl_columns_free(ptl_columns* c);

/* Rows whose ports are given: rows[i] is the set of ports of row i, 0 where it is unknown. The columns stay
 * ordered, so the given rows must be the first ones and the columns that they give must descend; ports that
 * they tell apart then have an identity, the others still have none. PTL_BAD_INPUT: a port that there is not.
 */
ptl_status ptl_columns_fix(ptl_columns* c, const uint32_t* rows, ptl_error* error);

/* "c(set) >= x"; x <= 0 gives PTL_TRUE, x > ports PTL_FALSE. */
ptl_literal ptl_columns_at_least(ptl_columns* c, uint64_t set, int x);

/* The mapping in the solver's last model. */
void ptl_columns_read(const ptl_columns* c, uint32_t* mapping);

/* Sorts n literals: out[x - 1] is "at least x of them", in both directions (a totalizer: Bailleux,
 * Boufkhad 2003). */
bool ptl_count(ptl_z3* z, const ptl_literal* in, size_t n, ptl_literal* out);

#endif
