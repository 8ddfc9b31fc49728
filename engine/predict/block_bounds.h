/* Computes how fast a block can run at best, in the manner of Facile (Appendix E.2): each part of the core
 * bounds it by itself, as if all others were infinitely fast, and the largest bound is the prediction. */
#ifndef PTL_PREDICT_BLOCK_BOUNDS_H
#define PTL_PREDICT_BLOCK_BOUNDS_H

#include "model/bottleneck.h"
#include "predict/critical.h"

/* In the order in which the first of equal ones is called the limit. */
typedef enum ptl_bound {
    PTL_BOUND_DEPENDENCIES, /* the largest ratio of a cycle of waits */
    PTL_BOUND_UNIT,         /* a unit that stays busy */
    PTL_BOUND_PORTS,        /* the bottleneck formula */
    PTL_BOUND_MEMORY,       /* banks and lines of the first cache */
    PTL_BOUND_FRONT_END,    /* issue slots */
    PTL_BOUND_CODE,         /* many short instructions in a line of straight code */
    PTL_BOUND_BRANCH,       /* the taken branch of a loop */
    PTL_BOUNDS              /* how many there are */
} ptl_bound;

/* The question: this block, but for one change. */
typedef struct ptl_block_change {
    ptl_premises premises;
    uint32_t without;  /* an item that is not there; PTL_NO_ITEM */
    int copied_port;   /* there is a second one that does all that this one does; -1: none */
    double more_slots; /* issue slots per cycle beside those of the mapping */
} ptl_block_change;

#define PTL_BLOCK_UNCHANGED ((ptl_block_change){.without = PTL_NO_ITEM, .copied_port = -1})

typedef struct ptl_block_bounds {
    double cycles; /* per iteration */
    ptl_bound limit;
    double of[PTL_BOUNDS];
    ptl_bottleneck bottleneck; /* of the ports */
    uint32_t unit;             /* that is busy for longest; PTL_NO_UNIT */
    uint64_t slots;
    uint64_t uops;
    uint32_t unknown;         /* items whose ports are not known: the bound does not count them */
    uint32_t lacking_latency; /* items of which a latency that matters is not known: it counts as 0 */
} ptl_block_bounds;

/* Holds what the computation needs; reusable: start from PTL_BLOCK_WORK_EMPTY. */
typedef struct ptl_block_work {
    ptl_code_block block;
    ptl_critical critical;
    ptl_demand demand;
    ptl_mass* masses;
    double* busy; /* per unit */
    size_t mass_count, mass_capacity, busy_capacity;
} ptl_block_work;

#define PTL_BLOCK_WORK_EMPTY ((ptl_block_work){0})

/* Of the block that w->block holds decoded. Afterwards w has its uses, needs, critical cycle and demand of
 * ports. PTL_NO_MEMORY. */
ptl_status ptl_block_bounds_of(ptl_block_work* w, const ptl_block_change* change, ptl_block_bounds* out,
                               ptl_error* error);

void ptl_block_work_free(ptl_block_work* w);

#endif
