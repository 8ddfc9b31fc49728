/* Usages as rows, whose ports can be put in another order: what canonical forms are made of. */
#ifndef PTL_ALGEBRA_CANONICAL_ROWS_H
#define PTL_ALGEBRA_CANONICAL_ROWS_H

#include "model/mapping.h"

/* Distinct usages, in an order that names of ports have no part in. */
typedef struct ptl_rows {
    const ptl_usage** row;
    size_t count;
    size_t uops; /* of all rows together */
} ptl_rows;

/* place[k]: where port k comes in the order. Fills form (rows->uops entries): the uops of the rows one after
 * the other, with places instead of ports, ascending within a row. */
void ptl_rows_form(const ptl_rows* rows, const unsigned* place, ptl_uop* form);

/* Finds which ports of used can be exchanged two by two without changing a row: with[k] gets those of port
 * k. */
void ptl_rows_interchangeable(const ptl_rows* rows, ptl_ports used, ptl_ports* with);

#endif
