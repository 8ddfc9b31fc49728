/* PMEvo's evolution as published (Algorithm 5.1): a population of mappings, its generations, its local
 * search. */
#ifndef PTL_EVO_POPULATION_H
#define PTL_EVO_POPULATION_H

#include "base/pool.h"
#include "evo/scale.h"
#include "evo/state.h"

#define PTL_EVO_POPULATION_BYTES_MAX ((size_t)8 << 30)

/* Slots hold 2 N mappings; the first N entries of `order` are the population, the fittest first, the others
 * are free for children. Random numbers depend on seed, generation and number of the pair: the same for any
 * number of threads. */
typedef struct ptl_evo_population {
    const ptl_evo_problem* p;
    size_t size;           /* N, even */
    ptl_evo_usage* usages; /* 2 N times p->schemes */
    double* error;         /* D_avg, per slot */
    uint64_t* volume;
    double* fitness; /* under `scale` */
    size_t* order;
    uint64_t seed, generation;
    ptl_evo_scale scale;
    ptl_evo_state* states; /* one per slice of work */
    size_t slices;
} ptl_evo_population;

/* A random population, evaluated. An odd size becomes the next even one. PTL_LIMIT: too large; PTL_NO_MEMORY.
 */
ptl_status ptl_evo_population_new(ptl_evo_population* o, const ptl_evo_problem* p, size_t size, uint64_t seed,
                                  ptl_pool* pool, ptl_error* error);
void ptl_evo_population_free(ptl_evo_population* o);

/* One generation: N children by recombination, fitness of all 2 N, the best N. */
void ptl_evo_population_step(ptl_evo_population* o, ptl_pool* pool);

/* Tells whether all mappings of the population are equally fit. */
bool ptl_evo_population_converged(const ptl_evo_population* o);

/* Local search on every mapping of the population, under the last generation's maps. */
void ptl_evo_population_polish(ptl_evo_population* o, ptl_pool* pool);

/* Evaluates the first N slots, after they were filled from elsewhere, by rank, as was `scale`. */
void ptl_evo_population_refresh(ptl_evo_population* o, ptl_pool* pool);

/* The mapping of that rank, from 0. */
const ptl_evo_usage* ptl_evo_population_at(const ptl_evo_population* o, size_t rank);

#endif
