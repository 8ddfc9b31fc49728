#include "predict/simulate.h"

#include <math.h>

#include "base/interrupt.h"
#include "predict/sim_core.h"
#include "predict/steady.h"

enum {
    WARM = 250,          /* cycles until a scheduler is full of what cannot run yet: not counted */
    CYCLES = 3000,       /* after so many, and enough iterations, the mean will do */
    ITERATIONS = 48,     /* are enough: what is at their ends counts 2% at most */
    LOOK = 32,           /* cycles between two looks for a pattern */
    CYCLES_MAX = 1 << 20 /* of blocks whose iterations take thousands of cycles */
};

static ptl_status run(ptl_sim_core* x, double* cycles, ptl_error* error) {
    ptl_steady steady = {0};
    ptl_status s = PTL_OK;
    bool found = false;
    uint32_t now = 0;
    while (!s && !found && now < CYCLES_MAX && (now < WARM + CYCLES || steady.count < ITERATIONS)) {
        uint32_t ended = 0;
        if (!ptl_sim_cycle(x, &ended)) s = ptl_no_memory(error, "to simulate a block");
        now++;
        for (; !s && ended > 0; ended--)
            if (!ptl_steady_add(&steady, now)) s = ptl_no_memory(error, "to simulate a block");
        if (now % LOOK) continue;
        found = ptl_steady_found(&steady, WARM, cycles);
        if (!s && ptl_interrupted()) s = ptl_fail(error, PTL_INTERRUPTED, NULL, NULL, "interrupted");
    }
    if (!found) *cycles = ptl_steady_mean(&steady);
    ptl_steady_free(&steady);
    return s;
}

ptl_status ptl_simulate(ptl_block_work* w, ptl_premises premises, const ptl_binder* binder,
                        ptl_block_bounds* bounds, double* cycles, ptl_error* error) {
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    change.premises = premises;
    ptl_status s = ptl_block_bounds_of(w, &change, bounds, error);
    if (s) return s;
    *cycles = bounds->cycles;
    ptl_sim_program program;
    s = ptl_sim_program_of(&program, &w->block, &w->critical, error);
    if (s) return s;
    ptl_sim_core core = {0};
    double simulated = 0;
    if (program.uop_count) { /* else the front end alone counts */
        s = ptl_sim_core_new(&core, &program, w->block.model, w->block.is_loop, binder, error);
        if (!s) s = run(&core, &simulated, error);
    }
    *cycles = fmax(*cycles, simulated);
    ptl_sim_core_free(&core);
    ptl_sim_program_free(&program);
    return s;
}
