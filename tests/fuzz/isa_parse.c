/* Any bytes as assembler text: refused with one line, or assembled into code that decodes instruction by
 * instruction and whose own text assembles again to the same text. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/architecture.h"
#include "isa/parse.h"
#include "isa/text_format.h"

static void check(int holds, const char* what, const char* text) {
    if (holds) return;
    fprintf(stderr, "%s: %s\n", what, text);
    abort();
}

static void check_instruction(const uint8_t* bytes, size_t size) {
    char text[PTL_TEXT_SIZE], again[PTL_TEXT_SIZE];
    ptl_code code;
    check(ptl_format_instruction(&ptl_x86_64, bytes, size, text, NULL) == PTL_OK, "not an instruction", "");
    if (ptl_assemble_text(&ptl_x86_64, text, strlen(text), &code, NULL) != PTL_OK)
        check(0, "not understood again", text);
    check(ptl_format_instruction(&ptl_x86_64, code.bytes, code.size, again, NULL) == PTL_OK,
          "not an instruction", text);
    check(strcmp(text, again) == 0, text, again);
    ptl_code_free(&code);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    ptl_code code;
    ptl_error error = {0};
    char line[700];
    if (ptl_assemble_text(&ptl_x86_64, (const char*)data, size, &code, &error) != PTL_OK) {
        ptl_error_line(&error, line, sizeof line);
        check(strlen(line) > 0 && !strchr(line, '\n'), "not one line", line);
        check(!code.bytes && !code.offsets, "code in spite of an error", line);
        return 0;
    }
    check(code.offsets[code.count] == code.size, "offsets", "");
    for (size_t i = 0; i < code.count; i++) {
        check_instruction(code.bytes + code.offsets[i], code.offsets[i + 1] - code.offsets[i]);
    }
    ptl_code_free(&code);
    return 0;
}
