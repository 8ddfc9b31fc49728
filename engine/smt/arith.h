/* Z3 as an incremental solver of formulas over booleans, whole numbers and reals: what the dissertation's own
 * encodings need (lira.h). z3.h is its sibling for plain clauses; both share solver.h.
 *
 * Terms are numbers, valid until the ptl_arith_release to a mark taken before they were made; what has been
 * asserted stays. Building never fails on the spot: the first failure (no memory, a Z3 error) sticks and the
 * next ptl_arith_check returns it. */
#ifndef PTL_SMT_ARITH_H
#define PTL_SMT_ARITH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct ptl_arith ptl_arith;
typedef unsigned ptl_formula;
#define PTL_FORMULA_FALSE ((ptl_formula)0)
#define PTL_FORMULA_TRUE ((ptl_formula)1)

/* Same seed, same formulas, same order: same models. PTL_NO_MEMORY, PTL_INTERNAL. */
ptl_status ptl_arith_new(ptl_arith** out, uint64_t seed, ptl_error* error);
void ptl_arith_free(ptl_arith* a);

/* A new variable each time; the name (as by printf) and a number are what it is called in ptl_arith_text. */
typedef enum ptl_sort { PTL_BOOLEAN, PTL_WHOLE, PTL_REAL, PTL_SORTS } ptl_sort;
__attribute__((format(printf, 3, 4))) ptl_formula ptl_arith_variable(ptl_arith* a, ptl_sort sort,
                                                                     const char* name, ...);
/* The number n / d. */
ptl_formula ptl_arith_whole(ptl_arith* a, int64_t n);
ptl_formula ptl_arith_ratio(ptl_arith* a, int64_t n, int64_t d);
/* A whole number as a real. */
ptl_formula ptl_arith_real(ptl_arith* a, ptl_formula whole);

ptl_formula ptl_arith_not(ptl_arith* a, ptl_formula x);
ptl_formula ptl_arith_and(ptl_arith* a, const ptl_formula* x, size_t n); /* none: true */
ptl_formula ptl_arith_or(ptl_arith* a, const ptl_formula* x, size_t n);  /* none: false */
ptl_formula ptl_arith_implies(ptl_arith* a, ptl_formula x, ptl_formula y);
ptl_formula ptl_arith_iff(ptl_arith* a, ptl_formula x, ptl_formula y);
ptl_formula ptl_arith_if(ptl_arith* a, ptl_formula condition, ptl_formula x, ptl_formula y);
/* Exactly k of n booleans. */
ptl_formula ptl_arith_exactly(ptl_arith* a, const ptl_formula* x, size_t n, unsigned k);

/* Both sides of one sort. */
ptl_formula ptl_arith_sum(ptl_arith* a, const ptl_formula* x, size_t n); /* n > 0 */
ptl_formula ptl_arith_product(ptl_arith* a, ptl_formula x, ptl_formula y);
ptl_formula ptl_arith_equal(ptl_arith* a, ptl_formula x, ptl_formula y);
ptl_formula ptl_arith_at_most(ptl_arith* a, ptl_formula x, ptl_formula y);
ptl_formula ptl_arith_below(ptl_arith* a, ptl_formula x, ptl_formula y);

size_t ptl_arith_mark(const ptl_arith* a);
void ptl_arith_release(ptl_arith* a, size_t mark);

/* Asserts a formula; what is asserted after a push is forgotten with its pop. */
void ptl_arith_assert(ptl_arith* a, ptl_formula formula);
void ptl_arith_push(ptl_arith* a);
void ptl_arith_pop(ptl_arith* a);

/* For those who build: "there is no memory", to be returned by the next check. */
void ptl_arith_give_up(ptl_arith* a);

/* Moment (ptl_now) at which every check gives up; 0: never. */
void ptl_arith_deadline(ptl_arith* a, double when);

/* Is there a model in which all assumptions (boolean variables) hold? PTL_OK and *sat; PTL_LIMIT at the
 * deadline, or where the solver can't tell (products of variables); PTL_INTERRUPTED soon after
 * ptl_interrupted(); or what went wrong before. */
ptl_status ptl_arith_check(ptl_arith* a, const ptl_formula* assumptions, size_t n, bool* sat,
                           ptl_error* error);

/* Values in the model of the last satisfiable check (unconstrained booleans are false, numbers 0). A number
 * beyond 64 bits comes out as -1, as whole numbers here are counts. */
bool ptl_arith_holds(const ptl_arith* a, ptl_formula boolean);
int64_t ptl_arith_number(const ptl_arith* a, ptl_formula whole);

/* After an unsatisfiable check: is this assumption part of the contradiction? */
bool ptl_arith_in_core(const ptl_arith* a, ptl_formula assumption);

/* All that is asserted as SMT-LIB 2 text, closed by (check-sat); malloc'ed, NULL without memory. */
char* ptl_arith_text(ptl_arith* a);

/* Seconds spent in checks, and how many there were. */
double ptl_arith_seconds(const ptl_arith* a);
size_t ptl_arith_checks(const ptl_arith* a);

#endif
