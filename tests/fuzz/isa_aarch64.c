/* Any bytes as A64 machine code and as assembler text: what decodes encodes to the same instruction, is
 * written as text, and that text assembles to it; whatever text assembles decodes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/architecture.h"
#include "isa/codec.h"

static void check(int holds, const char* what, const char* name) {
    if (holds) return;
    fprintf(stderr, "%s: %s\n", what, name);
    abort();
}

static void check_word(const uint8_t* data) {
    ptl_instance i, back;
    uint8_t bytes[PTL_INSTRUCTION_MAX];
    char text[PTL_TEXT_SIZE];
    ptl_code code;
    size_t n;
    if (ptl_decode(&ptl_aarch64, data, 4, &i, &n, NULL) != PTL_OK) return;
    check(ptl_encode(&i, bytes, &n, NULL) == PTL_OK, "does not encode", i.scheme.name);
    check(ptl_decode(&ptl_aarch64, bytes, n, &back, &n, NULL) == PTL_OK && ptl_instance_equal(&i, &back),
          "another instruction", i.scheme.name);
    check(ptl_format_instruction(&ptl_aarch64, bytes, 4, text, NULL) == PTL_OK, "no text", i.scheme.name);
    check(ptl_assemble_text(&ptl_aarch64, text, strlen(text), &code, NULL) == PTL_OK,
          "text does not assemble", text);
    check(code.size == 4 && !memcmp(code.bytes, bytes, 4), "text is another instruction", text);
    ptl_code_free(&code);
}

static void check_text(const char* text, size_t size) {
    ptl_code code;
    if (ptl_assemble_text(&ptl_aarch64, text, size, &code, NULL) != PTL_OK) return;
    check(code.size == 4 * code.count, "its size", "text");
    for (size_t at = 0; at < code.size; at += 4) {
        ptl_instance i;
        size_t n;
        check(ptl_decode(&ptl_aarch64, code.bytes + at, 4, &i, &n, NULL) == PTL_OK,
              "assembled to what is no instruction", "text");
        check_word(code.bytes + at);
    }
    ptl_code_free(&code);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    for (size_t at = 0; at + 4 <= size && at < 256; at += 4) check_word(data + at);
    check_text((const char*)data, size);
    return 0;
}
