#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "predict/sim_core.h"
#include "predict/simulate.h"
#include "predict/steady.h"
#include "predict_world.h"

static double simulated(ptl_block_work* w, ptl_block_bounds* b) {
    ptl_binder binder = PTL_SIM_BINDER;
    double cycles = -1;
    assert_int_equal(ptl_simulate(w, (ptl_premises){0}, &binder, b, &cycles, NULL), PTL_OK);
    return cycles;
}

/* Iterations that the core itself ends in so many cycles, of the block that w holds with its bounds. */
static size_t ended_in(ptl_block_work* w, const world* core, unsigned cycles) {
    ptl_binder binder = PTL_SIM_BINDER;
    ptl_sim_program program;
    ptl_sim_core x;
    size_t ended = 0;
    assert_int_equal(ptl_sim_program_of(&program, &w->block, &w->critical, NULL), PTL_OK);
    assert_int_equal(ptl_sim_core_new(&x, &program, &core->model, false, &binder, NULL), PTL_OK);
    for (unsigned k = 0; k < cycles; k++) {
        uint32_t now;
        assert_true(ptl_sim_cycle(&x, &now));
        ended += now;
    }
    ptl_sim_core_free(&x);
    ptl_sim_program_free(&program);
    return ended;
}

/* The core ends no more iterations than the bounds let it, but for those of the start. */
static void test_not_below_the_bounds(void** state) {
    (void)state;
    enum { CYCLES = 1000, START = 40 };
    ptl_rng rng = ptl_rng_seed(4);
    world core;
    world_new(&core, false);
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    for (unsigned k = 0; k < 2000; k++) {
        step steps[STEPS_MAX];
        ptl_block_bounds b;
        decode_steps(&w, &core, steps, random_block(&rng, steps));
        double cycles = simulated(&w, &b);
        assert_true(cycles >= b.cycles && cycles < 100);
        assert_true(simulated(&w, &b) == cycles);
        if (!b.uops) continue; /* the front end alone counts */
        double ended = (double)ended_in(&w, &core, CYCLES);
        assert_true(ended * b.cycles <= CYCLES + START);
        assert_true((ended + 1) * cycles >= CYCLES / 2.0); /* the start is slower */
    }
    ptl_block_work_free(&w);
    world_free(&core);
}

/* Only the first instruction of every kind stays. */
static size_t without_twins(step* steps, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < kept && steps[k].op != steps[i].op) k++;
        if (k == kept) steps[kept++] = steps[i];
    }
    return kept;
}

/* Where every uop has a port of its own, it takes what the bounds say. */
static void test_nothing_interferes(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(5);
    world core;
    world_new(&core, true);
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    unsigned waits = 0;
    for (unsigned k = 0; k < 2000; k++) {
        step steps[STEPS_MAX];
        ptl_block_bounds b;
        decode_steps(&w, &core, steps, without_twins(steps, random_block(&rng, steps)));
        double cycles = simulated(&w, &b);
        assert_float_equal(cycles, b.cycles, 1e-6);
        waits += b.limit == PTL_BOUND_DEPENDENCIES;
    }
    assert_true(waits > 300);
    ptl_block_work_free(&w);
    world_free(&core);
}

static void check_example(const step* steps, size_t n, double cycles) {
    world core;
    world_new(&core, false);
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    ptl_block_bounds b;
    decode_steps(&w, &core, steps, n);
    assert_float_equal(simulated(&w, &b), cycles, 1e-6);
    ptl_block_work_free(&w);
    world_free(&core);
}

static void test_examples(void** state) {
    (void)state;
    const step chain[] = {{.op = IMUL, .a = 0, .b = 1}, {.op = IMUL, .a = 0, .b = 1}};
    check_example(chain, 2, 6);
    const step stored[] = {{.op = LOAD, .a = 0}, {.op = STORE, .a = 0}};
    check_example(stored, 2, 5);
    const step zeroed[] = {{.op = XOR, .a = 0, .b = 0}, {.op = ADC, .a = 0, .b = 0}};
    check_example(zeroed, 2, 0.5);
    const step busy[] = {
        {.op = IMUL, .a = 0, .b = 0}, {.op = IMUL, .a = 1, .b = 1}, {.op = IMUL, .a = 2, .b = 2}};
    check_example(busy, 3, 4.5); /* the unit, not the port */
}

/* Two stack moves at rename and a pop's load each: the load alone takes time, on its port. */
static void test_stack_pointer(void** state) {
    (void)state;
    static const char* const ports[] = {"0"};
    const uint8_t code[] = {0x5B, 0x5D}; /* pop rbx; pop rbp */
    ptl_mapping m;
    ptl_block_model model;
    assert_int_equal(ptl_mapping_new(&m, ports, 1, 1, 6, NULL), PTL_OK);
    ptl_uop load = {1, 1};
    assert_int_equal(ptl_mapping_add(&m, "pop r64", &load, 1, 1, NULL), PTL_OK);
    assert_int_equal(ptl_block_model_new(&model, &m, 0, NULL), PTL_OK);
    model.load_ports = 1;
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    assert_int_equal(ptl_code_block_decode(&w.block, &model, code, sizeof code, NULL), PTL_OK);
    ptl_latency list[4];
    uint32_t n = 0;
    for (unsigned i = 0; i < w.block.items[0].accesses.touch_count; i++) {
        const ptl_touch* t = &w.block.items[0].accesses.touches[i];
        uint8_t to = ptl_place_of_operand(t->operand, (ptl_operand_part)t->part);
        for (unsigned k = 0; t->writes && t->number == 4 && k < w.block.items[0].accesses.touch_count; k++) {
            const ptl_touch* from = &w.block.items[0].accesses.touches[k];
            if (!from->reads || n == 4) continue;
            uint8_t place = ptl_place_of_operand(from->operand, (ptl_operand_part)from->part);
            list[n++] = (ptl_latency){.from = place, .to = to, .cycles = 0};
        }
    }
    assert_true(n > 0);
    ptl_block_facts f = PTL_BLOCK_FACTS_NONE;
    f.latencies = list;
    f.latency_count = n;
    f.other_value = 0;
    f.other_address = 5;
    assert_int_equal(ptl_block_model_set(&model, 0, &f, NULL), PTL_OK);
    ptl_block_bounds b;
    assert_float_equal(simulated(&w, &b), 2, 1e-6);
    ptl_block_work_free(&w);
    ptl_block_model_free(&model);
    ptl_mapping_free(&m);
}

static void test_steady(void** state) {
    (void)state;
    ptl_steady s = {0};
    double cycles = 0;
    for (unsigned k = 0; k < 120; k++) assert_true(ptl_steady_add(&s, k / 3 * 4 + k % 3)); /* 1, 1, 2, ... */
    assert_true(ptl_steady_found(&s, 0, &cycles));
    assert_float_equal(cycles, 4.0 / 3, 1e-9);
    assert_false(ptl_steady_found(&s, 150, &cycles)); /* too little is behind the start */
    assert_float_equal(ptl_steady_mean(&s), 4.0 / 3, 0.03);
    ptl_steady_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_below_the_bounds),
        cmocka_unit_test(test_nothing_interferes),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_stack_pointer),
        cmocka_unit_test(test_steady),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
