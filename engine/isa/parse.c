#include "isa/parse.h"

#include <stdlib.h>

#include "isa/architecture.h"

ptl_status ptl_assemble_text(const ptl_architecture* architecture, const char* text, size_t length,
                             ptl_code* out, ptl_error* error) {
    *out = (ptl_code){0};
    if (length > PTL_TEXT_MAX) {
        return ptl_fail(error, PTL_LIMIT, NULL, "assemble it in parts",
                        "%zu bytes of assembler text, the limit is %u", length, PTL_TEXT_MAX);
    }
    return architecture->assemble(text, length, out, error);
}

void ptl_code_free(ptl_code* code) {
    free(code->bytes);
    free(code->offsets);
    *code = (ptl_code){0};
}
