/* Text to words: which form of A64 a statement means. */
#ifndef PTL_ISA_AARCH64_MATCH_H
#define PTL_ISA_AARCH64_MATCH_H

#include "isa/aarch64/shape.h"

/* The word of a statement; false if no form takes its operands. Other names of instructions are resolved
 * first (isa/aarch64/other_names.h). */
bool ptl_a64_match_any(const ptl_shape* shape, uint32_t* word);

/* Forms of the mnemonic with so many operands as the statement has, "forms: add x, x, x; ...", as many as
 * fit; or where to find them, if it is another name. Returns out. */
const char* ptl_a64_describe_forms(const ptl_shape* shape, char* out, size_t size);

/* Tells whether a form, or another name, has this mnemonic. */
bool ptl_a64_is_mnemonic(const char* mnemonic);

#endif
