/* The evolution that is the default: a few mappings, each of them a local optimum, improved (step.h) by ruin
 * and recreation and by recombination with others, one child at a time. An island is the work of one thread.
 */
#ifndef PTL_EVO_ISLAND_H
#define PTL_EVO_ISLAND_H

#include "evo/respond.h"

typedef struct ptl_evo_ways {
    size_t size;     /* mappings of an island */
    double crossing; /* share of children with two parents */
    size_t beam;     /* of ptl_evo_respond_run, for schemes that are placed anew */
    uint64_t seed;
    ptl_evo_goal goal;
} ptl_evo_ways;

typedef struct ptl_evo_island {
    const ptl_evo_problem* p;
    ptl_evo_ways ways;
    uint64_t number, steps; /* steps done; the random numbers of one depend on seed, island and step */
    size_t filled;          /* mappings there are; the first steps make them */
    ptl_evo_usage* usages;  /* ways.size times p->schemes */
    double *error, *value;  /* D_avg; D_avg + price * V */
    uint64_t* volume;
    ptl_evo_state state;
    ptl_evo_respond respond;
    size_t* list;    /* schemes */
    bool* visited;   /* per scheme, while settling */
    double deadline; /* of ptl_now, 0: none; then, and after Ctrl-C, the child at hand is given up */
    /* Schemes with uops that are known, and such that the first mapping begins with: size > 0; NULL if none.
     * Not owned. */
    const ptl_evo_usage *given, *hint;
} ptl_evo_island;

/* PTL_NO_MEMORY. */
ptl_status ptl_evo_island_new(ptl_evo_island* o, const ptl_evo_problem* p, const ptl_evo_ways* ways,
                              uint64_t number, const ptl_evo_usage* given, const ptl_evo_usage* hint,
                              ptl_error* error);
void ptl_evo_island_free(ptl_evo_island* o);

/* Tells whether it is time to end. */
bool ptl_evo_island_over(const ptl_evo_island* o);

/* Rank of the best mapping; there must be one. */
size_t ptl_evo_island_best(const ptl_evo_island* o);

const ptl_evo_usage* ptl_evo_island_at(const ptl_evo_island* o, size_t k);

/* Returns what the state's mapping is worth: D_avg + price * V. */
double ptl_evo_island_value(const ptl_evo_island* o);

/* The state's mapping, with what it is worth, becomes number k of the island. */
void ptl_evo_island_keep(ptl_evo_island* o, size_t k);

/* A mapping from elsewhere: takes a free place, or that of the worst if it is better and not there yet. */
void ptl_evo_island_admit(ptl_evo_island* o, const ptl_evo_usage* usages);

/* A mapping that was one of this island's: takes the next free place, which there must be. */
void ptl_evo_island_place(ptl_evo_island* o, const ptl_evo_usage* usages);

#endif
