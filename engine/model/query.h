/* One experiment, fast: the subset-sum transform of bottleneck.h with the vectors of a kernel. */
#ifndef PTL_MODEL_QUERY_H
#define PTL_MODEL_QUERY_H

#include "model/bottleneck.h"

/* With more ports in use, maximum flow is faster (tests/bench/model). */
#define PTL_VECTORS_PORTS_MAX 13

/* The bottleneck of an experiment, and its issue slots; straight from the mapping, without the sorted demand
 * that the other ways work on. Exact, as all of them. Errors of ptl_demand_fill. */
ptl_status ptl_query(const ptl_mapping* m, const ptl_experiment* e, ptl_bottleneck* out, uint64_t* slots,
                     ptl_error* error);

/* The same for a demand; takes the plain transform for a mass of 2^24 or more, as floats do not hold it. For
 * p of at most 20. PTL_NO_MEMORY. */
ptl_status ptl_bottleneck_by_vectors(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error);

#endif
