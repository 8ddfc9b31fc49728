/* Zeroing idioms: which registers they name, what machine code they are, where they go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <Zydis/Zydis.h>

#include "isa/architecture.h"
#include "isa/breaker.h"
#include "isa/sequence.h"

static ptl_scheme scheme(const char* name) {
    ptl_scheme s;
    ptl_error e;
    if (ptl_scheme_from_name(name, &s, &e) != PTL_OK) fail_msg("no scheme %s", name);
    return s;
}

static void check(const char* name, int n, const char* registers) {
    ptl_scheme s = scheme(name);
    uint8_t numbers[PTL_BREAKERS_MAX];
    int found = ptl_scheme_breakers(&s, 3, numbers);
    if (found != n) fail_msg("%s: %d zeroing idioms, not %d", name, found, n);
    for (int i = 0; i < n; i++)
        if (numbers[i] != registers[i]) fail_msg("%s: register %d, not %d", name, numbers[i], registers[i]);
}

static void test_registers(void** state) {
    (void)state;
    check("add r64, r64", 0, "");
    check("cdq", 0, ""); /* reads eax, writes edx */
    check("mul r64", 1, "\0");
    check("cwde", 1, "\0");
    check("cmpxchg m64, r64", 1, "\0");
    check("cmpxchg16b m128", 2, "\2\0");
    check("adc r64, r64", 1, "\3"); /* flags alone: the scratch register */
    check("shl r64, cl", 1, "\3");
    check("jnz rel8", 1, "\3"); /* the flags, so that it always goes the same way */
    check("push r64", 0, "");   /* cores follow how it moves the stack pointer: isa/stack.h */
    check("call rel32", 0, "");
    check("jmp rel8", 0, "");
    check("leave", 0, ""); /* its companion cuts it: isa/companions.h */
    check("ret", 0, "");
    check("fchs", 0, "");
    check("enter imm16, imm8", -1, "");
    check("loopne rel8", 1, "\1"); /* what it counts in; that sets the flags as well */
}

/* NOPs go ahead of what is taken behind a zeroing idiom, and of nothing else. */
static void test_spacers(void** state) {
    (void)state;
    static const char* const taken[] = {"jz rel8", "jnb rel32", "jmp rel8", "call rel32", "loope rel8"};
    static const char* const not_taken[] = {"jnz rel8",    "jb rel32",     "jnle rel8",
                                            "loopne rel8", "add r64, r64", "push r64"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        ptl_scheme s = scheme(taken[i]);
        assert_int_equal(ptl_scheme_spacers(&s), 6);
    }
    for (size_t i = 0; i < sizeof not_taken / sizeof *not_taken; i++) {
        ptl_scheme s = scheme(not_taken[i]);
        assert_int_equal(ptl_scheme_spacers(&s), 0);
    }
}

/* xor r32, r32 of the right register, before each instance that needs it and before no other. */
static void test_code(void** state) {
    (void)state;
    ptl_policy policy = {
        .architecture = &ptl_x86_64, .memory_base = 14, .memory_bytes = 4096, .layout_count = 1};
    static const uint8_t sets[PTL_USES][3] = {{1, 12, 13}, {9, 6, 7}, {0, 2, 8}};
    for (int use = 0; use < PTL_USES; use++) {
        policy.sets[PTL_FILE_GPR][use].count = 3;
        memcpy(policy.sets[PTL_FILE_GPR][use].numbers, sets[use], 3);
    }
    ptl_scheme multiply = scheme("mul r64"), add = scheme("add r64, r64"), carry = scheme("adc r64, r64");
    const ptl_scheme* sequence[] = {&multiply, &add, &carry};
    ptl_instance instances[3], found;
    ptl_error e;
    assert_int_equal(ptl_allocate(sequence, 3, &policy, 0, instances, &e), PTL_OK);
    uint8_t code[3 * PTL_INSTANCE_SIZE];
    uint32_t offsets[4];
    size_t size, length, at = 0;
    assert_int_equal(ptl_assemble_instances(instances, 3, &policy, code, sizeof code, &size, offsets, &e),
                     PTL_OK);
    static const char* const expected[] = {"xor r32, r32", "mul r64", "add r64, r64", "xor r32, r32",
                                           "adc r64, r64"};
    static const uint16_t zeroed[] = {ZYDIS_REGISTER_EAX, 0, 0, ZYDIS_REGISTER_R9D, 0};
    for (size_t i = 0; i < 5; i++, at += length) {
        assert_int_equal(ptl_decode(&ptl_x86_64, code + at, size - at, &found, &length, &e), PTL_OK);
        assert_string_equal(found.scheme.name, expected[i]);
        if (zeroed[i]) assert_int_equal(found.values[0].reg, zeroed[i]);
        if (zeroed[i]) assert_int_equal(found.values[1].reg, zeroed[i]);
    }
    assert_int_equal(at, size);
    assert_int_equal(offsets[1], 2 + 3); /* the idiom belongs to its instance */
    assert_int_equal(offsets[3], size);
    assert_int_equal(ptl_assemble_instances(instances, 3, NULL, code, sizeof code, &size, NULL, &e), PTL_OK);
    assert_int_equal(size, 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_registers), cmocka_unit_test(test_spacers),
                                       cmocka_unit_test(test_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
