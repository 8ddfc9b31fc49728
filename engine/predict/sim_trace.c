#include "predict/sim_trace.h"

ptl_status ptl_sim_trace_start(ptl_sim_trace* t, ptl_arena* arena, uint32_t iterations, uint32_t items,
                               uint32_t uop_count, ptl_error* error) {
    *t = (ptl_sim_trace){.iterations = iterations, .items = items, .uop_count = uop_count};
    t->left = (uint64_t)iterations * items;
    t->rows = ptl_arena_array(arena, (size_t)iterations * items + 1, sizeof *t->rows);
    t->uops = ptl_arena_array(arena, (size_t)iterations * uop_count + 1, sizeof *t->uops);
    t->first_uop = ptl_arena_array(arena, items + (size_t)1, sizeof *t->first_uop);
    if (!t->rows || !t->uops || !t->first_uop) return ptl_no_memory(error, "to trace a simulation");
    return PTL_OK;
}

void ptl_sim_trace_begin(ptl_sim_trace* t, uint64_t order, uint32_t uop, uint32_t cycle, uint8_t port) {
    if (!ptl_sim_trace_row_of(t, order)) return;
    t->uops[order / t->items * t->uop_count + uop] =
        (ptl_sim_trace_uop){.cycle = cycle, .port = port, .begun = true};
}

void ptl_sim_trace_end(ptl_sim_trace* t, uint64_t order, double done) {
    ptl_sim_trace_row* row = ptl_sim_trace_row_of(t, order);
    if (!row || row->ended) return;
    row->done = done;
    row->ended = true;
    t->left--;
}
