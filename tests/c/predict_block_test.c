#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "predict_world.h"

static ptl_block_bounds bounds_of(ptl_block_work* w) {
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    ptl_block_bounds b;
    assert_int_equal(ptl_block_bounds_of(w, &change, &b, NULL), PTL_OK);
    return b;
}

static void test_random_blocks(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(1);
    world core;
    world_new(&core, false);
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    unsigned waits = 0;
    for (unsigned k = 0; k < 2000; k++) {
        step steps[STEPS_MAX];
        size_t n = random_block(&rng, steps), multiplies = 0;
        for (size_t i = 0; i < n; i++) multiplies += steps[i].op == IMUL;
        decode_steps(&w, &core, steps, n);
        ptl_block_bounds b = bounds_of(&w);
        double dependencies = unrolled(steps, n);
        assert_float_equal(b.of[PTL_BOUND_DEPENDENCIES], dependencies, 0.03);
        assert_float_equal(b.of[PTL_BOUND_PORTS], most_loaded_ports(steps, n), 1e-9);
        assert_float_equal(b.of[PTL_BOUND_UNIT], (double)multiplies * imul_busy, 1e-9);
        assert_float_equal(b.of[PTL_BOUND_FRONT_END], (double)n / SLOTS, 1e-9);
        double most = 0;
        for (unsigned p = 0; p < PTL_BOUNDS; p++) most = fmax(most, b.of[p]);
        assert_true(b.cycles == most);
        assert_true(b.cycles == b.of[b.limit]);
        assert_int_equal(b.unknown + b.lacking_latency, 0);
        waits += dependencies > 0;
    }
    assert_true(waits > 500);
    ptl_block_work_free(&w);
    world_free(&core);
}

/* The cycle that is named has the cycles that are stated. */
static void test_critical_cycle(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(2);
    world core;
    world_new(&core, false);
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    for (unsigned k = 0; k < 2000; k++) {
        step steps[STEPS_MAX];
        decode_steps(&w, &core, steps, random_block(&rng, steps));
        ptl_block_bounds b = bounds_of(&w);
        double latency = 0, distance = 0;
        for (size_t i = 0; i < w.critical.step_count; i++) {
            const ptl_critical_step* s = &w.critical.steps[i];
            const ptl_critical_step* next = &w.critical.steps[(i + 1) % w.critical.step_count];
            latency += s->latency;
            distance += w.block.needs[s->need].distance;
            assert_int_equal(w.block.needs[next->need].from, w.block.needs[s->need].to);
            assert_int_equal(w.block.needs[next->need].out, s->to);
        }
        if (w.critical.step_count)
            assert_float_equal(latency / distance, b.of[PTL_BOUND_DEPENDENCIES], 1e-9);
        else
            assert_true(b.of[PTL_BOUND_DEPENDENCIES] == 0);
    }
    ptl_block_work_free(&w);
    world_free(&core);
}

static double dependencies_of(const step* steps, size_t n) {
    world core;
    world_new(&core, false);
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    decode_steps(&w, &core, steps, n);
    double cycles = bounds_of(&w).of[PTL_BOUND_DEPENDENCIES];
    ptl_block_work_free(&w);
    world_free(&core);
    return cycles;
}

static void test_examples(void** state) {
    (void)state;
    const step chain[] = {{.op = IMUL, .a = 0, .b = 1}, {.op = IMUL, .a = 0, .b = 1}};
    assert_float_equal(dependencies_of(chain, 2), 6, 1e-9);
    const step apart[] = {{.op = IMUL, .a = 0, .b = 2}, {.op = IMUL, .a = 1, .b = 2}};
    assert_float_equal(dependencies_of(apart, 2), 3, 1e-9);
    const step carries[] = {{.op = ADC, .a = 0, .b = 2}, {.op = ADC, .a = 1, .b = 2}};
    assert_float_equal(dependencies_of(carries, 2), 2, 1e-9); /* 1 cycle each through the flag */
    const step zeroed[] = {{.op = XOR, .a = 0, .b = 0}, {.op = IMUL, .a = 0, .b = 0}};
    assert_float_equal(dependencies_of(zeroed, 2), 0, 1e-9);
    const step stored[] = {{.op = LOAD, .a = 0}, {.op = STORE, .a = 0}};
    assert_float_equal(dependencies_of(stored, 2), 5, 1e-9);
    const step elsewhere[] = {{.op = LOAD, .a = 0}, {.op = STORE, .a = 0, .word = 1}};
    assert_float_equal(dependencies_of(elsewhere, 2), 0, 1e-9);
    const step moved[] = {{.op = MOV, .a = 1, .b = 0}, {.op = IMUL, .a = 0, .b = 1}};
    assert_float_equal(dependencies_of(moved, 2), 3, 1e-9);
}

static ptl_block_bounds bounds_of_code(const ptl_block_model* m, const uint8_t* code, size_t size,
                                       const ptl_block_change* change) {
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    ptl_block_bounds b;
    assert_int_equal(ptl_code_block_decode(&w.block, m, code, size, NULL), PTL_OK);
    assert_int_equal(ptl_block_bounds_of(&w, change, &b, NULL), PTL_OK);
    ptl_block_work_free(&w);
    return b;
}

/* A store is read again one iteration later, through a register that moved on: mov [rsi], rax; mov rax,
 * [rsi-8]; add rsi, rcx with rcx unknown is another place, with add rsi, 8 the same. */
