/* Linear and mixed-integer programs of any shape, solved by GLPK:
 *
 *     minimise (or maximise)  sum over columns of cost * x
 *     subject to              lower <= sum over the entries of a row of value * x <= upper   for every row
 *                             lower <= x <= upper, x whole where it has to be                for every column
 *
 * The same program gives the same answer on every run, whatever else the machine does, unless a limit in
 * seconds ends it. */
#ifndef PTL_MODEL_PROGRAM_H
#define PTL_MODEL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define PTL_PROGRAM_SIDE_MAX 1000000    /* rows; columns */
#define PTL_PROGRAM_ENTRIES_MAX 5000000 /* of all rows */
#define PTL_PROGRAM_VALUE_MAX 1e15      /* of costs, entries and finite bounds */

typedef struct ptl_program_column {
    double lower, upper; /* -INFINITY, INFINITY: no bound */
    double cost;
    bool whole;
} ptl_program_column;

typedef struct ptl_program_entry {
    uint32_t column;
    double value;
} ptl_program_entry;

typedef struct ptl_program_row {
    double lower, upper;
    const ptl_program_entry* entries; /* a column at most once */
    size_t count;
} ptl_program_row;

typedef struct ptl_program {
    size_t columns, rows;
    const ptl_program_column* column; /* columns of them */
    const ptl_program_row* row;       /* rows of them */
    bool maximise;
    double seconds; /* limit of the search; 0: none */
    uint64_t nodes; /* limit of branch and bound, the same on every machine; 0: none */
} ptl_program;

typedef enum ptl_program_ending {
    PTL_PROGRAM_OPTIMAL,    /* proved, up to tolerances of 1e-7 */
    PTL_PROGRAM_FEASIBLE,   /* a limit ended it: the values satisfy everything, others may be better */
    PTL_PROGRAM_INFEASIBLE, /* nothing satisfies everything */
    PTL_PROGRAM_UNBOUNDED,  /* without its whole numbers the objective has no bound */
    PTL_PROGRAM_UNDECIDED,  /* a limit ended it before there were values */
} ptl_program_ending;

typedef struct ptl_program_answer {
    ptl_program_ending ending;
    double objective; /* this and the values: of an optimal or feasible answer only */
    uint64_t nodes;   /* of branch and bound that were solved */
} ptl_program_answer;

/* values: columns of them. duals: rows of them, by how much the objective grows with the bound that holds the
 * row; only for programs without whole numbers, otherwise and if not optimal 0; or NULL. PTL_BAD_INPUT: no
 * columns, an entry of no column or a second one of the same, a bound above the other, values that are no
 * number or beyond PTL_PROGRAM_VALUE_MAX. PTL_LIMIT: too large. PTL_INTERRUPTED: by Ctrl-C. PTL_NO_MEMORY.
 * PTL_INTERNAL: GLPK failed. Safe to call from several threads; must not be called inside ptl_lp_guarded. */
ptl_status ptl_program_solve(const ptl_program* p, double* values, double* duals, ptl_program_answer* answer,
                             ptl_error* error);

#endif
