/* Finds what dependencies bound: the cycle of a loop's waits that takes longest.
 *
 * A node is a result of an item that some item waits for: its place. If item b needs, at its place i, the
 * result r of item a, each result o of b that is waited for comes latency(b, i -> o) cycles after r. The
 * bound is the largest ratio of cycles to iterations round a cycle (schedule/cycle_ratio.h). */
#ifndef PTL_PREDICT_CRITICAL_H
#define PTL_PREDICT_CRITICAL_H

#include "predict/code_block.h"
#include "schedule/cycle_ratio.h"

/* A result that is waited for. */
typedef struct ptl_result {
    uint32_t item;
    uint32_t next; /* the next one of the same item; PTL_NO_ITEM */
    uint8_t place;
    bool renamed; /* of a store: as a load gets it that waits for no address, as memory is renamed */
} ptl_result;

/* One edge: the need that it comes from, and the latency of the item that waits. */
typedef struct ptl_critical_step {
    uint32_t need; /* in block->needs */
    uint8_t to;    /* place of the result */
    double latency;
} ptl_critical_step;

/* Reusable: start from PTL_CRITICAL_EMPTY. */
typedef struct ptl_critical {
    double cycles; /* per iteration; 0: no iteration waits for another */
    ptl_critical_step* steps;
    size_t step_count;
    ptl_result* results; /* of all items */
    uint32_t result_count;
    uint32_t* first;   /* per item: its first result; PTL_NO_ITEM */
    uint32_t* of_need; /* per need: the result */
    ptl_wait* edges;
    ptl_critical_step* origin; /* of edges */
    size_t edge_count;
    size_t* cycle;
    size_t step_capacity, result_capacity, first_capacity, of_need_capacity, edge_capacity, origin_capacity,
        cycle_capacity;
} ptl_critical;

#define PTL_CRITICAL_EMPTY ((ptl_critical){0})

/* Cycles from what a need brings to a result of the item that waits; negative: not known. *waits: false if it
 * does not. Latencies of memory are those of cores that may rename it; where they do not (memory_facts.h),
 * they have to look the address up, which takes as long as a load does. */
double ptl_need_latency(const ptl_code_block* b, const ptl_need* n, const ptl_result* to, bool* waits);

/* Lists results and edges of a linked block, and notes items that lack latencies. PTL_NO_MEMORY. */
ptl_status ptl_critical_graph(ptl_critical* c, ptl_code_block* b, ptl_error* error);

/* The same, and cycles and steps. PTL_LIMIT: too many dependencies. */
ptl_status ptl_critical_of(ptl_critical* c, ptl_code_block* b, ptl_error* error);

void ptl_critical_free(ptl_critical* c);

#endif
