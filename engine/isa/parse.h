/* Assembler text to machine code, in this process (no assembler is started).
 *
 * Of x86-64 Intel syntax as LLVM's and GNU's assemblers and Zydis print it: statements are separated by
 * newlines or ';', comments begin with '#' or '//'. `name:` is a label, a target of jumps within the text;
 * a number as the target of a jump counts from the end of the instruction. docs/assembler.md says it all. */
#ifndef PTL_ISA_PARSE_H
#define PTL_ISA_PARSE_H

#include <stddef.h>
#include <stdint.h>

#include "isa/scheme.h"

#define PTL_TEXT_MAX (1u << 20) /* bytes of text; more is refused with PTL_LIMIT */

typedef struct ptl_code {
    uint8_t* bytes;
    size_t size;
    size_t count;      /* instructions */
    uint32_t* offsets; /* count + 1 of them */
} ptl_code;

/* Assembles the whole text or nothing. Time is linear in the length. On PTL_OK release with ptl_code_free. */
ptl_status ptl_assemble_text(const ptl_architecture* architecture, const char* text, size_t length,
                             ptl_code* out, ptl_error* error);

void ptl_code_free(ptl_code* code);

#endif
