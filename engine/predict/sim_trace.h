/* Records what a simulation does with the first iterations of a block: when each instance is issued, when its
 * uops begin and on which ports, when its results are there. The core fills it in (sim_core.h). */
#ifndef PTL_PREDICT_SIM_TRACE_H
#define PTL_PREDICT_SIM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* A uop of an instance. */
typedef struct ptl_sim_trace_uop {
    uint32_t cycle; /* in which it begins */
    uint8_t port;   /* PTL_PORTS_MAX: none, it keeps a unit busy */
    bool begun;
} ptl_sim_trace_uop;

/* An instance of an item. */
typedef struct ptl_sim_trace_row {
    uint32_t issued; /* the cycle of its last issue slot */
    double done;     /* the cycle from which all its results are there; that of issue if it has none */
    bool ended;      /* `done` is known, and all its uops have begun */
} ptl_sim_trace_row;

typedef struct ptl_sim_trace {
    uint32_t iterations, items, uop_count; /* the last two of one iteration */
    uint32_t* first_uop;                   /* per item, and one after the last */
    ptl_sim_trace_row* rows;               /* iteration by iteration, item by item */
    ptl_sim_trace_uop* uops;               /* likewise, uop by uop */
    uint64_t left;                         /* rows that have not ended */
} ptl_sim_trace;

/* An empty one, whose lists are the arena's. PTL_NO_MEMORY. */
ptl_status ptl_sim_trace_start(ptl_sim_trace* t, ptl_arena* arena, uint32_t iterations, uint32_t items,
                               uint32_t uop_count, ptl_error* error);

/* The instance with this number in the order of issue, from 0; NULL if it is of a later iteration, or there
 * is no trace. */
static inline ptl_sim_trace_row* ptl_sim_trace_row_of(const ptl_sim_trace* t, uint64_t order) {
    return t && order < (uint64_t)t->iterations * t->items ? &t->rows[order] : NULL;
}

/* Notes that a uop of the instance begins. */
void ptl_sim_trace_begin(ptl_sim_trace* t, uint64_t order, uint32_t uop, uint32_t cycle, uint8_t port);

/* Notes that all results of the instance are there from `done` on. */
void ptl_sim_trace_end(ptl_sim_trace* t, uint64_t order, double done);

#endif
