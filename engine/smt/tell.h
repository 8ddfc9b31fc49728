/* findOtherMapping for schemes of several uops: another mapping that some experiment tells from a given one.
 *
 * Seen by experiments a mapping is a set of vectors, n_Q / |Q| for its sets Q of ports, n_Q(i) being the uops
 * of scheme i whose ports lie in Q: the CPI of a mixture of schemes is the largest scalar product with one of
 * them (Theorem 5.2). Two mappings can be told apart iff a vector of the one exceeds, by more than 2 epsilon
 * somewhere, every weighted mean of vectors of the other (and of 1 / R_max), which small linear programs
 * decide for two known mappings (distinguish_lp.h). For an unknown mapping we ask the solver for one of
 *
 *   A: a set Q of ports whose vector is not below any weighted mean of the given mapping's vectors that is
 * known so far, by 2 epsilon; or B: some vector v of the given mapping is not covered by what is known so far
 * to cover it.
 *
 * What the solver returns is compared with the given mapping by the programs. If no experiment tells the two
 * apart, the programs' dual values say why: weighted means of the given mapping's vectors that cover the
 * other one's (for A), and for each v the vectors of the other one that cover it (for B: one of these must
 * not be the mapping's, loose.h). This excludes every mapping for which the same proof holds, not just this
 * one, so mappings that cannot be told apart are not visited one by one. When the solver has no answer left,
 * no other mapping can be told from the given one. */
#ifndef PTL_SMT_TELL_H
#define PTL_SMT_TELL_H

#include "algebra/distinguish_lp.h"
#include "smt/confined.h"
#include "smt/loose.h"

typedef struct ptl_tell {
    ptl_columns* columns;
    const ptl_uops* uops;
    ptl_loose* loose;
    double epsilon, rmax;
    uint64_t seed;
    ptl_confined q; /* of A, for all given mappings */
    bool ready;
    /* for one given mapping */
    ptl_arena arena;
    ptl_mapping given;
    const uint32_t* rows;
    ptl_literal active, slower; /* assumed by those who ask; A */
    size_t vectors;
    ptl_ports* sets;        /* of the vectors */
    ptl_literal* uncovered; /* B of each */
} ptl_tell;

/* From now on `active` asks for a mapping other than this one, which must stay where it is until
 * ptl_tell_end. */
ptl_status ptl_tell_begin(ptl_tell* t, const uint32_t* given, ptl_error* error);

/* Does an experiment tell the solver's mapping from the given one? *found and the experiment; or constraints
 * that exclude this mapping and its like. *proved is false if it is excluded although that could not be
 * decided. */
ptl_status ptl_tell_decide(ptl_tell* t, const uint32_t* other, bool* found, bool* proved,
                           ptl_terms* experiment, ptl_error* error);

void ptl_tell_end(ptl_tell* t);

#endif
