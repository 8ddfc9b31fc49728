/* Many experiments at once, for populations of mappings (batch_mappings.h) and for whoever asks one mapping
 * about very many experiments. */
#ifndef PTL_MODEL_BATCH_H
#define PTL_MODEL_BATCH_H

#include "model/experiment.h"
#include "model/kernel.h"

/* Experiments over schemes 0 ... scheme_count - 1 of any mapping that has so many. Start from
 * PTL_BATCH_EMPTY, add, free once. */
typedef struct ptl_batch {
    size_t size;     /* experiments */
    uint32_t* start; /* of each one's terms, and the end: size + 1 entries (NULL while the batch is empty) */
    uint32_t* scheme;
    float* count;
    size_t start_capacity, term_capacity;
    uint32_t scheme_count; /* one more than the largest scheme */
} ptl_batch;

#define PTL_BATCH_EMPTY ((ptl_batch){0})

/* e in canonical form. PTL_BAD_INPUT: a count above 2^24 (floats do not hold it), or more than 2^32 terms in
 * all; PTL_NO_MEMORY. */
ptl_status ptl_batch_add(ptl_batch* b, const ptl_experiment* e, ptl_error* error);

void ptl_batch_free(ptl_batch* b);

/* Raises the cycles of each experiment to those of the unit that it keeps busy for longest. */
void ptl_batch_keep_busy(const ptl_batch* b, const ptl_mapping* m, double* cycles);

/* cycles[j]: inverse throughput of experiment j under the tree's mapping, R_max included, units not. Exact as
 * load_tree.h says. PTL_BAD_INPUT: an experiment has a scheme that the mapping lacks or does not explain;
 * PTL_UNSUPPORTED: this processor does not have the kernel. */
ptl_status ptl_batch_run(const ptl_batch* b, const ptl_load_tree* t, ptl_kernel kernel, double* cycles,
                         ptl_error* error);

#endif
