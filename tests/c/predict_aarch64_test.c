/* Blocks of A64: what ends a loop, what waits for bases, which addresses are known to be the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/architecture.h"
#include "predict/block_bounds.h"
#include "predict/block_values.h"
#include "predict/code_block.h"

static bool is_loop(const char* text) {
    static const char* const ports[] = {"0"};
    const ptl_uop any = {.ports = 1, .count = 1};
    ptl_mapping mapping;
    ptl_block_model model;
    ptl_code_block block = PTL_CODE_BLOCK_EMPTY;
    ptl_code code;
    ptl_error error = {0};
    assert_int_equal(ptl_mapping_new(&mapping, ports, 1, 1, 1, NULL), PTL_OK);
    assert_int_equal(ptl_mapping_add(&mapping, "add x, x, x", &any, 1, 1, NULL), PTL_OK);
    assert_int_equal(ptl_block_model_new(&model, &mapping, 0, NULL), PTL_OK);
    if (ptl_aarch64.assemble(text, strlen(text), &code, &error)) fail_msg("%s", error.what);
    assert_int_equal(ptl_code_block_decode(&block, &model, code.bytes, code.size, &error), PTL_OK);
    bool loop = block.is_loop;
    ptl_code_block_free(&block);
    free(code.bytes);
    free(code.offsets);
    ptl_block_model_free(&model);
    ptl_mapping_free(&mapping);
    return loop;
}

static void branches_to_the_first_instruction_make_a_loop(void** state) {
    (void)state;
    assert_true(is_loop("l: add x0, x1, x2; b l"));
    assert_true(is_loop("l: add x0, x1, x2; b.ne l"));
    assert_true(is_loop("l: add x0, x1, x2; cbnz x3, l"));
    assert_true(is_loop("l: add x0, x1, x2; tbz x3, #40, l"));
}

static void other_branches_do_not(void** state) {
    (void)state;
    assert_false(is_loop("l: add x0, x1, x2; bl l"));
    assert_false(is_loop("add x0, x1, x2; l: cbnz x3, l"));
    assert_false(is_loop("add x0, x1, x2; cbnz x3, l; l:"));
    assert_false(is_loop("add x0, x1, x2; ret"));
}

/* The bound by dependencies of a block of one scheme, of which loads are known to take 4 cycles. */
static double latency_bound(const char* scheme, const char* text) {
    static const char* const ports[] = {"0"};
    const ptl_uop any = {.ports = 1, .count = 1};
    ptl_mapping mapping;
    ptl_block_model model;
    ptl_block_work work = PTL_BLOCK_WORK_EMPTY;
    ptl_block_bounds bounds;
    ptl_code code;
    ptl_error error = {0};
    ptl_block_facts facts = PTL_BLOCK_FACTS_NONE;
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    facts.other_value = facts.other_address = 4;
    assert_int_equal(ptl_mapping_new(&mapping, ports, 1, 1, 1, NULL), PTL_OK);
    assert_int_equal(ptl_mapping_add(&mapping, scheme, &any, 1, 1, NULL), PTL_OK);
    assert_int_equal(ptl_block_model_new(&model, &mapping, 0, NULL), PTL_OK);
    assert_int_equal(ptl_block_model_set(&model, 0, &facts, NULL), PTL_OK);
    if (ptl_aarch64.assemble(text, strlen(text), &code, &error)) fail_msg("%s", error.what);
    assert_int_equal(ptl_code_block_decode(&work.block, &model, code.bytes, code.size, &error), PTL_OK);
    assert_true(work.block.items[0].scheme == 0);
    if (ptl_block_bounds_of(&work, &change, &bounds, &error)) fail_msg("%s", error.what);
    ptl_block_work_free(&work);
    free(code.bytes);
    free(code.offsets);
    ptl_block_model_free(&model);
    ptl_mapping_free(&mapping);
    return bounds.of[PTL_BOUND_DEPENDENCIES];
}

/* A base goes on by an addition: it waits neither for the load nor for what is stored. */
static void bases_that_are_written_back_wait_for_themselves(void** state) {
    (void)state;
    assert_float_equal(latency_bound("ldr x, [x], imm9", "ldr x0, [x1], #8"), 1, 1e-9);
    assert_float_equal(latency_bound("ldr x, [x, imm9]!", "ldr x0, [x1, #8]!"), 1, 1e-9);
    assert_float_equal(latency_bound("str x, [x], imm9", "str x0, [x1], #8"), 1, 1e-9);
    assert_float_equal(latency_bound("ldr x, [x, imm12]", "ldr x1, [x1, #8]"), 4, 1e-9);
}

enum { ELSEWHERE = INT32_MAX };

