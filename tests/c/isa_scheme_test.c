/* Schemes, their names and the catalogue. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <Zydis/Zydis.h>

#include "base/rng.h"
#include "isa/catalogue.h"
#include "isa/codec.h"
#include "isa/x86_64/x86_64.h"

static ptl_catalogue* catalogue_of(unsigned sets) {
    ptl_catalogue* c;
    assert_int_equal(ptl_catalogue_new(&c, &ptl_x86_64, sets, NULL), PTL_OK);
    return c;
}

static void the_catalogue_is_large_sorted_and_without_conflicts(void** state) {
    (void)state;
    ptl_catalogue* c = catalogue_of(PTL_X86_LEGACY | PTL_X86_VEX);
    assert_true(ptl_catalogue_count(c) >= 3600);
    assert_int_equal(ptl_catalogue_conflicts(c), 0);
    for (size_t k = 1; k < ptl_catalogue_count(c); k++)
        assert_true(strcmp(ptl_catalogue_at(c, k - 1)->name, ptl_catalogue_at(c, k)->name) < 0);
    for (size_t k = 0; k < ptl_catalogue_count(c); k++)
        assert_ptr_equal(ptl_catalogue_find(c, ptl_catalogue_at(c, k)->name), ptl_catalogue_at(c, k));
    assert_null(ptl_catalogue_find(c, "add r64, r63"));
    assert_null(ptl_catalogue_find(c, ""));
    assert_null(ptl_catalogue_at(c, ptl_catalogue_count(c)));
    ptl_catalogue_free(c);
    c = catalogue_of(PTL_X86_EVEX);
    assert_true(ptl_catalogue_count(c) >= 12000);
    assert_int_equal(ptl_catalogue_conflicts(c), 0);
    ptl_catalogue_free(c);
    c = catalogue_of(0);
    assert_int_equal(ptl_catalogue_count(c), 0);
    assert_null(ptl_catalogue_find(c, "nop"));
    ptl_catalogue_free(c);
}

static void every_name_leads_to_its_scheme_without_the_catalogue(void** state) {
    (void)state;
    ptl_catalogue* c = catalogue_of(PTL_X86_ALL);
    for (size_t k = 0; k < ptl_catalogue_count(c); k++) {
        const ptl_scheme* expected = ptl_catalogue_at(c, k);
        ptl_scheme s;
        if (ptl_scheme_from_name(expected->name, &s, NULL) != PTL_OK)
            fail_msg("not found: %s", expected->name);
        if (memcmp(&s, expected, sizeof s) != 0) fail_msg("another scheme: %s", expected->name);
    }
    ptl_catalogue_free(c);
}

static void what_is_no_name_is_refused(void** state) {
    (void)state;
    static const char* const names[] = {"",
                                        " ",
                                        "add",
                                        "add ",
                                        "add r64",
                                        "add r64,r64",
                                        "add r64, r64 ",
                                        " add r64, r64",
                                        "ADD r64, r64",
                                        "add r64, imm64",
                                        "lock add r64, r64",
                                        "vaddpd xmm, xmm",
                                        "vaddpd xmm, xmm, xmm {evex} ",
                                        "vaddpd ymm, ymm, ymm{",
                                        "shl r64, 2",
                                        "shl r64, rcx",
                                        "vaddpd zmm{k}{k}, zmm, zmm",
                                        "add r64, r64, r64, r64, r64, r64, r64, r64, r64, r64, r64, r64",
                                        "vaddpd zmm, zmm, m64{1to16}",
                                        "lea r64, m64",
                                        "rep",
                                        "lock ",
                                        "mov r64, m64[xmm]",
                                        "m",
                                        "add r64, m99999999999999",
                                        "add r64, m65600",
                                        "jbe rel82",
                                        "add r64, imm65544",
                                        "mov r64, imm0",
                                        "vp4dpwssd zmm, zmm+259, m128"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        ptl_scheme s;
        ptl_error e;
        if (ptl_scheme_from_name(names[k], &s, &e) != PTL_BAD_INPUT) fail_msg("accepted: '%s'", names[k]);
        assert_true(strlen(e.what) > 0);
    }
    char longest[4000];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = 0;
    ptl_scheme s;
    assert_int_equal(ptl_scheme_from_name(longest, &s, NULL), PTL_BAD_INPUT);
}

/* Zydis numbers mnemonics alphabetically; ptl_scheme_from_name searches by halving. */
static void mnemonics_are_in_order(void** state) {
    (void)state;
    for (unsigned m = 2; m <= ZYDIS_MNEMONIC_MAX_VALUE; m++)
        assert_true(strcmp(ZydisMnemonicGetString((ZydisMnemonic)(m - 1)),
                           ZydisMnemonicGetString((ZydisMnemonic)m)) < 0);
}

