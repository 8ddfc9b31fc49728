/* One experiment of a batch: its variants, what was read of them, and when that is enough. */
#ifndef PTL_BENCH_GROUP_H
#define PTL_BENCH_GROUP_H

#include "base/arena.h"
#include "bench/estimate.h"
#include "bench/session.h"
#include "worker/visit.h"

typedef struct ptl_variant {
    const ptl_kernel* kernel;
    ptl_readings list[2]; /* short and long */
    ptl_estimate estimate;
    ptl_evidence evidence;
    double expected;   /* long readings that were spared */
    unsigned readings; /* long ones asked for */
    bool dropped;
    double frequency;
    double counter;                        /* of the latest visit, per experiment */
    unsigned counted;                      /* visits with counts of events */
    double (*event)[PTL_EVENT_VISITS_MAX]; /* per event and such visit, per experiment; NULL: no events */
} ptl_variant;

typedef struct ptl_group {
    ptl_variant* variants;
    unsigned count;
    unsigned visits;
    size_t event_count;
    const ptl_kernel* kernels; /* of the batch: results number them from here */
    ptl_measurement* out;      /* filled when it is done */
    ptl_variant* sought;       /* some visits to it saw a faster rate: it gets all visits; NULL: none is */
    unsigned sought_until;     /* visits */
    double rough; /* of a probe: ticks of an iteration, the fastest that was seen, quiet or not */
    bool done;
} ptl_group;

/* False: no memory. */
bool ptl_variant_open(ptl_variant* v, const ptl_kernel* k, size_t event_count, ptl_arena* a);

/* Visits wanted to a variant in the next round: as many as should bring the readings that it lacks. */
unsigned ptl_group_wants(const ptl_group* g, const ptl_variant* v);

/* Adds a visit to a variant; a quiet one, with the ticks of a cycle in it, or any other (0). */
void ptl_group_add(ptl_group* g, ptl_variant* v, const ptl_visit* visit, double ticks_per_cycle,
                   double tsc_hz, uint32_t number);

/* Finishes the group if its best variant is certain, if its code is what is unsteady, or if it had all its
 * visits. */
void ptl_group_judge(ptl_group* g, const ptl_conditions* c);

/* Finishes it with a status, and what a variant says; NULL: none. */
void ptl_group_finish(ptl_group* g, ptl_bench_status status, const ptl_variant* v);

/* Finishes it with a status, and what is known so far. */
void ptl_group_give_up(ptl_group* g, ptl_bench_status status);

#endif
