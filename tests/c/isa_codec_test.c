/* Instances to bytes and back; listings. */
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
#include "isa/listing.h"
#include "isa/x86_64/x86_64.h"

static void round_trip(const ptl_scheme* s, unsigned variants) {
    for (unsigned v = 0; v < variants; v++) {
        ptl_instance sample, back;
        uint8_t bytes[PTL_INSTRUCTION_MAX];
        size_t n, length;
        ptl_error e;
        ptl_instance_sample(s, v, &sample);
        if (ptl_encode(&sample, bytes, &n, &e) != PTL_OK) fail_msg("%s, variant %u: %s", s->name, v, e.what);
        assert_int_equal(ptl_decode(&ptl_x86_64, bytes, n, &back, &length, NULL), PTL_OK);
        assert_int_equal(length, n);
        if (!ptl_instance_equal(&sample, &back))
            fail_msg("%s, variant %u: decoded to %s", s->name, v, back.scheme.name);
        assert_memory_equal(&back.scheme, s, sizeof *s);
    }
}

static void every_legacy_and_vex_scheme_survives_encoding(void** state) {
    (void)state;
    ptl_catalogue* c;
    assert_int_equal(ptl_catalogue_new(&c, &ptl_x86_64, PTL_X86_LEGACY | PTL_X86_VEX, NULL), PTL_OK);
    for (size_t k = 0; k < ptl_catalogue_count(c); k++) round_trip(ptl_catalogue_at(c, k), 14);
    ptl_catalogue_free(c);
}

static void every_evex_scheme_survives_encoding(void** state) {
    (void)state;
    ptl_catalogue* c;
    assert_int_equal(ptl_catalogue_new(&c, &ptl_x86_64, PTL_X86_EVEX, NULL), PTL_OK);
    for (size_t k = 0; k < ptl_catalogue_count(c); k++) round_trip(ptl_catalogue_at(c, k), 3);
    ptl_catalogue_free(c);
}

static ptl_instance sample(const char* name) {
    ptl_scheme s;
    ptl_instance i;
    assert_int_equal(ptl_scheme_from_name(name, &s, NULL), PTL_OK);
    ptl_instance_sample(&s, 0, &i);
    return i;
}

static void expect_bytes(const ptl_instance* i, const char* bytes, size_t n) {
    uint8_t out[PTL_INSTRUCTION_MAX];
    size_t length;
    assert_int_equal(ptl_encode(i, out, &length, NULL), PTL_OK);
    assert_int_equal(length, n);
    assert_memory_equal(out, bytes, n);
}

static void operands_go_where_they_belong(void** state) {
    (void)state;
    ptl_instance i = sample("add r64, r64");
    i.values[0].reg = ZYDIS_REGISTER_RAX;
    i.values[1].reg = ZYDIS_REGISTER_R15;
    expect_bytes(&i, "\x4c\x01\xf8", 3);
    i = sample("mov r32, m32");
    i.values[0].reg = ZYDIS_REGISTER_ECX;
    i.values[1] =
        (ptl_value){.base = ZYDIS_REGISTER_RBX, .index = ZYDIS_REGISTER_RSI, .scale = 4, .number = -8};
    expect_bytes(&i, "\x8b\x4c\xb3\xf8", 4);
    i.values[1].segment = ZYDIS_REGISTER_FS;
    expect_bytes(&i, "\x64\x8b\x4c\xb3\xf8", 5);
    i = sample("vaddpd zmm, zmm, zmm {er}");
    for (unsigned k = 0; k < 3; k++) i.values[k].reg = ZYDIS_REGISTER_ZMM0;
    i.rounding = ZYDIS_ROUNDING_MODE_RZ;
    expect_bytes(&i, "\x62\xf1\xfd\x78\x58\xc0", 6);
}

static void values_that_belong_to_another_scheme_are_refused(void** state) {
    (void)state;
    uint8_t out[PTL_INSTRUCTION_MAX];
    size_t n;
    ptl_error e;
    ptl_instance i = sample("add r64, imm32");
    i.values[1].number = 5; /* an imm8 */
    assert_int_equal(ptl_encode(&i, out, &n, &e), PTL_BAD_INPUT);
    assert_non_null(strstr(e.where, "add r64, imm32"));
    i.values[1].number = INT64_C(1) << 40;
    assert_int_equal(ptl_encode(&i, out, &n, NULL), PTL_BAD_INPUT);
    i = sample("add r64, r64");
    i.values[0].reg = ZYDIS_REGISTER_XMM1;
    assert_int_equal(ptl_encode(&i, out, &n, NULL), PTL_BAD_INPUT);
    i.values[0].reg = ZYDIS_REGISTER_NONE;
    assert_int_equal(ptl_encode(&i, out, &n, NULL), PTL_BAD_INPUT);
    i.values[0].reg = 60000;
    assert_int_equal(ptl_encode(&i, out, &n, NULL), PTL_BAD_INPUT);
    i = sample("mov r8, r8"); /* ah cannot stand beside a REX prefix */
    i.values[0].reg = ZYDIS_REGISTER_AH;
    i.values[1].reg = ZYDIS_REGISTER_R9B;
    assert_int_equal(ptl_encode(&i, out, &n, NULL), PTL_BAD_INPUT);
    i.values[1].reg = ZYDIS_REGISTER_BL;
    assert_int_equal(ptl_encode(&i, out, &n, NULL), PTL_OK);
    i = sample("vgatherdps xmm, m32[xmm], xmm"); /* its registers must differ */
    i.values[0].reg = i.values[2].reg;
    assert_int_equal(ptl_encode(&i, out, &n, NULL), PTL_BAD_INPUT);
}

