/* Z3 as an incremental SAT solver: literals are whole numbers, clauses are arrays of them.
 *
 * All that the layers above say, they say in clauses (theory of union cardinalities, docs/inference.md), so
 * this file and its sibling with arithmetic, for the reference encodings (arith.h), are all that knows Z3.
 * Building never fails on the spot: the first failure (no memory, a Z3 error) sticks and the next
 * ptl_z3_check returns it. */
#ifndef PTL_SMT_Z3_H
#define PTL_SMT_Z3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct ptl_z3 ptl_z3;

/* A boolean variable (> 0) or its negation (< 0). */
typedef int ptl_literal;
#define PTL_TRUE ((ptl_literal)1)
#define PTL_FALSE ((ptl_literal)-1)

/* Same seed, same clauses, same order: same models. PTL_NO_MEMORY, PTL_INTERNAL. */
ptl_status ptl_z3_new(ptl_z3** out, uint64_t seed, ptl_error* error);
void ptl_z3_free(ptl_z3* z);

/* A new variable; the name (as by printf) and its number are what it is called in ptl_z3_text. */
__attribute__((format(printf, 2, 3))) ptl_literal ptl_z3_variable(ptl_z3* z, const char* name, ...);

/* Asserts the disjunction of n literals. Constants are simplified away. */
void ptl_z3_clause(ptl_z3* z, const ptl_literal* literals, size_t n);
/* The same for short ones: 0 stands for "no literal". */
void ptl_z3_or(ptl_z3* z, ptl_literal a, ptl_literal b, ptl_literal c, ptl_literal d);

/* For those who build: "there is no memory", to be returned by the next check. */
void ptl_z3_give_up(ptl_z3* z);

/* Moment (ptl_now) at which every check gives up; 0: never. */
void ptl_z3_deadline(ptl_z3* z, double when);

/* Is there a model in which all assumptions hold? PTL_OK and *sat; PTL_LIMIT at the deadline; PTL_INTERRUPTED
 * within some 50 ms of ptl_interrupted() (the solver is then of no further use); or what went wrong before.
 */
ptl_status ptl_z3_check(ptl_z3* z, const ptl_literal* assumptions, size_t n, bool* sat, ptl_error* error);

/* Value in the model of the last satisfiable check (free variables are false). */
bool ptl_z3_value(const ptl_z3* z, ptl_literal l);

/* After an unsatisfiable check: those of its assumptions that already contradict. Returns how many there are
 * and writes at most max of them. */
size_t ptl_z3_core(const ptl_z3* z, ptl_literal* out, size_t max);

/* The clauses as SMT-LIB 2 text, with the assumptions in the closing check-sat; malloc'ed, NULL without
 * memory. */
char* ptl_z3_text(ptl_z3* z, const ptl_literal* assumptions, size_t n);

/* Seconds spent in checks, and how many there were. */
double ptl_z3_seconds(const ptl_z3* z);
size_t ptl_z3_checks(const ptl_z3* z);

#endif