static ptl_scheme scheme(const char* name) {
    ptl_scheme s;
    if (ptl_scheme_from_name(name, &s, NULL) != PTL_OK) fail_msg("not found: %s", name);
    return s;
}

#define ALL_FLAGS                                                                                            \
    (ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF |          \
     ZYDIS_CPUFLAG_OF)

static void an_add_is_what_it_should_be(void** state) {
    (void)state;
    ptl_scheme s = scheme("add r64, r64");
    assert_int_equal(s.mnemonic, ZYDIS_MNEMONIC_ADD);
    assert_int_equal(s.encoding, PTL_LEGACY);
    assert_int_equal(s.visible_count, 2);
    assert_int_equal(s.operand_count, 3);
    assert_int_equal(s.operands[0].access, PTL_READ | PTL_WRITE);
    assert_int_equal(s.operands[1].access, PTL_READ);
    assert_int_equal(s.operands[0].register_class, PTL_GPR64);
    assert_int_equal(s.operands[0].width, 64);
    assert_int_equal(s.operands[2].visibility, PTL_HIDDEN);
    assert_int_equal(s.operands[2].fixed, ZYDIS_REGISTER_RFLAGS);
    assert_int_equal(s.flags_read, 0);
    assert_int_equal(s.flags_written, ALL_FLAGS);
    assert_string_equal(s.extension, "BASE");
    assert_false(ptl_scheme_updates_fixed(&s));
}

static void special_operands_are_told_apart(void** state) {
    (void)state;
    ptl_scheme s = scheme("shl r64, cl");
    assert_int_equal(s.operands[1].fixed, ZYDIS_REGISTER_CL);
    assert_int_equal(s.operands[1].visibility, PTL_IMPLICIT);
    assert_true(ptl_scheme_updates_fixed(&s)); /* a shift by 0 keeps the flags */
    s = scheme("shl r64, 1");
    assert_true(s.operands[1].has_constant);
    assert_int_equal(s.operands[1].constant, 1);
    assert_false(ptl_operand_is_free(&s.operands[1]));
    s = scheme("lea r64, m");
    assert_int_equal(s.operands[1].kind, PTL_ADDRESS);
    assert_int_equal(s.operands[1].access, 0);
    s = scheme("lock add m64, r64");
    assert_int_equal(s.prefixes, PTL_PREFIX_LOCK);
    s = scheme("mov r64, imm64");
    assert_int_equal(s.operands[1].width, 64);
    s = scheme("cmovz r64, r64");
    assert_true(ptl_operand_reads(&s.operands[0]) && ptl_operand_writes(&s.operands[0]));
    assert_int_equal(s.flags_read, ZYDIS_CPUFLAG_ZF);
    s = scheme("jz rel8");
    assert_int_equal(s.operands[0].kind, PTL_RELATIVE);
    assert_int_not_equal(s.branch_type, ZYDIS_BRANCH_TYPE_NONE);
    s = scheme("vgatherdps ymm, m32[ymm], ymm");
    assert_int_equal(s.operands[1].register_class, PTL_YMM);
    s = scheme("vaddpd zmm{k}{z}, zmm, m64{1to8}");
    assert_true(s.is_masked && s.is_zeroing && s.operands[1].is_mask);
    assert_int_equal(s.operands[3].broadcast, ZYDIS_BROADCAST_MODE_1_TO_8);
    s = scheme("vaddpd zmm, zmm, zmm {er}");
    assert_true(s.is_rounding && !s.is_sae);
    s = scheme("vaddpd xmm, xmm, xmm");
    assert_int_equal(s.encoding, PTL_VEX);
    s = scheme("vaddpd xmm, xmm, xmm {evex}");
    assert_int_equal(s.encoding, PTL_EVEX);
}

static void updates_of_fixed_operands_are_seen(void** state) {
    (void)state;
    static const char* const updating[] = {
        "adc r64, r64",  "push r64", "pop r64",          "mul r64", "cwde",  "rcl r64, 1",
        "adcx r64, r64", "movsb",    "cmpxchg m64, r64", "leave",   "stosq", "cmc"};
    static const char* const others[] = {"add r64, imm32",
                                         "setb r8",
                                         "cmovb r64, r64",
                                         "inc r64",
                                         "mulx r64, r64, r64",
                                         "imul r64, r64",
                                         "cdq",
                                         "bt r64, imm8",
                                         "vblendvps xmm, xmm, xmm, xmm",
                                         "nop"};
    for (size_t k = 0; k < sizeof updating / sizeof *updating; k++) {
        ptl_scheme s = scheme(updating[k]);
        if (!ptl_scheme_updates_fixed(&s)) fail_msg("%s updates something fixed", s.name);
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        ptl_scheme s = scheme(others[k]);
        if (ptl_scheme_updates_fixed(&s)) fail_msg("%s updates nothing fixed", s.name);
    }
}

