/* A mapping that one thread works on: its rows and how far off each experiment is, kept up to date scheme by
 * scheme, so that a change costs the experiments of the scheme that changed. Schemes may be left out for a
 * while ("not placed"); experiments in which one of them occurs do not count then. */
#ifndef PTL_EVO_STATE_H
#define PTL_EVO_STATE_H

#include <stdbool.h>

#include "evo/evolution_kernel.h"

typedef struct ptl_evo_state {
    const ptl_evo_problem* p;
    const ptl_evo_kernel* kernel;
    ptl_evo_usage* usages;
    bool* placed;
    float* rows;  /* one per scheme, p->sets floats each */
    float* tops;  /* of the rows (evolution_kernel.h); NULL where there are few sets */
    float* share; /* per experiment: weight * |predicted - measured|, 0 if not all of it is placed */
    float* spare; /* one row, the scratch of a trial and its errors */
    float *scratch, *errors;
    const float **terms, **term_tops; /* rows and tops of an experiment */
} ptl_evo_state;

/* kernel: NULL for the best. PTL_NO_MEMORY. */
ptl_status ptl_evo_state_new(ptl_evo_state* s, const ptl_evo_problem* p, const ptl_evo_kernel* kernel,
                             ptl_error* error);
void ptl_evo_state_free(ptl_evo_state* s);

/* All schemes of a mapping, placed. */
void ptl_evo_state_load(ptl_evo_state* s, const ptl_evo_usage* usages);

/* Gives a scheme other uops, and places it. */
void ptl_evo_state_set(ptl_evo_state* s, size_t scheme, const ptl_evo_usage* usage);

/* The scheme is not placed any more. */
void ptl_evo_state_remove(ptl_evo_state* s, size_t scheme);

/* D_avg (section 5.1.3) of what is placed; the part of it that is due to experiments with that scheme. */
double ptl_evo_state_error(const ptl_evo_state* s);
double ptl_evo_state_local(const ptl_evo_state* s, size_t scheme);

/* Tells whether all schemes of an experiment, but for one, are placed. */
bool ptl_evo_state_counts(const ptl_evo_state* s, size_t experiment, size_t but);

/* D_avg of a mapping, by itself: the same numbers as load and error. */
double ptl_evo_state_evaluate(ptl_evo_state* s, const ptl_evo_usage* usages);

#endif
