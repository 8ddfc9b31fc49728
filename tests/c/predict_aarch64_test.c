/* Blocks of A64: what ends a loop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/architecture.h"
#include "predict/block_bounds.h"
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bases_that_are_written_back_wait_for_themselves),
        cmocka_unit_test(branches_to_the_first_instruction_make_a_loop),
        cmocka_unit_test(other_branches_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
