/* One statement of assembler text to machine code, through Zydis' encoder. */
#ifndef PTL_ISA_TEXT_ENCODE_H
#define PTL_ISA_TEXT_ENCODE_H

#include "isa/x86_64/text_statement.h"

#define PTL_TEXT_CODE 15

/* Tells how to encode a branch to a label. */
typedef struct ptl_branch {
    int64_t distance; /* from the end of the instruction */
    ZydisBranchWidth width;
} ptl_branch;

/* Encodes; *n is the length. The size of a memory operand is inferred if the text leaves it out and only one
 * fits. branch is for a label operand, otherwise NULL. Messages carry the position through the lexer. */
ptl_status ptl_encode_statement(ptl_lexer* lexer, const ptl_statement* statement, const ptl_branch* branch,
                                uint8_t out[PTL_TEXT_CODE], size_t* n);

/* Is it jmp, jcc, call, loop, xbegin, ...: does it take a label? */
bool ptl_takes_label(ZydisMnemonic mnemonic);

/* jrcxz, loop: the label is within 127 bytes. */
bool ptl_is_short_only(ZydisMnemonic mnemonic);

/* Forms that this mnemonic has with so many operands, such as "imul r64, r64, imm; ..."; as many as fit. */
const char* ptl_describe_forms(ZydisMnemonic mnemonic, unsigned operand_count, char* out, size_t size);

#endif
