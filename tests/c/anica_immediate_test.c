/* Kinds of immediates (engine/anica/immediate.h), over all schemes: what is asked for comes back from the
 * decoder; names split again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "anica/immediate.h"
#include "isa/catalogue.h"
#include "isa/x86_64/x86_64.h"
#include "sampling_policy.h"

static void encodes_and_decodes(const ptl_scheme* scheme, ptl_immediate kind, const ptl_policy* policy) {
    ptl_instance instance, back;
    uint8_t bytes[PTL_INSTRUCTION_MAX];
    size_t n, used;
    ptl_instance_sample(scheme, 1, &instance);
    ptl_immediate_set(&instance, kind, policy);
    assert_int_equal(ptl_encode(&instance, bytes, &n, NULL), PTL_OK);
    assert_int_equal(ptl_decode(&ptl_x86_64, bytes, n, &back, &used, NULL), PTL_OK);
    assert_string_equal(back.scheme.name, scheme->name);
    assert_int_equal(ptl_immediate_of(&back), kind);
}

static void splits(const ptl_scheme* scheme, ptl_immediate kind) {
    char name[PTL_NAME_SIZE], plain[PTL_NAME_SIZE];
    assert_true(ptl_variant_name(scheme->name, kind, name));
    assert_int_equal(ptl_variant_split(name, plain), kind);
    assert_string_equal(plain, scheme->name);
}

static void test_all_schemes(void** state) {
    (void)state;
    ptl_policy policy;
    ptl_catalogue* catalogue;
    size_t with = 0, counts[PTL_IMMEDIATES] = {0};
    sampling_policy(&policy, 32);
    assert_int_equal(ptl_catalogue_new(&catalogue, &ptl_x86_64, PTL_X86_LEGACY | PTL_X86_VEX, NULL), PTL_OK);
    for (size_t i = 0; i < ptl_catalogue_count(catalogue); i++) {
        const ptl_scheme* scheme = ptl_catalogue_at(catalogue, i);
        unsigned kinds = ptl_immediate_kinds(scheme, &policy);
        splits(scheme, PTL_IMMEDIATE_ANY);
        if (ptl_immediate_operand(scheme) < 0) assert_int_equal(kinds, 0);
        with += kinds != 0;
        for (int kind = PTL_IMMEDIATE_ZERO; kind < PTL_IMMEDIATES; kind++) {
            if (!(kinds >> kind & 1)) continue;
            counts[kind]++;
            encodes_and_decodes(scheme, (ptl_immediate)kind, &policy);
            splits(scheme, (ptl_immediate)kind);
        }
    }
    assert_true(with > 300);
    for (int kind = PTL_IMMEDIATE_ZERO; kind < PTL_IMMEDIATES; kind++) assert_true(counts[kind] > 50);
    ptl_catalogue_free(catalogue);
}

static void test_kinds_of_some(void** state) {
    static const struct {
        const char* name;
        unsigned kinds;
    } cases[] = {
        {"add r64, r64", 0},
        {"add r64, imm8", 1 << PTL_IMMEDIATE_ZERO | 1 << PTL_IMMEDIATE_ONE | 1 << PTL_IMMEDIATE_SMALL},
        {"add r64, imm32", 1 << PTL_IMMEDIATE_WIDE}, /* what fits in 8 bits is of the other scheme */
        {"shl r64, imm8", 1 << PTL_IMMEDIATE_ZERO | 1 << PTL_IMMEDIATE_SMALL}, /* `shl r64, 1` */
        {"shl r64, 1", 0},
        {"shl r64, cl", 0},
    };
    (void)state;
    ptl_policy policy;
    sampling_policy(&policy, 32);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ptl_scheme scheme;
        assert_int_equal(ptl_scheme_from_name(cases[i].name, &scheme, NULL), PTL_OK);
        assert_int_equal(ptl_immediate_kinds(&scheme, &policy), cases[i].kinds);
    }
}

static void test_longer_forms_than_needed(void** state) {
    static const uint8_t push_1[] = {0x68, 1, 0, 0, 0};
    (void)state;
    ptl_instance instance;
    size_t n;
    assert_int_equal(ptl_decode(&ptl_x86_64, push_1, sizeof push_1, &instance, &n, NULL), PTL_OK);
    assert_string_equal(instance.scheme.name, "push imm32");
    assert_int_equal(ptl_immediate_of(&instance), PTL_IMMEDIATE_WIDE);
}

static void test_names_that_are_none(void** state) {
    (void)state;
    char plain[PTL_NAME_SIZE], longest[2 * PTL_NAME_SIZE], name[PTL_NAME_SIZE];
    assert_int_equal(ptl_variant_split("shl r64, imm8 = tea", plain), PTL_IMMEDIATE_ANY);
    memset(longest, 'x', sizeof longest);
    strcpy(longest + sizeof longest - sizeof " = 0", " = 0");
    assert_int_equal(ptl_variant_split(longest, plain), PTL_IMMEDIATE_ANY);
    assert_int_equal(strlen(plain), PTL_NAME_SIZE - 1);
    assert_false(ptl_variant_name(longest, PTL_IMMEDIATE_ZERO, name));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_schemes),
        cmocka_unit_test(test_kinds_of_some),
        cmocka_unit_test(test_longer_forms_than_needed),
        cmocka_unit_test(test_names_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
