/* The best uops of one scheme while all others stay as they are: a local search that looks at every port set
 * at once.
 *
 * A move takes one uop (or all of a kind) away, or nothing, and adds one, two, ... on some port set. One zeta
 * transform per experiment of the scheme gives the errors of all 2^|P| - 1 port sets (evolution_kernel.h), a
 * few hundred times cheaper than to evaluate the mappings one by one. */
#ifndef PTL_EVO_RESPOND_H
#define PTL_EVO_RESPOND_H

#include "evo/state.h"

#define PTL_EVO_NUMBERS_MAX 12

/* A search minimises this: D_avg + price * V, V in units of count * width, and the price of each uop. */
typedef struct ptl_evo_goal {
    double price;
    uint32_t uops_most; /* distinct uops of a scheme, at most PTL_EVO_UOPS_MAX */
    const uint32_t*
        totals;  /* per scheme: its number of uops, 0 where it is not known; NULL: nowhere. Not owned */
    double fine; /* for every uop more or less than that, in D_avg */
    double uop;  /* price of a uop, whatever its ports */
} ptl_evo_goal;

/* The price and the fine of all schemes' uops. */
double ptl_evo_goal_costs(const ptl_evo_goal* g, const ptl_evo_usage* usages, size_t schemes);

/* Memory and the setting of one search. */
typedef struct ptl_evo_respond {
    ptl_evo_state* s;
    const ptl_evo_goal* goal;
    ptl_rng* r;
    size_t scheme;
    uint32_t* active; /* experiments of the scheme whose other schemes are placed */
    size_t active_count;
    float* jitter; /* per port set: decides among equally good ones */
    uint32_t numbers[PTL_EVO_NUMBERS_MAX];
    size_t number_count; /* how many of a uop are tried */
    uint64_t trials;     /* so far; each is of 2^|P| - 1 mappings */
} ptl_evo_respond;

/* PTL_NO_MEMORY. */
ptl_status ptl_evo_respond_new(ptl_evo_respond* q, ptl_evo_state* s, ptl_error* error);
void ptl_evo_respond_free(ptl_evo_respond* q);

/* Places the scheme, or changes it if that is better by more than rounding. Searches from the scheme's
 * present uops, if it is placed, and from the `beam` best single kinds of uop. Returns whether anything
 * changed. */
bool ptl_evo_respond_run(ptl_evo_respond* q, size_t scheme, const ptl_evo_goal* goal, size_t beam,
                         ptl_rng* r);

#endif
