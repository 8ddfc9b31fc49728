/* Conjunctive resource mappings, the model of Palmed (section 7.1): every instance of a scheme puts a load on
 * each of some abstract resources, all of them at once, and the inverse throughput of an experiment is the
 * load of the resource that gets the most,
 *
 *     t(e) = max over resources r of  sum over schemes i of e(i) * load(i, r)     cycles.
 *
 * Nothing has to be distributed, so there is nothing to optimise: this is why such a mapping is quick to
 * evaluate and to infer, and why it does not say on which port anything runs.
 *
 * A three-level mapping has an equivalent one. Write the bottleneck formula (Theorem 5.2) with a resource for
 * every set Q of ports, and load(i, Q) = (uops of i whose ports all lie in Q) / |Q|: it is the same formula.
 * Few of the sets are needed:
 *   - Unions of port sets of uops suffice (bottleneck.h).
 *   - If the uops inside Q fall into two groups without a port in common, the ratio of Q is a weighted mean
 * of the ratios of the two parts: Q is never the only maximum.
 *   - A resource on which no scheme puts more load than on some other is never the only maximum either
 * ("dominated").
 * R_max becomes one more resource, "issue", with load slots / R_max. */
#ifndef PTL_ALGEBRA_CONJUNCTIVE_H
#define PTL_ALGEBRA_CONJUNCTIVE_H

#include "model/experiment.h"
#include "model/mapping.h"

/* Holds the load that one instance puts on one resource, in cycles. */
typedef struct ptl_load {
    uint32_t resource;
    double load; /* positive */
} ptl_load;

typedef struct ptl_resource_use {
    const char* name;      /* of the scheme */
    const ptl_load* loads; /* resources ascending; none: the scheme takes no time */
    uint32_t load_count;
    bool known; /* false: not explained, cannot be predicted */
} ptl_resource_use;

typedef struct ptl_conjunctive {
    ptl_arena arena; /* owns everything below */
    size_t resource_count;
    const char** resources; /* names */
    size_t scheme_count;
    size_t scheme_capacity;
    ptl_resource_use* schemes;
} ptl_conjunctive;

/* Conversions that need more resources than this (before dominated ones are dropped) are not attempted. */
#define PTL_RESOURCES_MAX 2048
/* Loads above this are not taken for loads: sums stay finite. */
#define PTL_LOAD_MAX 1e12

/* An empty mapping with room for that many schemes. Names are copied. PTL_BAD_INPUT: more than
 * PTL_RESOURCES_MAX resources, an empty or repeated name. PTL_NO_MEMORY. */
ptl_status ptl_conjunctive_new(ptl_conjunctive* c, const char* const* resources, size_t resource_count,
                               size_t scheme_capacity, ptl_error* error);

/* Adds a scheme; loads of 0 are left out, loads = NULL: not explained. The name must be new, and a resource
 * be there once (the caller knows). PTL_BAD_INPUT: a load that is negative, above PTL_LOAD_MAX or no number.
 */
ptl_status ptl_conjunctive_add(ptl_conjunctive* c, const char* name, const ptl_load* loads, size_t count,
                               ptl_error* error);

/* The equivalent of a three-level mapping: the same schemes in the same order; resources "R015" (the ports 0,
 * 1 and 5; separated, as in "R0,10", where a port of the mapping has a longer name) from the narrowest to the
 * widest, then "issue" if there is an R_max; no dominated ones. PTL_LIMIT: more than PTL_RESOURCES_MAX
 * candidates. PTL_NO_MEMORY. */
ptl_status ptl_conjunctive_of(ptl_conjunctive* c, const ptl_mapping* m, ptl_error* error);

/* cycles: the inverse throughput, in doubles: the relative error is below 2^-52 times one more than the
 * number of different schemes. pressure: resource_count entries, the load of each resource in cycles; or
 * NULL. PTL_BAD_INPUT: a scheme that c does not explain. PTL_NO_MEMORY. */
ptl_status ptl_conjunctive_throughput(const ptl_conjunctive* c, const ptl_experiment* experiment,
                                      double* cycles, double* pressure, ptl_error* error);

void ptl_conjunctive_free(ptl_conjunctive* c);

#endif
