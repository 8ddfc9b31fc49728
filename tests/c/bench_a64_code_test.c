/* Generated code of AArch64, read by a disassembler: on any host. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <capstone/capstone.h>

#include "bench/aarch64/a64_frame.h"
#include "bench/codegen.h"

enum { CODE_MAX = PTL_BODY_MAX + PTL_KERNEL_OVERHEAD + PTL_AHEAD_SIZE_MAX };

/* A function, disassembled: one instruction for each word, none that is not one. */
typedef struct listing {
    uint8_t bytes[CODE_MAX];
    size_t size;
    csh capstone;
    cs_insn* instruction;
    size_t n;
} listing;

static const uint8_t body[] = {0x20, 0x00, 0x02, 0x8b,
                               0x41, 0x00, 0x00, 0xba};  /* add x0, x1, x2; adcs x1, x2, x0 */
static const uint8_t ahead[] = {0x60, 0x00, 0x80, 0xd2}; /* mov x0, #3 */

static const ptl_target* target(void) {
    return ptl_target_by_name("aarch64");
}

static void disassemble(listing* l, uint64_t at) {
    assert_int_equal(cs_open(CS_ARCH_ARM64, CS_MODE_ARM, &l->capstone), CS_ERR_OK);
    l->n = cs_disasm(l->capstone, l->bytes, l->size, target()->places->code + at, 0, &l->instruction);
    assert_int_equal(l->n, l->size / 4);
}

static listing* kernel(const ptl_loop_code* loop, uint64_t at) {
    listing* l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->size = target()->kernel(l->bytes, at, loop);
    assert_true(l->size <= loop->size + loop->ahead_size + PTL_KERNEL_OVERHEAD);
    disassemble(l, at);
    return l;
}

static listing* block(const ptl_block_setup* setup, uint64_t at) {
    listing* l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->size = target()->block(l->bytes, at, body, sizeof body, setup);
    assert_true(l->size <= sizeof body + PTL_KERNEL_OVERHEAD);
    disassemble(l, at);
    return l;
}

static void release(listing* l) {
    cs_free(l->instruction, l->n);
    cs_close(&l->capstone);
    free(l);
}

/* Is instruction i this one, operands and all? */
static bool is(const listing* l, size_t i, const char* text) {
    char whole[256];
    if (i >= l->n) return false;
    snprintf(whole, sizeof whole, "%s %s", l->instruction[i].mnemonic, l->instruction[i].op_str);
    size_t end = strlen(whole);
    if (end && whole[end - 1] == ' ') whole[end - 1] = 0;
    return !strcmp(whole, text);
}

/* The first such instruction from `from` on; fails without one. */
static size_t find(const listing* l, size_t from, const char* text) {
    for (size_t i = from; i < l->n; i++)
        if (is(l, i, text)) return i;
    fail_msg("there is no '%s'", text);
    return 0;
}

/* The first word of these bytes from `from` on; fails without one. */
static size_t find_bytes(const listing* l, size_t from, const uint8_t* bytes) {
    for (size_t i = from; i < l->n; i++)
        if (!memcmp(l->instruction[i].bytes, bytes, 4)) return i;
    fail_msg("these bytes are not there");
    return 0;
}

static size_t find_body(const listing* l) {
    size_t first = find_bytes(l, 0, body);
    assert_int_equal(find_bytes(l, first, body + 4), first + 1);
    return first;
}

/* The name of a general register. */
static const char* name_of(unsigned r, char text[8]) {
    snprintf(text, 8, "x%u", r);
    return text;
}

/* The first `op reg, [x26, offset]` from `from` on. */
static size_t find_access(const listing* l, size_t from, const char* op, const char* reg, size_t offset) {
    char text[64];
    snprintf(text, sizeof text, offset ? "%s %s, [x26, #0x%zx]" : "%s %s, [x26]", op, reg, offset);
    if (offset > 0 && offset < 10) snprintf(text, sizeof text, "%s %s, [x26, #%zu]", op, reg, offset);
    return find(l, from, text);
}

/* The number of the instruction that a branch goes to: its last operand. */
static size_t goes_to(const listing* l, size_t branch) {
    const cs_insn* b = &l->instruction[branch];
    uint64_t to = strtoull(strchr(b->op_str, '#') + 1, NULL, 0);
    return (size_t)(to - l->instruction[0].address) / 4;
}

static void the_body_is_in_a_loop_of_its_own(void** state) {
    (void)state;
    const ptl_loop_code loop = {.body = body, .size = sizeof body, .vector_bits = 128};
    for (uint64_t at = 0; at < 4 * PTL_KERNEL_ALIGN; at += PTL_KERNEL_ALIGN) {
        listing* l = kernel(&loop, at);
        size_t first = find_body(l);
        assert_int_equal(l->instruction[first].address % PTL_KERNEL_ALIGN, 0);
        assert_true(is(l, first - 1, "isb"));
        assert_true(is(l, first + 2, "sub x27, x27, #1"));
        assert_string_equal(l->instruction[first + 3].mnemonic, "cbnz"); /* flags stay the body's */
        assert_int_equal(goes_to(l, first + 3), first);
        assert_true(is(l, l->n - 1, "ret"));
        release(l);
    }
}

/* What the body finds in registers is what the frame says, and the flags are those that code ahead of it
 * left. */