static void test_moving_address(void** state) {
    (void)state;
    static const char* const ports[] = {"0"};
    static const char* const names[] = {"mov m64, r64", "mov r64, m64", "add r64, imm8", "add r64, r64"};
    ptl_mapping m;
    ptl_block_model model;
    assert_int_equal(ptl_mapping_new(&m, ports, 1, 4, 0, NULL), PTL_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(ptl_mapping_add(&m, names[i], NULL, 0, 1, NULL), PTL_OK);
    assert_int_equal(ptl_block_model_new(&model, &m, 0, NULL), PTL_OK);
    for (unsigned i = 0; i < 4; i++) {
        ptl_block_facts f = PTL_BLOCK_FACTS_NONE;
        f.other_value = i < 2 ? 2 : 1;
        f.other_address = 7;
        assert_int_equal(ptl_block_model_set(&model, i, &f, NULL), PTL_OK);
    }
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    const uint8_t number[] = {0x48, 0x89, 0x06, 0x48, 0x8B, 0x46, 0xF8, 0x48, 0x83, 0xC6, 0x08};
    /* value of the store 2, and the load looks the address up: 7; round in two iterations */
    assert_float_equal(bounds_of_code(&model, number, sizeof number, &change).cycles, 4.5, 1e-9);
    const uint8_t unknown[] = {0x48, 0x89, 0x06, 0x48, 0x8B, 0x46, 0xF8, 0x48, 0x01, 0xCE};
    assert_float_equal(bounds_of_code(&model, unknown, sizeof unknown, &change).cycles, 1, 1e-9);
    change.premises.aliasing = PTL_ALIAS_NO;
    assert_float_equal(bounds_of_code(&model, number, sizeof number, &change).cycles, 1, 1e-9);
    ptl_block_model_free(&model);
    ptl_mapping_free(&m);
}

/* cmp rax, rcx; jne to the start: one slot and one uop if they fuse. */
static void test_fusion(void** state) {
    (void)state;
    static const char* const ports[] = {"0", "1"};
    static const char* const jumps[] = {"jnz"};
    const uint8_t code[] = {0x48, 0x39, 0xC8, 0x75, 0xFB};
    ptl_mapping m;
    ptl_block_model model;
    assert_int_equal(ptl_mapping_new(&m, ports, 2, 2, 1, NULL), PTL_OK);
    ptl_uop any = {3, 1}, first = {1, 1};
    assert_int_equal(ptl_mapping_add(&m, "cmp r64, r64", &any, 1, 1, NULL), PTL_OK);
    assert_int_equal(ptl_mapping_add(&m, "jnz rel8", &first, 1, 1, NULL), PTL_OK);
    assert_int_equal(ptl_block_model_new(&model, &m, 0, NULL), PTL_OK);
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    ptl_block_bounds b = bounds_of_code(&model, code, sizeof code, &change);
    assert_int_equal(b.slots, 2);
    assert_int_equal(b.uops, 2);
    ptl_block_facts f = PTL_BLOCK_FACTS_NONE;
    f.fused = jumps;
    f.fused_count = 1;
    assert_int_equal(ptl_block_model_set(&model, 0, &f, NULL), PTL_OK);
    model.taken_branch = 1.75;
    b = bounds_of_code(&model, code, sizeof code, &change);
    assert_int_equal(b.slots, 1);
    assert_int_equal(b.uops, 1);
    assert_true(b.limit == PTL_BOUND_BRANCH && b.cycles == 1.75);
    change.without = 1; /* then it is no loop */
    assert_true(bounds_of_code(&model, code, sizeof code, &change).cycles == 1);
    ptl_block_model_free(&model);
    ptl_mapping_free(&m);
}

/* What is not known is counted, and the rest still bounds. */
static void test_unknown(void** state) {
    (void)state;
    static const char* const ports[] = {"0"};
    const uint8_t code[] = {0x48, 0x01, 0xC8, 0x48, 0x29, 0xC8}; /* add rax, rcx; sub rax, rcx */
    ptl_mapping m;
    ptl_block_model model;
    assert_int_equal(ptl_mapping_new(&m, ports, 1, 1, 0, NULL), PTL_OK);
    ptl_uop uop = {1, 2};
    assert_int_equal(ptl_mapping_add(&m, "add r64, r64", &uop, 1, 1, NULL), PTL_OK);
    assert_int_equal(ptl_block_model_new(&model, &m, 0, NULL), PTL_OK);
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    ptl_block_bounds b = bounds_of_code(&model, code, sizeof code, &change);
    assert_int_equal(b.unknown, 1);
    assert_int_equal(b.lacking_latency, 2);
    assert_true(b.cycles == 2 && b.limit == PTL_BOUND_PORTS);
    ptl_block_facts f = PTL_BLOCK_FACTS_NONE;
    f.other_value = 2 * PTL_LATENCY_MAX;
    ptl_error error;
    assert_int_equal(ptl_block_model_set(&model, 0, &f, &error), PTL_BAD_INPUT);
    f = PTL_BLOCK_FACTS_NONE;
    f.unit = 0; /* there is none */
    assert_int_equal(ptl_block_model_set(&model, 0, &f, &error), PTL_BAD_INPUT);
    const uint8_t cut[] = {0x48};
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    assert_int_equal(ptl_code_block_decode(&w.block, &model, cut, sizeof cut, &error), PTL_BAD_INPUT);
    ptl_block_work_free(&w);
    ptl_block_model_free(&model);
    ptl_mapping_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_blocks), cmocka_unit_test(test_critical_cycle),
        cmocka_unit_test(test_examples),      cmocka_unit_test(test_moving_address),
        cmocka_unit_test(test_fusion),        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
