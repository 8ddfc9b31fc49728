/* relateThroughput: the formula of Definition 4.5 that ties a port mapping, an experiment and its inverse
 * throughput t together. By Theorem 4.4 it holds for exactly one t, the optimum of the linear program. Each
 * of the three may be known or unknown.
 *
 * In the words of rows it is the formula for two-level mappings (rows are schemes), that of Figure 4.5 (rows
 * are the uops of schemes) and that of Figure 4.3 (rows are all sets of ports) at once. */
#ifndef PTL_SMT_RELATE_H
#define PTL_SMT_RELATE_H

#include "smt/arith.h"

typedef struct ptl_relation {
    size_t rows, ports;
    const ptl_formula* demand; /* of each row: how many instances of this uop the experiment has; real */
    const ptl_formula* runs; /* runs[row * ports + port]: a boolean, PTL_FORMULA_TRUE or PTL_FORMULA_FALSE */
} ptl_relation;

/* The formula. Variables of its own (shares, bottleneck ports) are new in each. */
ptl_formula ptl_relate_throughput(ptl_arith* a, const ptl_relation* r, ptl_formula t);

/* From lower <= t <= upper what the model can say at all: t is a whole number divided by one of 1 to `ports`,
 * and the fractions that bound t become the tightest such ones. This keeps the solver's numbers short, and
 * the two encodings of one mind at the bounds themselves. *num / *den; slack as in candidates/candidate.h. */
void ptl_least_cycles(double lower, size_t ports, int64_t* num, int64_t* den);
void ptl_most_cycles(double upper, size_t ports, int64_t* num, int64_t* den);

/* A fraction with a small denominator that is x up to 1e-12 (0.02: 1/50). */
void ptl_fraction(double x, int64_t* num, int64_t* den);

#endif
