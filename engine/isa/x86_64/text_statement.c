#include "isa/x86_64/text_statement.h"

#include <stdio.h>
#include <string.h>

#include "isa/x86_64/text_names.h"

typedef struct prefix_word {
    const char* word;
    ZydisInstructionAttributes attribute;
} prefix_word;

static const prefix_word prefix_words[] = {
    {"lock", ZYDIS_ATTRIB_HAS_LOCK},         {"rep", ZYDIS_ATTRIB_HAS_REP},
    {"repe", ZYDIS_ATTRIB_HAS_REPE},         {"repz", ZYDIS_ATTRIB_HAS_REPE},
    {"repne", ZYDIS_ATTRIB_HAS_REPNE},       {"repnz", ZYDIS_ATTRIB_HAS_REPNE},
    {"bnd", ZYDIS_ATTRIB_HAS_BND},           {"notrack", ZYDIS_ATTRIB_HAS_NOTRACK},
    {"xacquire", ZYDIS_ATTRIB_HAS_XACQUIRE}, {"xrelease", ZYDIS_ATTRIB_HAS_XRELEASE},
};

static ZydisInstructionAttributes prefix_at(const ptl_lexer* lexer) {
    for (size_t i = 0; i < sizeof prefix_words / sizeof *prefix_words; i++) {
        if (ptl_lexer_at_word(lexer, prefix_words[i].word)) return prefix_words[i].attribute;
    }
    return 0;
}

static bool at_end(const ptl_lexer* lexer) {
    return lexer->token.kind == PTL_TOKEN_END || lexer->token.kind == PTL_TOKEN_SEPARATOR;
}

static ptl_status unknown_mnemonic(ptl_lexer* lexer) {
    const ptl_token* token = &lexer->token;
    const char* nearest = ptl_nearest_mnemonic(token->start, token->length);
    char shown[32], mend[80] = "write Intel syntax: add rax, rbx";
    if (nearest) snprintf(mend, sizeof mend, "did you mean '%s'?", nearest);
    return ptl_lexer_fail(lexer, token->start, mend, "unknown mnemonic '%s'",
                          ptl_token_show(token->start, token->length, shown));
}

/* An alias may imply a last operand: cmpltps is cmpps with 1. */
static ptl_status add_predicate(ptl_lexer* lexer, ptl_statement* statement, int predicate) {
    if (predicate < 0) return PTL_OK;
    if (statement->operand_count == PTL_TEXT_OPERANDS_MAX) {
        return ptl_lexer_fail(lexer, statement->start, "remove some", "too many operands");
    }
    statement->operands[statement->operand_count++] =
        (ptl_text_operand){.kind = PTL_TEXT_NUMBER, .start = statement->start, .number = (uint64_t)predicate};
    return PTL_OK;
}

static ptl_status parse_operands(ptl_lexer* lexer, ptl_statement* statement) {
    ptl_status status = PTL_OK;
    while (!status && !at_end(lexer)) {
        if (statement->operand_count == PTL_TEXT_OPERANDS_MAX) {
            return ptl_lexer_fail(lexer, lexer->token.start, "remove some", "too many operands");
        }
        status = ptl_parse_operand(lexer, statement);
        if (status || at_end(lexer)) break;
        char shown[32];
        if (!ptl_lexer_at(lexer, ',')) {
            return ptl_lexer_fail(lexer, lexer->token.start, "separate operands by commas, statements by ';'",
                                  "unexpected '%s'",
                                  ptl_token_show(lexer->token.start, lexer->token.length, shown));
        }
        status = ptl_lexer_advance(lexer);
        if (!status && at_end(lexer)) {
            return ptl_lexer_fail(lexer, lexer->token.start, "add it or remove the comma",
                                  "an operand is missing after ','");
        }
    }
    return status;
}

ptl_status ptl_parse_statement(ptl_lexer* lexer, ptl_statement* out) {
    *out = (ptl_statement){0};
    ptl_status status = PTL_OK;
    for (ZydisInstructionAttributes prefix; !status && (prefix = prefix_at(lexer)) != 0;) {
        out->prefixes |= prefix;
        status = ptl_lexer_advance(lexer);
    }
    if (status) return status;
    if (lexer->token.kind != PTL_TOKEN_WORD) {
        return ptl_lexer_fail(lexer, lexer->token.start, "write an instruction like add rax, rbx",
                              "a mnemonic is expected");
    }
    out->start = lexer->token.start;
    out->name_length = lexer->token.length;
    ptl_mnemonic_meaning meaning = ptl_mnemonic_by_name(out->start, out->name_length);
    out->mnemonic = meaning.mnemonic;
    if (meaning.mnemonic == ZYDIS_MNEMONIC_INVALID) return unknown_mnemonic(lexer);
    status = ptl_lexer_advance(lexer);
    if (!status && ptl_lexer_at_word(lexer, "far")) { /* jmp far, call far, ret far */
        out->branch = PTL_BRANCH_FAR;
        status = ptl_lexer_advance(lexer);
    }
    if (!status) status = parse_operands(lexer, out);
    return status ? status : add_predicate(lexer, out, meaning.predicate);
}
