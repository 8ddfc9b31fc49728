#include "predict/sim_timeline.h"

#include "base/interrupt.h"
#include "predict/sim_core.h"

static ptl_status run(ptl_sim_core* x, ptl_error* error) {
    for (uint32_t now = 0; x->trace->left && now < PTL_SIM_TIMELINE_CYCLES_MAX; now++) {
        uint32_t ended;
        if (!ptl_sim_cycle(x, &ended)) return ptl_no_memory(error, "to simulate a block");
        if (ptl_interrupted()) return ptl_fail(error, PTL_INTERRUPTED, NULL, NULL, "interrupted");
    }
    return PTL_OK;
}

ptl_status ptl_sim_timeline(ptl_block_work* w, ptl_premises premises, const ptl_binder* binder,
                            uint32_t iterations, ptl_arena* arena, ptl_sim_trace* trace, ptl_error* error) {
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    change.premises = premises;
    ptl_block_bounds bounds;
    *trace = (ptl_sim_trace){0};
    ptl_status s = ptl_block_bounds_of(w, &change, &bounds, error);
    if (s) return s;
    ptl_sim_program program;
    s = ptl_sim_program_of(&program, &w->block, &w->critical, error);
    if (s) return s;
    ptl_sim_core core = {0};
    s = ptl_sim_core_new(&core, &program, w->block.model, w->block.is_loop, binder, error);
    if (!s) s = ptl_sim_trace_start(trace, arena, iterations, program.count, program.uop_count, error);
    for (uint32_t i = 0; !s && i < program.count; i++) trace->first_uop[i] = program.items[i].first_uop;
    if (!s) trace->first_uop[program.count] = program.uop_count;
    core.trace = trace;
    if (!s) s = run(&core, error);
    ptl_sim_core_free(&core);
    ptl_sim_program_free(&program);
    return s;
}
