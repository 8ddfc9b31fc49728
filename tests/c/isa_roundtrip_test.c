/* Every scheme of the catalogue: instance -> bytes -> text -> bytes -> the same instance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "isa/catalogue.h"
#include "isa/codec.h"
#include "isa/parse.h"
#include "isa/text_format.h"
#include "isa/x86_64/x86_64.h"

typedef struct tally {
    size_t same, other, different, refused;
} tally;

/* The text of an instance does not say everything (which of two encodings, which displacement width): the
 * assembler's choice may be another scheme, but must be the same mnemonic with the same visible operands. */
static void check_text(const ptl_scheme* scheme, tally* t) {
    ptl_instance instance, again;
    uint8_t code[PTL_INSTRUCTION_MAX];
    char text[PTL_TEXT_SIZE], text_again[PTL_TEXT_SIZE];
    size_t n, m;
    ptl_error error = {0};
    ptl_instance_sample(scheme, 0, &instance);
    if (ptl_encode(&instance, code, &n, NULL) != PTL_OK) return; /* another test's affair */
    assert_int_equal(ptl_format_instruction(&ptl_x86_64, code, n, text, &error), PTL_OK);
    ptl_code assembled;
    if (ptl_assemble_text(&ptl_x86_64, text, strlen(text), &assembled, &error) != PTL_OK) {
        char line[700];
        print_message("refused: %s: %s: %s\n", scheme->name, text, ptl_error_line(&error, line, sizeof line));
        t->refused++;
        return;
    }
    assert_int_equal(ptl_decode(&ptl_x86_64, assembled.bytes, assembled.size, &again, &m, &error), PTL_OK);
    assert_int_equal(m, assembled.size);
    assert_int_equal(ptl_format_instruction(&ptl_x86_64, assembled.bytes, m, text_again, &error), PTL_OK);
    if (ptl_instance_equal(&instance, &again)) {
        t->same++;
    } else if (strcmp(text, text_again) == 0) {
        t->other++;

    } else {
        t->different++;
        print_message("different: %s: %s became %s (%s)\n", scheme->name, text, text_again,
                      again.scheme.name);
    }
    ptl_code_free(&assembled);
}

static void every_scheme_survives_as_text(void** state) {
    (void)state;
    ptl_catalogue* catalogue;
    tally t = {0};
    assert_int_equal(ptl_catalogue_new(&catalogue, &ptl_x86_64, PTL_X86_ALL, NULL), PTL_OK);
    for (size_t i = 0; i < ptl_catalogue_count(catalogue); i++)
        check_text(ptl_catalogue_at(catalogue, i), &t);
    print_message(
        "text round trip: %zu same, %zu other encoding of the same text, %zu different, %zu refused\n",
        t.same, t.other, t.different, t.refused);
    ptl_catalogue_free(catalogue);
    assert_int_equal(t.different, 0);
    assert_int_equal(t.refused, 0);
    assert_true(t.same > 14000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_scheme_survives_as_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
