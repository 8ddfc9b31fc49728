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
        "ldrb w2, [x3, #297.]",
        "ldrsb w19, [x6, #40.7]",
        "add x1, x20, x6, lsl #11.",
        "mov w0, v1.s[1.5]",
        "sub w6, w26, w10, asr",
        "cbnz w26, #790560,",
        "movz w14, #0404",
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

/* What GNU's assembler makes of it, but for fmov of 0.0, which LLVM's alone takes. */
static void compilers_words_are_understood(void** state) {
    (void)state;
    static const struct {
        const char* text;
        uint32_t word;
    } rows[] = {
        {"dmb ish", 0xd5033bbf},
        {"dsb ishst", 0xd5033a9f},
        {"isb", 0xd5033fdf},
        {"mrs x0, nzcv", 0xd53b4200},
        {"msr nzcv, x0", 0xd51b4200},
        {"mrs x0, s3_3_c14_c0_2", 0xd53be040},
        {"mrs x0, cntvct_el0", 0xd53be040},
        {"mrs x0, pmevcntr0_el0", 0xd53be800},
        {"msr daifset, #2", 0xd50342df},
        {"bti c", 0xd503245f},
        {"paciasp", 0xd503233f},
        {"psb csync", 0xd503223f},
        {"dc civac, x5", 0xd50b7e25},
        {"dc zva, x0", 0xd50b7420},
        {"ic iallu", 0xd508751f},
        {"fmov d0, #0.0", 0x9e6703e0},
        {"fmov d0, #-1.5", 0x1e7f1000},
        {"beq #8", 0x54000040},
        {"bhs #8", 0x54000042},
        {"tbz x0, 31, #8", 0x36f80040},
        {"uxtw x3, w4", 0x2a0403e3},
        {"bfc x0, #3, #5", 0xb37d13e0},
        {"movi v0.8b, 0xffffffffffffffbf", 0x0f05e7e0},
        {"movi v2.2d, #0000000000000000", 0x6f00e402},
        {"ld2 {v0.4s - v1.4s}, [x0], 32", 0x4cdf8800},
        {"ld4 {v30.2d - v1.2d}, [x0]", 0x4c400c1e},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint32_t word = 0;
        if (assemble(rows[k].text, &word)) fail_msg("'%s' is refused", rows[k].text);
        if (word != rows[k].word) fail_msg("'%s' became %08x", rows[k].text, word);
    }
}

static void words_of_the_system_stand_where_they_mean_something(void** state) {
    (void)state;
    static const char* const wrong[] = {
        "dmb foo",
        "dmb",
        "mrs x0, ish",
        "mrs x0, daifset",
        "mrs x0, s1_3_c4_c2_0",
        "dmb nzcv",
        "add x0, x1, sy",
        "mrs x0, s3_3_c16_c2_0",
        "mrs x0, pmevcntr31_el0",
        "fmov d0, #-0.0",
        "fmov x0, #0.0",
        "ld1 {v0.4s - v7.4s}, [x0]",
        "ld4 {v0.4s - v3.2d}, [x0]",
        "dc zva",
        "bxx #8",
        "tbz w0, 32, #8",
    };
    check_refused(wrong, sizeof wrong / sizeof *wrong);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_go_on_register_by_register),
        cmocka_unit_test(numbers_are_not_cut),
        cmocka_unit_test(registers_have_their_width),
        cmocka_unit_test(compilers_words_are_understood),
        cmocka_unit_test(words_of_the_system_stand_where_they_mean_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
