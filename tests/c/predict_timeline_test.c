/* The first iterations of a block: what is issued, begins and is done when. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "predict/sim_timeline.h"
#include "predict/simulate.h"
#include "predict_world.h"

enum { ITERATIONS = 8, CYCLES = 4096 };

static void traced(ptl_block_work* w, ptl_arena* arena, ptl_sim_trace* t) {
    ptl_binder binder = PTL_SIM_BINDER;
    assert_int_equal(ptl_sim_timeline(w, (ptl_premises){0}, &binder, ITERATIONS, arena, t, NULL), PTL_OK);
    assert_int_equal(t->items, w->block.count);
    assert_int_equal(t->left, 0);
}

/* Its uops begin after it is issued, one a cycle on each port, and all is done after that. */
static void check_row(const ptl_sim_trace* t, uint32_t k, uint64_t* used) {
    const ptl_sim_trace_row* row = &t->rows[k];
    uint32_t item = k % t->items;
    assert_true(row->ended && row->done >= row->issued);
    for (uint32_t u = t->first_uop[item]; u < t->first_uop[item + 1]; u++) {
        const ptl_sim_trace_uop* uop = &t->uops[(size_t)(k / t->items) * t->uop_count + u];
        assert_true(uop->begun && uop->cycle >= row->issued && uop->cycle < CYCLES);
        if (uop->port == PTL_PORTS_MAX) continue;
        assert_false(used[uop->cycle] >> uop->port & 1);
        used[uop->cycle] |= UINT64_C(1) << uop->port;
    }
}

static void test_rows_are_possible(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(8);
    world core;
    world_new(&core, false);
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    for (unsigned k = 0; k < 500; k++) {
        step steps[STEPS_MAX];
        decode_steps(&w, &core, steps, random_block(&rng, steps));
        ptl_arena arena = PTL_ARENA_EMPTY;
        ptl_sim_trace t;
        uint64_t used[CYCLES] = {0};
        unsigned issued[CYCLES] = {0};
        traced(&w, &arena, &t);
        for (uint32_t i = 0; i < t.iterations * t.items; i++) {
            check_row(&t, i, used);
            assert_true(i == 0 || t.rows[i].issued >= t.rows[i - 1].issued);
            assert_true(++issued[t.rows[i].issued] <= SLOTS);
        }
        ptl_arena_release(&arena);
    }
    ptl_block_work_free(&w);
    world_free(&core);
}

/* A chain of multiplications: each begins when the one before is done. */
static void test_chain(void** state) {
    (void)state;
    const step chain[] = {{.op = IMUL, .a = 0, .b = 1}, {.op = IMUL, .a = 0, .b = 1}};
    world core;
    world_new(&core, false);
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_sim_trace t;
    decode_steps(&w, &core, chain, 2);
    traced(&w, &arena, &t);
    for (uint32_t k = 0; k < 2 * ITERATIONS; k++) {
        assert_int_equal(t.uops[k].cycle, 3 * k);
        assert_float_equal(t.rows[k].done, 3 * k + 3, 1e-9);
        assert_int_equal(t.uops[k].port, 1);
    }
    ptl_arena_release(&arena);
    ptl_block_work_free(&w);
    world_free(&core);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_possible),
        cmocka_unit_test(test_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
