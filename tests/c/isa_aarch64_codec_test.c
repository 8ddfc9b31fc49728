/* A64: all schemes, encoded, decoded, written as text and assembled again; no Capstone here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/aarch64/form.h"
#include "isa/architecture.h"
#include "isa/catalogue.h"

enum { VARIANTS = 64 };

static ptl_catalogue* all_schemes(const ptl_architecture* architecture, unsigned sets) {
    ptl_catalogue* catalogue;
    ptl_error error;
    assert_int_equal(ptl_catalogue_new(&catalogue, architecture, sets, &error), PTL_OK);
    return catalogue;
}

static void encoding_and_decoding_give_the_instance_back(void** state) {
    (void)state;
    ptl_catalogue* c = all_schemes(&ptl_aarch64, 3);
    assert_true(ptl_catalogue_count(c) >= 1800);
    assert_int_equal(ptl_catalogue_conflicts(c), 0);
    for (size_t k = 0; k < ptl_catalogue_count(c); k++) {
        for (unsigned variant = 0; variant < VARIANTS; variant++) {
            ptl_instance sample, back;
            uint8_t code[PTL_INSTRUCTION_MAX];
            size_t size = 0, length = 0;
            ptl_error error = {0};
            ptl_instance_sample(ptl_catalogue_at(c, k), variant, &sample);
            if (ptl_encode(&sample, code, &size, &error))
                fail_msg("%s variant %u: %s", sample.scheme.name, variant, error.what);
            assert_int_equal(size, 4);
            if (ptl_decode(&ptl_aarch64, code, size, &back, &length, &error))
                fail_msg("%s: %s", sample.scheme.name, error.what);
            if (!ptl_instance_equal(&sample, &back))
                fail_msg("%s became %s", sample.scheme.name, back.scheme.name);
        }
    }
    ptl_catalogue_free(c);
}

static void text_assembles_to_the_same_word(void** state) {
    (void)state;
    ptl_catalogue* c = all_schemes(&ptl_aarch64, 3);
    for (size_t k = 0; k < ptl_catalogue_count(c); k++) {
        for (unsigned variant = 0; variant < VARIANTS; variant += 7) {
            ptl_instance sample;
            uint8_t code[PTL_INSTRUCTION_MAX];
            char text[PTL_TEXT_SIZE];
            size_t size;
            ptl_error error = {0};
            ptl_code again;
            ptl_instance_sample(ptl_catalogue_at(c, k), variant, &sample);
            assert_int_equal(ptl_encode(&sample, code, &size, &error), PTL_OK);
            assert_int_equal(ptl_format_instruction(&ptl_aarch64, code, size, text, &error), PTL_OK);
            if (ptl_assemble_text(&ptl_aarch64, text, strlen(text), &again, &error))
                fail_msg("%s as \"%s\": %s", sample.scheme.name, text, error.what);
            if (again.size != 4 || memcmp(again.bytes, code, 4) != 0)
                fail_msg("%s as \"%s\" is another", sample.scheme.name, text);
            ptl_code_free(&again);
        }
    }
    ptl_catalogue_free(c);
}

static uint64_t next_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Any word that is an instruction: what it decodes to is encoded as the same instruction; most words come out
 * alike (logical immediates have several encodings). */
static void random_words_survive(void** state) {
    (void)state;
    uint64_t seed = 20;
    unsigned decoded = 0;
    for (unsigned k = 0; k < 400000; k++) {
        const ptl_a64_form* f = &ptl_a64_forms[next_random(&seed) % ptl_a64_form_count];
        uint32_t word = ((uint32_t)(next_random(&seed) >> 20) & ~f->mask) | f->value;
        uint8_t code[PTL_INSTRUCTION_MAX];
        ptl_instance one, two;
        size_t n;
        ptl_error error = {0};
        for (unsigned b = 0; b < 4; b++) code[b] = (uint8_t)(word >> 8 * b);
        if (ptl_decode(&ptl_aarch64, code, 4, &one, &n, &error)) continue;
        decoded++;
        if (ptl_encode(&one, code, &n, &error)) fail_msg("%08x, %s: %s", word, one.scheme.name, error.what);
        uint32_t again = code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
        if (again != word && (word & 0x1F800000) != 0x12000000)
            fail_msg("%08x, %s, became %08x", word, one.scheme.name, again);
        assert_int_equal(ptl_decode(&ptl_aarch64, code, 4, &two, &n, &error), PTL_OK);
        assert_true(ptl_instance_equal(&one, &two));
    }
    assert_true(decoded > 300000);
}

