/* findMapping and findOtherMapping as the dissertation poses them (sections 4.2.3, 4.3 and 4.4): formulas
 * over booleans, whole numbers and reals, with the experiment that tells two mappings apart among the
 * unknowns.
 *
 * Slow, and so not what inference uses by itself (search.h), but it follows the text: a reference for every
 * faster form. The symmetric reading only. One solver with a stack: observations stay, the question about one
 * given mapping is pushed and popped. */
#ifndef PTL_SMT_LIRA_H
#define PTL_SMT_LIRA_H

#include "smt/unknown.h"

typedef struct ptl_lira ptl_lira;

typedef struct ptl_lira_options {
    ptl_unknown_options mapping;
    double epsilon; /* CPI: resolution of the measurements */
    double rmax;    /* instructions per cycle, 0: no such limit */
    uint64_t seed;
} ptl_lira_options;

/* PTL_BAD_INPUT for sizes out of range; PTL_NO_MEMORY, PTL_INTERNAL. */
ptl_status ptl_lira_new(ptl_lira** out, const ptl_lira_options* options, ptl_error* error);
void ptl_lira_free(ptl_lira* s);

/* Moment (ptl_now) at which all queries give up with PTL_LIMIT; 0: never. */
void ptl_lira_deadline(ptl_lira* s, double when);

/* Adds an observation. PTL_BAD_INPUT for too many or unknown schemes, or bounds at a price. */
ptl_status ptl_lira_observe(ptl_lira* s, const ptl_terms* terms, const ptl_bounds* bounds, ptl_error* error);

/* From now on the rows have the given ports, 0 where they are unknown. PTL_BAD_INPUT: a port that there is
 * not, or the free form. */
ptl_status ptl_lira_fix(ptl_lira* s, const uint32_t* rows, ptl_error* error);

/* From now on some uop of the scheme has the ports of one of the single-uop schemes in `among` (section
 * 6.3.4). PTL_BAD_INPUT: there is none with a single uop, or the free form. */
ptl_status ptl_lira_same(ptl_lira* s, size_t scheme, uint64_t among, ptl_error* error);

/* findMapping. *found is false if no mapping admits all observations. Also PTL_LIMIT, PTL_INTERRUPTED, as all
 * queries; the free form may end with PTL_LIMIT as its arithmetic is undecidable. */
ptl_status ptl_lira_mapping(ptl_lira* s, bool* found, ptl_known* mapping, ptl_error* error);

/* findOtherMapping: another mapping that admits all observations and an experiment of at most max_length
 * instructions (0: any number) that tells it from the given one by more than 2 epsilon CPI. *found is false
 * if there is none. */
ptl_status ptl_lira_other(ptl_lira* s, const ptl_known* mapping, size_t max_length, bool* found,
                          ptl_known* other, ptl_terms* experiment, ptl_error* error);

/* A minimal set of observations (in the order they were added, from 0) that no mapping admits, from the
 * solver's unsatisfiable core by deletion: writes their indices to `which` (room for all observations) and
 * their number to *n; 0 if they do not contradict. */
ptl_status ptl_lira_conflict(const ptl_lira* s, size_t* which, size_t* n, ptl_error* error);

/* The question that ptl_lira_other asks (mapping NULL: ptl_lira_mapping), as SMT-LIB 2 text; malloc'ed. NULL
 * without memory. */
char* ptl_lira_text(ptl_lira* s, const ptl_known* mapping, size_t max_length);

/* A known mapping's inverse throughput, the front end's limit included. PTL_NO_MEMORY. */
ptl_status ptl_lira_cycles(const ptl_lira* s, const ptl_known* mapping, const ptl_terms* terms,
                           double* cycles, ptl_error* error);

const ptl_unknown* ptl_lira_unknown(const ptl_lira* s);
size_t ptl_lira_observations(const ptl_lira* s);
double ptl_lira_seconds(const ptl_lira* s); /* in the solver */
size_t ptl_lira_checks(const ptl_lira* s);

#endif
