/* Inside canonical.c: the search for the order of ports that gives the least form. */
#ifndef PTL_ALGEBRA_CANONICAL_SEARCH_H
#define PTL_ALGEBRA_CANONICAL_SEARCH_H

#include "algebra/canonical.h"

#define PTL_CANONICAL_STEPS_MAX 100000u

/* Distinct usages, in an order that names of ports have no part in. */
typedef struct ptl_rows {
    const ptl_usage** row;
    size_t count;
    size_t uops; /* of all rows together */
} ptl_rows;

/* place[k]: where port k comes in the order. Fills form (rows->uops entries): the uops of the rows one after
 * the other, with places instead of ports, ascending within a row. */
void ptl_rows_form(const ptl_rows* rows, const unsigned* place, ptl_uop* form);

/* Which ports of used can be exchanged two by two without changing a row. */
void ptl_rows_interchangeable(const ptl_rows* rows, ptl_ports used, ptl_ports* with);

/* place: the order with the least form. PTL_NO_MEMORY, PTL_LIMIT. */
ptl_status ptl_canonical_search(const ptl_rows* rows, ptl_ports used, ptl_arena* arena, unsigned* place,
                                unsigned* steps, ptl_error* e);

#endif
