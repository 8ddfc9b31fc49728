/* One Z3 context with one solver: how it is set up, asked and taken down. What z3.h and arith.h share.
 *
 * Building never fails on the spot: the first failure (no memory, a Z3 error) sticks, and the next check
 * returns it. */
#ifndef PTL_SMT_SOLVER_H
#define PTL_SMT_SOLVER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <z3.h>

#include "base/error.h"

typedef struct ptl_solver {
    Z3_context context;
    Z3_solver solver;
    Z3_model model;     /* of the last check, if it was satisfiable */
    Z3_ast_vector core; /* of the last check, if it was not */
    double deadline;    /* moment (ptl_now) at which every check gives up; 0: never */
    double seconds;     /* in checks */
    size_t checks;
    ptl_error failure; /* the first one; status PTL_OK as long as all is well */
} ptl_solver;

/* logic: NULL for Z3's incremental core as it is, without the tactics that its default solver tries first.
 * False: failure says why; close it all the same. */
bool ptl_solver_open(ptl_solver* s, const char* logic, uint64_t seed);

/* Z3 ran out of memory: what it has made may be half-made, and giving any of it back crashes (Z3 4.8.12). It
 * stays allocated. */
bool ptl_solver_is_lost(const ptl_solver* s);
void ptl_solver_close(ptl_solver* s);

/* For those whose set-up failed: the reason. */
ptl_status ptl_solver_failure(const ptl_solver* s, ptl_error* error);

void ptl_solver_stick(ptl_solver* s, ptl_status status, const char* what);

/* Has everything gone well so far, the last call of Z3 included? */
bool ptl_solver_well(ptl_solver* s);

/* Is there a model in which all assumptions hold? PTL_OK and *sat; PTL_LIMIT at the deadline, or if Z3 can't
 * tell; PTL_INTERRUPTED within some 50 ms of ptl_interrupted() (the solver is then of no further use); or
 * what went wrong before. */
ptl_status ptl_solver_check(ptl_solver* s, const Z3_ast* assumptions, unsigned n, bool* sat,
                            ptl_error* error);
void ptl_solver_drop_answer(ptl_solver* s);

/* One of the assumptions that contradict, according to the last check? */
bool ptl_solver_in_core(const ptl_solver* s, Z3_ast assumption);

/* A text for a symbol: what printf makes of it, cut, and a number that makes it new. Z3 takes equal names for
 * the same variable. */
#define PTL_SYMBOL_SIZE 64
__attribute__((format(printf, 3, 0))) void ptl_solver_symbol(char text[PTL_SYMBOL_SIZE], uint64_t number,
                                                             const char* format, va_list arguments);

#endif
