/* A64: text that means no instruction is refused, rather than assembled to a neighbour. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/architecture.h"

static ptl_status assemble(const char* text, uint32_t* word) {
    ptl_code code;
    ptl_error error = {0};
    ptl_status status = ptl_aarch64.assemble(text, strlen(text), &code, &error);
    if (status) return status;
    assert_int_equal(code.size, 4);
    *word = code.bytes[0] | (uint32_t)code.bytes[1] << 8 | (uint32_t)code.bytes[2] << 16 |
            (uint32_t)code.bytes[3] << 24;
    free(code.bytes);
    free(code.offsets);
    return PTL_OK;
}

static void check_refused(const char* const* texts, size_t n) {
    for (size_t k = 0; k < n; k++) {
        uint32_t word = 0;
        if (assemble(texts[k], &word) != PTL_BAD_INPUT) fail_msg("'%s' became %08x", texts[k], word);
    }
}

static void lists_go_on_register_by_register(void** state) {
    (void)state;
    static const char* const wrong[] = {
        "ld1 {v0.4s, v7.4s}, [x0]",        "ld1 {v0.4s, v1.2d}, [x0]", "tbl v0.16b, {v1.16b, v9.16b}, v3.16b",
        "ld2 {v0.s, v9.s}[1], [x0]",       "ld1 {v1.4s, v0.4s}, [x0]", "st2 {v0.4s, v2.4s}, [x0]",
        "ld3 {v0.b, v1.b, v3.b}[1], [x0]", "ld1 {v0.4s, s1}, [x0]",
    };
    uint32_t word;
    check_refused(wrong, sizeof wrong / sizeof *wrong);
    assert_int_equal(assemble("st1 {v31.16b, v0.16b}, [x0], x3", &word), PTL_OK);
    assert_int_equal(word, 0x4c83a01f);
}

static void numbers_are_not_cut(void** state) {
    (void)state;
    static const char* const wrong[] = {
        "ldr x0, [x1, x2, lsl #259]",
        "ldr x0, [x1, x2, lsl #-253]",
        "add v0.36s, v1.4s, v2.4s",
        "add v0.4s, v1.68s, v2.36s",
        "add v0.4sx, v1.4s, v2.4s",
        "mov w0, v1.0s[1]",
        "sshr v0.2d, v1.2d, #-9223372036854775744",
        "b #-9223372036854775808",
        "add x0, x1, #18446744073709551617",
        "movz x0, #18446744073709551616",
        "movn x0, #18446744073709551616",
        "and x0, x1, #36893488147419103231",
    };
    uint32_t word;
    check_refused(wrong, sizeof wrong / sizeof *wrong);
    assert_int_equal(assemble("sshr v0.2d, v1.2d, #64", &word), PTL_OK);
    assert_int_equal(word, 0x4f400420);
}

static void registers_have_their_width(void** state) {
    (void)state;
    static const char* const wrong[] = {"ldr x0, [x1, sp, lsl #3]", "ldr x0, [sp, sp]", "sxtb w0, x1",
                                        "uxth w0, x1", "ldr x0, [x1], sp"};
    uint32_t word;
    check_refused(wrong, sizeof wrong / sizeof *wrong);
    assert_int_equal(assemble("sxtb x0, w1", &word), PTL_OK);
    assert_int_equal(word, 0x93401c20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_go_on_register_by_register),
        cmocka_unit_test(numbers_are_not_cut),
        cmocka_unit_test(registers_have_their_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
