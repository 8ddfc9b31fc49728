/* Experiments (Definition 3.1): multisets of instruction schemes. A scheme is its index in a mapping. */
#ifndef PTL_MODEL_EXPERIMENT_H
#define PTL_MODEL_EXPERIMENT_H

#include <stddef.h>
#include <stdint.h>

/* count instances of one scheme. */
typedef struct ptl_term {
    uint32_t scheme;
    uint32_t count;
} ptl_term;

/* Canonical form: schemes ascending, each once, every count positive. The terms belong to the caller. */
typedef struct ptl_experiment {
    ptl_term* terms;
    size_t size; /* number of distinct schemes */
} ptl_experiment;

/* Brings the terms into canonical form in place: sorts, adds up what is there twice (capped at UINT32_MAX),
 * drops zero counts. */
void ptl_experiment_canonical(ptl_experiment* e);

/* |e|: the number of instances. */
uint64_t ptl_experiment_length(const ptl_experiment* e);

/* The greatest common divisor of the counts; 0 for the empty experiment. */
uint32_t ptl_experiment_gcd(const ptl_experiment* e);

#endif