/* How far the last address of a text is behind the first; ELSEWHERE if nothing tells. */
static int64_t behind(const char* text) {
    static const char* const ports[] = {"0"};
    const ptl_uop any = {.ports = 1, .count = 1};
    ptl_mapping mapping;
    ptl_block_model model;
    ptl_code_block block = PTL_CODE_BLOCK_EMPTY;
    ptl_values values = {0};
    ptl_code code;
    ptl_error error = {0};
    ptl_sum first = {0}, last = {0};
    size_t found = 0;
    assert_int_equal(ptl_mapping_new(&mapping, ports, 1, 1, 1, NULL), PTL_OK);
    assert_int_equal(ptl_mapping_add(&mapping, "add x, x, x", &any, 1, 1, NULL), PTL_OK);
    assert_int_equal(ptl_block_model_new(&model, &mapping, 0, NULL), PTL_OK);
    if (ptl_aarch64.assemble(text, strlen(text), &code, &error)) fail_msg("%s", error.what);
    assert_int_equal(ptl_code_block_decode(&block, &model, code.bytes, code.size, &error), PTL_OK);
    ptl_values_start(&values, &block, PTL_START_APART);
    for (size_t k = 0; k < block.count; k++) {
        if (block.items[k].accesses.memory_count) {
            last = ptl_values_address(&values, &block.items[k], 0);
            if (!found++) first = last;
        }
        assert_true(ptl_values_step(&values, &block.items[k]));
    }
    assert_true(found >= 2);
    ptl_values_free(&values);
    ptl_code_block_free(&block);
    free(code.bytes);
    free(code.offsets);
    ptl_block_model_free(&model);
    ptl_mapping_free(&mapping);
    return first.unknowns == last.unknowns ? (int64_t)(last.offset - first.offset) : ELSEWHERE;
}

static void bases_that_are_written_back_are_known(void** state) {
    (void)state;
    assert_int_equal(behind("ldr x0, [x1], #8; ldr x2, [x1]"), 8);
    assert_int_equal(behind("ldr x0, [x1, #8]!; ldr x2, [x1]"), 0);
    assert_int_equal(behind("str q0, [x1], #-16; str q0, [x1], #-16; ldr x2, [x1, #40]"), 8);
    assert_int_equal(behind("stp x0, x3, [sp, #-32]!; ldp x0, x3, [sp], #32; ldr x4, [sp]"), 32);
    assert_int_equal(behind("ld1 {v0.16b, v1.16b}, [x1], #32; ldr x2, [x1]"), 32);
    assert_int_equal(behind("movz x3, #24; ld1 {v0.16b}, [x1], x3; ldr x2, [x1]"), 24);
    assert_int_equal(behind("ld1 {v0.16b}, [x1], x3; ldr x2, [x1]"), ELSEWHERE);
}

static void the_zero_register_is_an_index_of_zero(void** state) {
    (void)state;
    assert_int_equal(behind("ldr x0, [x1]; ldr x2, [x1, xzr]"), 0);
    assert_int_equal(behind("ldr x0, [x1]; ldr x2, [x1, xzr, lsl #3]"), 0);
    assert_int_equal(behind("ldr x0, [x1]; ldr x2, [x1, wzr, sxtw]"), 0);
    assert_int_equal(behind("ldr x0, [x1]; ldr x2, [x1, x3]"), ELSEWHERE);
}

static void copies_sums_and_numbers_are_followed(void** state) {
    (void)state;
    assert_int_equal(behind("ldr x0, [x1]; mov x3, x1; ldr x2, [x3, #8]"), 8);
    assert_int_equal(behind("ldr x0, [sp]; mov x3, sp; ldr x2, [x3]"), 0);
    assert_int_equal(behind("ldr x0, [x1]; add x3, x1, #4, lsl #12; sub x3, x3, #16384; ldr x2, [x3]"), 0);
    assert_int_equal(behind("ldr x0, [x1, x2, lsl #3]; add x3, x1, x2, lsl #3; ldr x2, [x3]"), 0);
    assert_int_equal(behind("ldr x0, [x1, x2, lsl #3]; lsl x3, x2, #3; add x3, x3, x1; ldr x2, [x3]"), 0);
    assert_int_equal(behind("ldr x0, [x1]; mov x3, #-8; sub x3, x1, x3; ldr x2, [x3]"), 8);
    assert_int_equal(
        behind("ldr x0, [x1]; mov w3, #0xff; and x3, x3, #0xf0; lsr x3, x3, #4; ldr x2, [x1, x3]"), 15);
    assert_int_equal(behind("ldr x0, [x1]; mov w3, #-2; sxtw x3, w3; ldr x2, [x1, x3]"), -2);
    assert_int_equal(behind("ldr x0, [x1]; mov w3, #-2; ldr x2, [x1, x3]"), INT64_C(0xFFFFFFFE));
    assert_int_equal(behind("ldr x0, [x1]; orr x3, x1, x2; ldr x2, [x3]"), ELSEWHERE);
    assert_int_equal(behind("ldr x0, [x1]; mov w3, w1; ldr x2, [x3]"), ELSEWHERE);
}

static void what_was_stored_is_loaded(void** state) {
    (void)state;
    assert_int_equal(behind("ldr x9, [x1]; str x1, [sp, #-16]!; ldr x2, [sp], #16; ldr x4, [x2, #4]"), 4);
    assert_int_equal(behind("ldr x9, [x1]; str xzr, [sp]; ldr x2, [sp]; ldr x4, [x1, x2]"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bases_that_are_written_back_wait_for_themselves),
        cmocka_unit_test(branches_to_the_first_instruction_make_a_loop),
        cmocka_unit_test(other_branches_do_not),
        cmocka_unit_test(bases_that_are_written_back_are_known),
        cmocka_unit_test(the_zero_register_is_an_index_of_zero),
        cmocka_unit_test(copies_sums_and_numbers_are_followed),
        cmocka_unit_test(what_was_stored_is_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
