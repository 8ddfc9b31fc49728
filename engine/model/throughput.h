/* The bottleneck of one demand or experiment, by the way that is the cheapest for it: those of bottleneck.h
 * and flow.h, and the subset-sum transform with the vectors of a kernel. */
#ifndef PTL_MODEL_THROUGHPUT_H
#define PTL_MODEL_THROUGHPUT_H

#include "model/bottleneck.h"

/* PTL_NO_MEMORY. */
ptl_status ptl_bottleneck_of(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error);

/* With more ports in use, maximum flow is faster (tests/bench/model). */
#define PTL_VECTORS_PORTS_MAX 13

/* The bottleneck of an experiment, and its issue slots; straight from the mapping, without the sorted demand
 * that the other ways work on. Exact, as all of them. Errors of ptl_demand_fill. */
ptl_status ptl_query(const ptl_mapping* m, const ptl_experiment* e, ptl_bottleneck* out, uint64_t* slots,
                     ptl_error* error);

/* The same for a demand; takes the plain transform for a mass of 2^24 or more, as floats do not hold it. For
 * p of at most 20. PTL_NO_MEMORY. */
ptl_status ptl_bottleneck_by_vectors(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error);

/* The load of each port, in cycles, in the optimal solution that is also the most even one: the loads, sorted
 * descending, are lexicographically least. They sum to the mass and the largest is t. loads has PTL_PORTS_MAX
 * entries. PTL_NO_MEMORY. */
ptl_status ptl_loads(const ptl_demand* d, double* loads, ptl_error* error);

#endif