static void what_is_no_instruction_is_refused(void** state) {
    (void)state;
    ptl_instance i;
    size_t n;
    assert_int_equal(ptl_decode(&ptl_x86_64, (const uint8_t*)"\x06", 1, &i, &n, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_decode(&ptl_x86_64, (const uint8_t*)"\x48\x01", 2, &i, &n, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_decode(&ptl_x86_64, (const uint8_t*)"", 0, &i, &n, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_decode(&ptl_x86_64, (const uint8_t*)"\x67\xa4", 2, &i, &n, NULL), PTL_UNSUPPORTED);
}

/* What random bytes decode to has a name, and from that name comes the same scheme. */
static void random_instructions_have_names(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(11);
    unsigned met = 0;
    for (unsigned k = 0; k < 50000; k++) {
        uint8_t bytes[15];
        for (size_t b = 0; b < sizeof bytes; b++) bytes[b] = (uint8_t)ptl_rng_below(&r, 256);
        ptl_instance i;
        ptl_scheme s;
        size_t n;
        if (ptl_decode(&ptl_x86_64, bytes, sizeof bytes, &i, &n, NULL) != PTL_OK) continue;
        if (ptl_scheme_from_name(i.scheme.name, &s, NULL) != PTL_OK)
            fail_msg("no such name: %s", i.scheme.name);
        assert_memory_equal(&s, &i.scheme, sizeof s);
        met++;
    }
    assert_true(met > 10000);
}

static void listings_go_on_where_capstone_gives_up(void** state) {
    (void)state;
    ptl_listing* l;
    ptl_line line;
    assert_int_equal(ptl_listing_new(&l, &ptl_x86_64, NULL), PTL_OK);
    ptl_listing_line(l, (const uint8_t*)"\x48\x01\xd8", 3, 0, &line);
    assert_string_equal(line.text, "add rax, rbx");
    assert_int_equal(line.size, 3);
    ptl_listing_line(l, (const uint8_t*)"\xf0\x48\x01\x03", 4, 0, &line);
    assert_string_equal(line.mnemonic, "add");
    ptl_listing_line(l, (const uint8_t*)"\x62\xf2\xf5\x48\x50\xc2", 6, 0, &line); /* unknown to Capstone 4 */
    assert_int_equal(line.size, 1);
    ptl_listing_line(l, (const uint8_t*)"\xc4\xe2\x71\x50\xc2", 5, 0, &line); /* vpdpbusd, likewise */
    assert_int_equal(line.size, 5);
    assert_string_equal(line.mnemonic, "");
    assert_non_null(strstr(line.text, "vpdpbusd"));
    ptl_listing_line(l, (const uint8_t*)"\x06", 1, 0, &line);
    assert_string_equal(line.text, ".byte 0x06");
    assert_int_equal(line.size, 1);
    ptl_listing_att_line(l, (const uint8_t*)"\x06", 1, 0, &line);
    assert_string_equal(line.text, ".byte 0x06");
    ptl_listing_att_line(l, (const uint8_t*)"\x48\x8b\x44\x8e\x20", 5, 0, &line);
    assert_string_equal(line.text, "mov 0x20(%rsi,%rcx,4), %rax");
    assert_int_equal(line.size, 5);
    ptl_listing_free(l);
    ptl_listing_free(NULL);
}

static void capstone_has_an_opinion(void** state) {
    (void)state;
    ptl_listing* l;
    ptl_line line;
    assert_int_equal(ptl_listing_new(&l, &ptl_x86_64, NULL), PTL_OK);
    ptl_instance i = sample("add r64, r64");
    assert_int_equal(ptl_listing_check(l, &i.scheme, (const uint8_t*)"\x48\x01\xd8", 3, &line), PTL_SAME);
    assert_int_equal(ptl_listing_check(l, &i.scheme, (const uint8_t*)"\x48\x01\xd8\x90", 4, &line),
                     PTL_OTHER_LENGTH);
    assert_int_equal(ptl_listing_check(l, &i.scheme, (const uint8_t*)"\x48\x29\xd8", 3, &line),
                     PTL_OTHER_MNEMONIC);
    assert_string_equal(line.mnemonic, "sub");
    assert_int_equal(ptl_listing_check(l, &i.scheme, (const uint8_t*)"\x06", 1, &line), PTL_UNKNOWN_TO_THEM);
    ptl_listing_free(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legacy_and_vex_scheme_survives_encoding),
        cmocka_unit_test(every_evex_scheme_survives_encoding),
        cmocka_unit_test(operands_go_where_they_belong),
        cmocka_unit_test(values_that_belong_to_another_scheme_are_refused),
        cmocka_unit_test(what_is_no_instruction_is_refused),
        cmocka_unit_test(random_instructions_have_names),
        cmocka_unit_test(listings_go_on_where_capstone_gives_up),
        cmocka_unit_test(capstone_has_an_opinion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
