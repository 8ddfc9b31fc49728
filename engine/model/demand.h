/* Holds what an experiment asks of the ports: its uops with their masses. By Remark 3.13 everything the model
 * says about an experiment it says about this multiset of uops. */
#ifndef PTL_MODEL_DEMAND_H
#define PTL_MODEL_DEMAND_H

#include "model/experiment.h"
#include "model/mapping.h"

/* mass uops that run on the same ports. */
typedef struct ptl_mass {
    ptl_ports ports;
    uint64_t mass;
} ptl_mass;

/* Masses with distinct port sets, ascending. Reusable: start from PTL_DEMAND_EMPTY, fill as often as you
 * like, free once. */
typedef struct ptl_demand {
    ptl_mass* uops;
    size_t size; /* k: the number of distinct uops */
    size_t capacity;
    ptl_ports ports; /* the union of the port sets */
    uint64_t mass;   /* the sum of the masses */
    uint64_t slots;  /* issue slots */
    double busy;     /* cycles of the unit that is busy for longest */
} ptl_demand;

#define PTL_DEMAND_EMPTY ((ptl_demand){0})

/* The demand of e under m. PTL_BAD_INPUT: a scheme that m does not explain, or an absurdly large experiment.
 */
ptl_status ptl_demand_fill(ptl_demand* d, const ptl_mapping* m, const ptl_experiment* e, ptl_error* error);

/* The demand of a plain list of masses, for callers without a mapping; every uop counts as one slot. */
ptl_status ptl_demand_masses(ptl_demand* d, const ptl_mass* masses, size_t count, ptl_error* error);

/* Cycles of the unit that e keeps busy for longest, whose number is *unit, unless that is NULL; 0: of none.
 */
double ptl_busy_cycles(const ptl_mapping* m, const ptl_experiment* e, uint32_t* unit);

void ptl_demand_free(ptl_demand* d);

#endif