static void registers_start_from_the_frame(void** state) {
    (void)state;
    const ptl_loop_code loop = {
        .body = body, .size = sizeof body, .ahead = ahead, .ahead_size = sizeof ahead, .vector_bits = 128};
    listing* l = kernel(&loop, 0);
    char text[8];
    size_t runs_ahead = find_bytes(l, 0, ahead), first = find_body(l);
    assert_true(runs_ahead < first);
    for (unsigned r = 0; r < 31; r++) {
        snprintf(text, sizeof text, "q%u", r);
        assert_true(find_access(l, 0, "ldr", text, offsetof(ptl_a64_frame, vector)) < runs_ahead);
        if (r == 26 || r == 27) continue;
        assert_true(find_access(l, 0, "ldr", name_of(r, text), offsetof(ptl_a64_frame, x) + 8 * r) <
                    runs_ahead);
    }
    assert_true(find_access(l, 0, "ldr", "x27", offsetof(ptl_frame, warm_up)) < runs_ahead);
    assert_true(find(l, 0, "msr nzcv, xzr") < runs_ahead);
    for (size_t i = runs_ahead + 1; i < first; i++)
        assert_string_not_equal(l->instruction[i].mnemonic, "msr");
    release(l);
}

/* x26 holds what sp starts as, where a body takes sp back from it: when the code ahead runs, and in every
 * pass. */
static void the_start_of_the_stack_is_kept(void** state) {
    (void)state;
    ptl_loop_code loop = {.body = body, .size = sizeof body, .ahead = ahead, .ahead_size = sizeof ahead};
    const size_t stack = offsetof(ptl_a64_frame, stack);
    loop.keeps_stack = true;
    listing* l = kernel(&loop, 0);
    size_t runs_ahead = find_bytes(l, 0, ahead), first = find_body(l);
    assert_int_equal(target()->stack_base, 26);
    assert_int_equal(find_access(l, 0, "ldr", "x26", stack), runs_ahead - 1);
    assert_true(find_access(l, runs_ahead, "ldr", "x26", stack) < first);
    release(l);
}

/* Both passes begin and end with a time stamp behind a fence; the second one begins where the first did. */
static void passes_are_stamped(void** state) {
    (void)state;
    static const uint8_t time[] = {0x40, 0xe0, 0x3b, 0xd5}; /* mrs x0, cntvct_el0 */
    const ptl_loop_code loop = {.body = body, .size = sizeof body};
    listing* l = kernel(&loop, 0);
    size_t first = find_body(l), started = find_bytes(l, 0, time), ended = find_bytes(l, first, time);
    assert_true(started < first);
    assert_true(is(l, started - 1, "isb") && is(l, ended - 1, "isb"));
    assert_int_equal(find_access(l, 0, "str", "x0", offsetof(ptl_frame, start)), started + 1);
    assert_int_equal(find_access(l, 0, "str", "x0", offsetof(ptl_frame, end)), ended + 1);
    size_t again = find_access(l, ended, "str", "xzr", offsetof(ptl_frame, timed)) + 1;
    assert_string_equal(l->instruction[again].mnemonic, "b");
    assert_int_equal(goes_to(l, again), started - 1);
    assert_string_equal(l->instruction[again - 3].mnemonic, "cbz");
    assert_int_equal(goes_to(l, again - 3), again + 1);
    release(l);
}

/* A block starts with the pattern in all registers, sp among them, between fences; the page is filled where
 * it writes. */
static void blocks_start_from_the_pattern(void** state) {
    (void)state;
    const ptl_block_setup setup = {.vector_bits = 128, .writes = true}, plain = {.vector_bits = 0};
    listing* l = block(&setup, 0);
    size_t first = find_body(l), filled = find(l, 0, "stp x0, x0, [x1], #0x10");
    assert_int_equal(l->instruction[first].address % PTL_KERNEL_ALIGN, 0);
    assert_true(is(l, first - 1, "isb") && is(l, first + 2, "isb"));
    assert_true(filled < first);
    uint64_t x[31] = {0}; /* what moves before the body leave there */
    for (size_t i = filled + 1; i < first; i++) {
        uint32_t word;
        memcpy(&word, l->instruction[i].bytes, 4);
        uint64_t part = (uint64_t)(word >> 5 & 0xffff) << 16 * (word >> 21 & 3);
        if (word >> 23 == 0xd2800000 >> 23) x[word & 31] = part;
        if (word >> 23 == 0xf2800000 >> 23) x[word & 31] |= part;
    }
    for (unsigned r = 0; r < 31; r++) assert_int_equal(x[r], PTL_PAGE_PATTERN);
    assert_true(find(l, filled, "mov sp, x0") < first);
    release(l);
    l = block(&plain, 64);
    for (size_t i = 0; i < l->n; i++) assert_string_not_equal(l->instruction[i].mnemonic, "dsb");
    release(l);
}

/* The largest loop is closed by its branch; reference loops do what their names say. */
static void bodies_are_as_long_as_they_say(void** state) {
    (void)state;
    uint8_t* large = malloc(PTL_BODY_MAX);
    assert_non_null(large);
    for (size_t i = 0; i < PTL_BODY_MAX; i += 4) memcpy(large + i, "\x1f\x20\x03\xd5", 4);
    memcpy(large, body, sizeof body);
    const ptl_loop_code loop = {.body = large, .size = PTL_BODY_MAX};
    listing* l = kernel(&loop, 0);
    assert_int_equal(goes_to(l, find_body(l) + PTL_BODY_MAX / 4 + 1), find_body(l));
    release(l);
    for (int i = 0; i < PTL_REFERENCES; i++) {
        unsigned units;
        size_t size = target()->bodies[i].write(large, &units);
        assert_true(size <= PTL_REFERENCE_BODY_MAX);
        assert_int_equal(size, 4 * units);
    }
    free(large);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_body_is_in_a_loop_of_its_own), cmocka_unit_test(registers_start_from_the_frame),
        cmocka_unit_test(the_start_of_the_stack_is_kept),   cmocka_unit_test(passes_are_stamped),
        cmocka_unit_test(blocks_start_from_the_pattern),    cmocka_unit_test(bodies_are_as_long_as_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
