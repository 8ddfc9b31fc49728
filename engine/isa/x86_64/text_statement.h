/* One statement of assembler text: prefixes, mnemonic, operands, EVEX decorations; syntax only. */
#ifndef PTL_ISA_TEXT_STATEMENT_H
#define PTL_ISA_TEXT_STATEMENT_H

#include <Zydis/Zydis.h>

#include "isa/text_lexer.h"

#define PTL_TEXT_OPERANDS_MAX 5

typedef enum ptl_text_kind {
    PTL_TEXT_REGISTER,
    PTL_TEXT_MEMORY,
    PTL_TEXT_NUMBER,
    PTL_TEXT_LABEL
} ptl_text_kind;

typedef struct ptl_text_operand {
    ptl_text_kind kind;
    const char* start; /* in the text, for messages */
    ZydisRegister reg;
    uint16_t size; /* of memory in bytes; 0: the text does not say */
    ZydisRegister segment, base, index;
    uint8_t scale;
    int64_t displacement;
    uint64_t number;   /* the magnitude */
    bool negative;     /* its sign */
    const char* label; /* not NUL-terminated */
    size_t label_length;
} ptl_text_operand;

typedef enum ptl_branch_form {
    PTL_BRANCH_ANY,
    PTL_BRANCH_SHORT,
    PTL_BRANCH_NEAR,
    PTL_BRANCH_FAR
} ptl_branch_form;

typedef struct ptl_statement {
    const char* start; /* of the mnemonic, for messages */
    size_t name_length;
    ZydisInstructionAttributes prefixes;
    ZydisMnemonic mnemonic;
    unsigned operand_count;
    ptl_text_operand operands[PTL_TEXT_OPERANDS_MAX];
    ZydisRegister mask; /* {k1}; ZYDIS_REGISTER_NONE without */
    bool zeroing;       /* {z} */
    unsigned broadcast; /* N of {1toN}, or 0 */
    ZydisRoundingMode rounding;
    bool sae;
    ptl_branch_form branch;
} ptl_statement;

/* Reads a statement at the current token, which is a word, up to the separator behind it. */
ptl_status ptl_parse_statement(ptl_lexer* lexer, ptl_statement* out);

/* Reads one operand with its decorations into the statement's next place. */
ptl_status ptl_parse_operand(ptl_lexer* lexer, ptl_statement* statement);

#endif
