/* The core of a simulation: what is in flight, cycle by cycle (simulate.h). */
#ifndef PTL_PREDICT_SIM_CORE_H
#define PTL_PREDICT_SIM_CORE_H

#include "predict/sim_program.h"
#include "predict/sim_trace.h"
#include "schedule/port_choice.h"
#include "schedule/slot_parts.h"

/* A uop in the scheduler. */
typedef struct ptl_sim_entry {
    uint32_t item, uop;
    uint32_t turn; /* its iteration, round the ring */
    uint8_t port;  /* PTL_PORTS_MAX: none */
    double ready;  /* INFINITY: not known yet */
} ptl_sim_entry;

/* An instance in flight. */
typedef struct ptl_sim_instance {
    uint32_t loads, works;       /* uops that have not begun */
    uint64_t order;              /* of issue: that of the program */
    double issued;               /* the cycle */
    double last_load, last_work; /* when they began, not rounded up to whole cycles */
} ptl_sim_instance;

typedef struct ptl_sim_waiting {
    uint32_t item, turn;
    uint64_t order;
} ptl_sim_waiting;

typedef struct ptl_sim_core {
    const ptl_sim_program* program;
    const ptl_binder* binder;
    ptl_sim_trace* trace; /* NULL: none; set after ptl_sim_core_new */
    ptl_arena arena;
    unsigned port_count;
    ptl_port_counters ports;
    double now;
    /* The front end. */
    ptl_slot_parts issue;
    uint64_t parts;       /* of issue slots that the item still needs */
    double branch, begun; /* cycles between two beginnings of the loop; the last one */
    uint32_t item, uop;   /* what is issued next */
    uint32_t turn;        /* of its iteration */
    uint64_t order;       /* instances issued */
    /* The scheduler, the oldest first. */
    ptl_sim_entry* entries;
    uint32_t entry_count;
    double* free_at; /* per unit */
    /* Iterations in flight: a ring of turns. */
    uint32_t turns;
    ptl_sim_instance* instances; /* turn by turn, item by item */
    double* times;               /* of results, likewise; INFINITY: not known yet */
    uint32_t* left;              /* per turn: uops that have not begun, issued or not */
    uint32_t oldest;             /* the first turn with uops left */
    /* Instances with results that wait for nothing but inputs that are not known, in the order of issue. */
    ptl_sim_waiting* waiting;
    size_t waiting_count, waiting_capacity;
} ptl_sim_core;

/* PTL_NO_MEMORY. */
ptl_status ptl_sim_core_new(ptl_sim_core* x, const ptl_sim_program* p, const ptl_block_model* m, bool loop,
                            const ptl_binder* binder, ptl_error* error);

/* One cycle; *ended: how many iterations have executed all their uops in it. False: no memory. */
bool ptl_sim_cycle(ptl_sim_core* x, uint32_t* ended);

void ptl_sim_core_free(ptl_sim_core* x);

#endif