static void names_find_their_schemes(void** state) {
    (void)state;
    ptl_catalogue* c = all_schemes(&ptl_aarch64, 3);
    for (size_t k = 0; k < ptl_catalogue_count(c); k++) {
        ptl_scheme s;
        ptl_error error;
        assert_int_equal(ptl_scheme_from_name(ptl_catalogue_at(c, k)->name, &s, &error), PTL_OK);
        assert_ptr_equal(s.architecture, &ptl_aarch64);
        assert_string_equal(s.name, ptl_catalogue_at(c, k)->name);
    }
    ptl_catalogue_free(c);
}

static void no_name_belongs_to_both_architectures(void** state) {
    (void)state;
    ptl_catalogue* a64 = all_schemes(&ptl_aarch64, 3);
    ptl_catalogue* x86 = all_schemes(&ptl_x86_64, 7);
    for (size_t k = 0; k < ptl_catalogue_count(a64); k++)
        if (ptl_catalogue_find(x86, ptl_catalogue_at(a64, k)->name))
            fail_msg("both have %s", ptl_catalogue_at(a64, k)->name);
    ptl_catalogue_free(a64);
    ptl_catalogue_free(x86);
}

static void short_code_and_words_that_are_nothing_are_refused(void** state) {
    (void)state;
    ptl_instance instance;
    ptl_error error = {0};
    size_t n;
    assert_int_equal(ptl_decode(&ptl_aarch64, (const uint8_t*)"\x1f\x20\x03", 3, &instance, &n, &error),
                     PTL_BAD_INPUT);
    assert_int_equal(ptl_decode(&ptl_aarch64, (const uint8_t*)"\0\0\0\0", 4, &instance, &n, &error),
                     PTL_BAD_INPUT);
    /* ldp x1, x1, [x2]: into one register twice; ldr x2, [x2], 8: the base is loaded and written back */
    assert_int_equal(ptl_decode(&ptl_aarch64, (const uint8_t*)"\x41\x04\x40\xa9", 4, &instance, &n, &error),
                     PTL_BAD_INPUT);
    assert_int_equal(ptl_decode(&ptl_aarch64, (const uint8_t*)"\x42\x84\x40\xf8", 4, &instance, &n, &error),
                     PTL_BAD_INPUT);
}

static void a_shift_by_zero_is_another_scheme(void** state) {
    (void)state;
    ptl_instance i;
    ptl_scheme s;
    ptl_error error = {0};
    uint8_t code[PTL_INSTRUCTION_MAX];
    size_t n;
    assert_int_equal(ptl_scheme_from_name("add x, x, x, lsl imm6", &s, &error), PTL_OK);
    ptl_instance_sample(&s, 0, &i);
    assert_int_equal(ptl_encode(&i, code, &n, &error), PTL_OK);
    i.values[3].number = 0;
    assert_int_equal(ptl_encode(&i, code, &n, &error), PTL_BAD_INPUT);
    i.values[3].number = 64;
    assert_int_equal(ptl_encode(&i, code, &n, &error), PTL_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoding_and_decoding_give_the_instance_back),
        cmocka_unit_test(text_assembles_to_the_same_word),
        cmocka_unit_test(random_words_survive),
        cmocka_unit_test(names_find_their_schemes),
        cmocka_unit_test(no_name_belongs_to_both_architectures),
        cmocka_unit_test(short_code_and_words_that_are_nothing_are_refused),
        cmocka_unit_test(a_shift_by_zero_is_another_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
