/* One batch of experiments under many mappings, on many threads. */
#ifndef PTL_MODEL_BATCH_MAPPINGS_H
#define PTL_MODEL_BATCH_MAPPINGS_H

#include "base/pool.h"
#include "model/batch.h"

/* A callback that gets the inverse throughputs of the batch under mapping i; cycles has batch->size entries
 * and is valid during the call. Runs on any thread, for different i at the same time. */
typedef void ptl_batch_mappings_visit(void* context, size_t i, const double* cycles);

/* Every thread works with load vectors of its own, and a mapping is the work of one thread: the numbers are
 * the same bits for any number of threads. The first failure by index of the mapping is the one reported
 * ("mapping I: ...", from 1); errors of ptl_port_sets_unions, ptl_load_tree_fill and ptl_batch_run. */
ptl_status ptl_batch_mappings_run(ptl_pool* pool, const ptl_mapping* const* mappings, size_t count,
                                  const ptl_batch* batch, ptl_kernel kernel, ptl_batch_mappings_visit* visit,
                                  void* context, ptl_error* error);

#endif
