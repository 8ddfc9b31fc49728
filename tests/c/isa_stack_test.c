/* Who moves the stack pointer, by how much; which register such bodies keep free. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/x86_64/x86_frame.h"
#include "isa/allocate.h"
#include "isa/architecture.h"
#include "isa/stack.h"

static ptl_scheme scheme(const char* name) {
    ptl_scheme s;
    ptl_error e;
    if (ptl_scheme_from_name(name, &s, &e) != PTL_OK) fail_msg("no scheme %s", name);
    return s;
}

static void test_bytes(void** state) {
    (void)state;
    static const struct {
        const char* name;
        int bytes;
    } cases[] = {
        {"push r64", -8},   {"push r16", -2},    {"push imm32", -8},  {"push m64", -8}, {"pushfq", -8},
        {"call rel32", -8}, {"pop r64", 8},      {"pop m16", 2},      {"ret", 8},       {"leave", 0},
        {"popfq", 0},       {"add r64, r64", 0}, {"mov m64, r64", 0}, {"jmp rel8", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ptl_scheme s = scheme(cases[i].name);
        int bytes = ptl_scheme_stack_bytes(&s);
        if (bytes != cases[i].bytes) fail_msg("%s: %d bytes, not %d", cases[i].name, bytes, cases[i].bytes);
    }
}

/* Whether some instance of two schemes in turn names the register that keeps the stack's address. */
static bool names_base(const char* first, const char* second) {
    enum { N = 24 };
    ptl_policy policy = {.architecture = &ptl_x86_64,
                         .memory_base = 14,
                         .memory_bytes = 4096,
                         .layout_count = 1,
                         .lend = true};
    const uint8_t sets[PTL_USES][3] = {{ptl_x86_64.stack_base, 12, 1}, {3, 6, 7}, {0, 2, 8}};
    for (int use = 0; use < PTL_USES; use++) {
        policy.sets[PTL_FILE_GPR][use].count = 3;
        memcpy(policy.sets[PTL_FILE_GPR][use].numbers, sets[use], 3);
    }
    ptl_scheme schemes[2] = {scheme(first), scheme(second)};
    const ptl_scheme* sequence[N];
    ptl_instance instances[N];
    ptl_error e;
    for (int i = 0; i < N; i++) sequence[i] = &schemes[i % 2];
    assert_int_equal(ptl_allocate(sequence, N, &policy, 0, instances, &e), PTL_OK);
    bool found = false;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++) {
            unsigned number = 0;
            ptl_file file = ptl_register_place(&ptl_x86_64, instances[i].values[k].reg, &number);
            found |= file == PTL_FILE_GPR && number == ptl_x86_64.stack_base;
        }
    return found;
}

static void test_base(void** state) {
    (void)state;
    assert_int_equal(ptl_x86_64.stack_base, (int)PTL_X86_STACK_BASE); /* where kernels keep rsp */
    assert_true(names_base("add r64, r64", "add r64, r64"));
    assert_false(names_base("add r64, r64", "push r64"));
    assert_false(names_base("pop r64", "add r64, r64"));
    assert_false(names_base("leave", "add r64, r64"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes), cmocka_unit_test(test_base)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