static void name_of(const char* bytes, size_t n, const char* expected) {
    ptl_instance i;
    size_t length;
    assert_int_equal(ptl_decode(&ptl_x86_64, (const uint8_t*)bytes, n, &i, &length, NULL), PTL_OK);
    assert_string_equal(i.scheme.name, expected);
    assert_int_equal(length, n);
}

static void encodings_of_one_operation_are_one_scheme(void** state) {
    (void)state;
    name_of("\x48\x01\xd8", 3, "add r64, r64");               /* opcode 01 */
    name_of("\x48\x03\xd8", 3, "add r64, r64");               /* opcode 03 */
    name_of("\x48\x05\x11\x11\x11\x11", 6, "add r64, imm32"); /* rax, short */
    name_of("\x48\x81\xc0\x11\x11\x11\x11", 7, "add r64, imm32");
    name_of("\x48\x83\xc0\x11", 4, "add r64, imm8");
    name_of("\x48\x93", 2, "xchg r64, r64");
    name_of("\x90", 1, "nop");
    name_of("\x00\xe0", 2, "add r8, r8"); /* ah */
    name_of("\xc5\xf9\x58\xc1", 4, "vaddpd xmm, xmm, xmm");
    name_of("\xc4\xe1\x79\x58\xc1", 5, "vaddpd xmm, xmm, xmm");
}

/* The walk meets everything: what random bytes decode to is in the catalogue, described in the same way. */
static void random_instructions_are_in_the_catalogue(void** state) {
    (void)state;
    ptl_catalogue* c = catalogue_of(PTL_X86_ALL);
    static const uint8_t starts[] = {0x66, 0xF2, 0xF3, 0x48, 0x0F, 0xC4, 0xC5, 0x62, 0x8F, 0x67, 0x2E, 0x41};
    ptl_rng r = ptl_rng_seed(7);
    unsigned met = 0;
    for (unsigned k = 0; k < 400000; k++) {
        uint8_t bytes[15];
        for (size_t b = 0; b < sizeof bytes; b++) bytes[b] = (uint8_t)ptl_rng_below(&r, 256);
        if (k % 3) bytes[0] = starts[ptl_rng_below(&r, sizeof starts)];
        if (bytes[0] == 0x62 && k % 2)
            bytes[1] = (uint8_t)(0xF0 | ptl_rng_below(&r, 8)), bytes[2] |= 0x7C, bytes[3] |= 8;
        ptl_instance i;
        size_t n;
        if (ptl_decode(&ptl_x86_64, bytes, sizeof bytes, &i, &n, NULL) != PTL_OK) continue;
        if (i.scheme.prefixes &
            ~(unsigned)(PTL_PREFIX_LOCK | PTL_PREFIX_REP | PTL_PREFIX_REPE | PTL_PREFIX_REPNE))
            continue;
        bool narrow = false; /* registers that hold a 32-bit address are not in the catalogue */
        for (size_t b = 0; b < 4; b++) narrow |= bytes[b] == 0x67;
        const ptl_scheme* known = ptl_catalogue_find(c, i.scheme.name);
        if (!known && narrow) continue;
        if (!known) fail_msg("not in the catalogue: %s", i.scheme.name);
        if (memcmp(known, &i.scheme, sizeof *known) != 0)
            fail_msg("differs from the catalogue: %s", known->name);
        met++;
    }
    assert_true(met > 100000);
    ptl_catalogue_free(c);
}

/* Against what Zydis says of classes, numbers and what encloses a register. */
static void registers_are_where_zydis_has_them(void** state) {
    (void)state;
    for (unsigned r = 0; r <= ZYDIS_REGISTER_MAX_VALUE; r++) {
        ZydisRegister widest = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, (ZydisRegister)r);
        ptl_file wanted = ptl_file_of_class(ptl_x86_64.register_class(r));
        unsigned number = 99;
        assert_int_equal(ptl_register_place(&ptl_x86_64, r, &number), wanted);
        if (wanted == PTL_FILES) continue;
        assert_int_equal(number, ZydisRegisterGetId(wanted == PTL_FILE_GPR ? widest : (ZydisRegister)r));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_are_where_zydis_has_them),
        cmocka_unit_test(the_catalogue_is_large_sorted_and_without_conflicts),
        cmocka_unit_test(every_name_leads_to_its_scheme_without_the_catalogue),
        cmocka_unit_test(what_is_no_name_is_refused),
        cmocka_unit_test(mnemonics_are_in_order),
        cmocka_unit_test(an_add_is_what_it_should_be),
        cmocka_unit_test(special_operands_are_told_apart),
        cmocka_unit_test(updates_of_fixed_operands_are_seen),
        cmocka_unit_test(encodings_of_one_operation_are_one_scheme),
        cmocka_unit_test(random_instructions_are_in_the_catalogue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
