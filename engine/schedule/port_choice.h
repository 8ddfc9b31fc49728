/* Chooses which port a uop is bound to, by the counters of a binder (binder.h), for whoever simulates a
 * core. */
#ifndef PTL_SCHEDULE_PORT_CHOICE_H
#define PTL_SCHEDULE_PORT_CHOICE_H

#include "schedule/binder.h"

/* No padding: states of a simulation are compared byte by byte. */
typedef struct ptl_port_counters {
    uint32_t pending[PTL_PORTS_MAX]; /* uops bound to each port and not executed yet */
    uint32_t bound[PTL_BINDER_MEMORY_MAX + 1]
                  [PTL_PORTS_MAX];   /* uops bound: [0] in this cycle, [d] d cycles ago */
    uint32_t counter[PTL_PORTS_MAX]; /* what the binder sees */
    uint32_t random;                 /* xorshift, for ties */
    uint32_t bound_now;              /* uops bound in this cycle */
} ptl_port_counters;

/* Nothing is bound. */
void ptl_port_counters_start(ptl_port_counters* c);

/* Binds a uop to a port of its set, which is not empty. Returns the port. */
unsigned ptl_port_bind(ptl_port_counters* c, const ptl_binder* o, ptl_ports set);

/* The port executes one of its uops. */
void ptl_port_execute(ptl_port_counters* c, const ptl_binder* o, unsigned port);

/* Ends a cycle: what was bound `memory` cycles ago is forgotten, what was bound `stale` cycles ago is seen,
 * and everything else a cycle older. */
void ptl_port_age(ptl_port_counters* c, const ptl_binder* o, unsigned port_count);

#endif
