/* Operands of assembler text. */
#include <string.h>
#include <strings.h>

#include "isa/x86_64/text_names.h"
#include "isa/x86_64/text_statement.h"

static ptl_status fail_here(ptl_lexer* lexer, const char* what, const char* mend) {
    char shown[32];
    const ptl_token* token = &lexer->token;
    if (token->kind == PTL_TOKEN_END || token->kind == PTL_TOKEN_SEPARATOR) {
        return ptl_lexer_fail(lexer, token->start, mend, "%s, but the statement ends", what);
    }
    return ptl_lexer_fail(lexer, token->start, mend, "%s instead of '%s'", what,
                          ptl_token_show(token->start, token->length, shown));
}

static ptl_status expect(ptl_lexer* lexer, char mark, const char* what) {
    return ptl_lexer_at(lexer, mark) ? ptl_lexer_advance(lexer) : fail_here(lexer, what, NULL);
}

typedef struct size_word {
    const char* word;
    uint16_t bytes;
} size_word;

static const size_word size_words[] = {
    {"byte", 1},     {"word", 2},   {"dword", 4},    {"fword", 6},   {"qword", 8},    {"mmword", 8},
    {"tbyte", 10},   {"xword", 10}, {"oword", 16},   {"dqword", 16}, {"xmmword", 16}, {"yword", 32},
    {"ymmword", 32}, {"zword", 64}, {"zmmword", 64}, {"opaque", 0},
};

/* "qword ptr", "qword"; leaves the token behind it. *found says whether there was one. */
static ptl_status parse_size(ptl_lexer* lexer, uint16_t* size, bool* found) {
    *found = false;
    for (size_t i = 0; i < sizeof size_words / sizeof *size_words && !*found; i++) {
        if (!ptl_lexer_at_word(lexer, size_words[i].word)) continue;
        *size = size_words[i].bytes;
        *found = true;
    }
    if (!*found) return PTL_OK;
    ptl_status status = ptl_lexer_advance(lexer);
    if (!status && ptl_lexer_at_word(lexer, "ptr")) status = ptl_lexer_advance(lexer);
    return status;
}

/* [+-] number, for branch targets and immediates */
static ptl_status parse_number(ptl_lexer* lexer, ptl_text_operand* operand) {
    operand->kind = PTL_TEXT_NUMBER;
    ptl_status status = PTL_OK;
    if (ptl_lexer_at(lexer, '-') || ptl_lexer_at(lexer, '+')) {
        operand->negative = lexer->token.mark == '-';
        status = ptl_lexer_advance(lexer);
        if (status) return status;
    }
    if (lexer->token.kind != PTL_TOKEN_NUMBER) return fail_here(lexer, "a number is expected", NULL);
    operand->number = lexer->token.value;
    if (operand->negative && operand->number > (uint64_t)INT64_MAX + 1) {
        return ptl_lexer_fail(lexer, lexer->token.start, "use at most 64 bits", "the number is too small");
    }
    return ptl_lexer_advance(lexer);
}

static bool is_index_register(ZydisRegister r) {
    ZydisRegisterClass c = ZydisRegisterGetClass(r);
    return c == ZYDIS_REGCLASS_XMM || c == ZYDIS_REGCLASS_YMM || c == ZYDIS_REGCLASS_ZMM;
}

static bool is_address_register(ZydisRegister r) {
    ZydisRegisterClass c = ZydisRegisterGetClass(r);
    return c == ZYDIS_REGCLASS_GPR64 || c == ZYDIS_REGCLASS_GPR32 || c == ZYDIS_REGCLASS_IP ||
           is_index_register(r);
}

/* One register of an address; scale 0 when the text has none. */
static ptl_status add_register(ptl_lexer* lexer, ptl_text_operand* memory, ZydisRegister r, uint64_t scale,
                               const char* at) {
    if (!is_address_register(r)) {
        return ptl_lexer_fail(lexer, at, "use 64-bit registers, as in [rax + 4*rcx + 8]",
                              "'%s' cannot be part of an address", ZydisRegisterGetString(r));
    }
    if (scale > 8 || (scale & (scale - 1))) {
        return ptl_lexer_fail(lexer, at, "use 1, 2, 4 or 8", "no such scale");
    }
    bool free_base = memory->base == ZYDIS_REGISTER_NONE, free_index = memory->index == ZYDIS_REGISTER_NONE;
    if (scale == 0 && free_base && !is_index_register(r)) {
        memory->base = r;
    } else if (free_index) {
        memory->index = r;
        memory->scale = scale ? (uint8_t)scale : 1;
    } else if (free_base && scale <= 1 && !is_index_register(r)) {
        memory->base = r;
    } else {
        return ptl_lexer_fail(lexer, at, "an address has one base and one index register",
                              "too many registers in an address");
    }
    return PTL_OK;
}

static ptl_status add_displacement(ptl_lexer* lexer, ptl_text_operand* memory, uint64_t value, bool negative,
                                   const char* at) {
    int64_t addend = negative ? (int64_t)(0 - value) : (int64_t)value;
    bool fits = negative ? value <= (uint64_t)INT64_MAX + 1 : 1; /* absolute addresses use all 64 bits */
    if (!fits || __builtin_add_overflow(memory->displacement, addend, &memory->displacement)) {
        return ptl_lexer_fail(lexer, at, "use at most 64 bits", "the displacement is too large");
    }
    return PTL_OK;
}

static ZydisRegister register_at(const ptl_lexer* lexer) {
    if (lexer->token.kind != PTL_TOKEN_WORD) return ZYDIS_REGISTER_NONE;
    return ptl_register_by_name(lexer->token.start, lexer->token.length);
}

/* number | number * register | register | register * number; the sign is read already */
static ptl_status parse_term(ptl_lexer* lexer, ptl_text_operand* memory, bool negative) {
    const char* at = lexer->token.start;
    ZydisRegister r = register_at(lexer);
    bool is_number = lexer->token.kind == PTL_TOKEN_NUMBER;
    uint64_t value = lexer->token.value;
    if (!is_number && r == ZYDIS_REGISTER_NONE) {
        return fail_here(lexer, "a register or a number is expected in an address",
                         "as in [rax + 4*rcx - 0x10]");
    }
    ptl_status status = ptl_lexer_advance(lexer);
    if (status) return status;
    bool is_product = ptl_lexer_at(lexer, '*');
    if (is_product) {
        status = ptl_lexer_advance(lexer);
        if (status) return status;
        if (is_number) {
            r = register_at(lexer);
        } else {
            value = lexer->token.value;
        }
        if (is_number ? r == ZYDIS_REGISTER_NONE : lexer->token.kind != PTL_TOKEN_NUMBER) {
            return fail_here(lexer, "a register times a number is expected", "as in [rax + 4*rcx]");
        }
        if (value == 0) return ptl_lexer_fail(lexer, at, "use 1, 2, 4 or 8", "no such scale");
        status = ptl_lexer_advance(lexer);
        if (status) return status;
    }
    if (is_number && !is_product) return add_displacement(lexer, memory, value, negative, at);
    if (negative) return ptl_lexer_fail(lexer, at, "add it", "a register is subtracted in an address");
    return add_register(lexer, memory, r, is_product ? value : 0, at);
}

/* rsp cannot be an index: in [rax + rsp] the two change places; and vice versa for 1*rsp */
static void settle(ptl_text_operand* memory) {
    bool is_stack = memory->index == ZYDIS_REGISTER_RSP || memory->index == ZYDIS_REGISTER_ESP;
    if (is_stack && memory->scale == 1) {
        ZydisRegister base = memory->base;
        memory->base = memory->index;
        memory->index = base;
        memory->scale = base == ZYDIS_REGISTER_NONE ? 0 : 1;
    }
}

/* Any number of + and -, as in [rax + -16]. */
static ptl_status parse_signs(ptl_lexer* lexer, bool* negative) {
    ptl_status status = PTL_OK;
    *negative = false;
    while (!status && (ptl_lexer_at(lexer, '-') || ptl_lexer_at(lexer, '+'))) {
        *negative ^= lexer->token.mark == '-';
        status = ptl_lexer_advance(lexer);
    }
    return status;
}

/* [ term (+|- term)* ], with a segment inside or in front */
static ptl_status parse_memory(ptl_lexer* lexer, ptl_text_operand* memory) {
    memory->kind = PTL_TEXT_MEMORY;
    ptl_status status = expect(lexer, '[', "'[' is expected");
    if (!status && memory->segment == ZYDIS_REGISTER_NONE &&
        ZydisRegisterGetClass(register_at(lexer)) == ZYDIS_REGCLASS_SEGMENT) {
        memory->segment = register_at(lexer);
        status = ptl_lexer_advance(lexer);
        if (!status) status = expect(lexer, ':', "':' is expected after a segment register");
    }
    bool negative = false;
    if (!status) status = parse_signs(lexer, &negative);
    while (!status) {
        status = parse_term(lexer, memory, negative);
        if (status || !(ptl_lexer_at(lexer, '+') || ptl_lexer_at(lexer, '-'))) break;
        status = parse_signs(lexer, &negative);
    }
    if (status) return status;
    settle(memory);
    return expect(lexer, ']', "'+', '-' or ']' is expected in an address");
}

/* st(1) */
static ptl_status parse_stack_register(ptl_lexer* lexer, ptl_text_operand* operand) {
    ptl_status status = ptl_lexer_advance(lexer);
    if (status) return status;
    if (lexer->token.kind != PTL_TOKEN_NUMBER || lexer->token.value > 7) {
        return fail_here(lexer, "a number from 0 to 7 is expected", "as in st(1)");
    }
    operand->reg = ZYDIS_REGISTER_ST0 + (unsigned)lexer->token.value;
    status = ptl_lexer_advance(lexer);
    return status ? status : expect(lexer, ')', "')' is expected");
}

/* A register, `segment:[...]`, or a label. */
static ptl_status parse_word(ptl_lexer* lexer, ptl_statement* statement, ptl_text_operand* operand) {
    ptl_token word = lexer->token;
    operand->reg = register_at(lexer);
    ptl_status status = ptl_lexer_advance(lexer);
    if (status) return status;
    if (ZydisRegisterGetClass(operand->reg) == ZYDIS_REGCLASS_SEGMENT && ptl_lexer_at(lexer, ':')) {
        operand->segment = operand->reg;
        status = ptl_lexer_advance(lexer);
        return status ? status : parse_memory(lexer, operand);
    }
    operand->kind = PTL_TEXT_REGISTER;
    if (operand->reg == ZYDIS_REGISTER_ST0 && word.length == 2 && ptl_lexer_at(lexer, '(')) {
        return parse_stack_register(lexer, operand);
    }
    if (operand->reg != ZYDIS_REGISTER_NONE) return PTL_OK;
    bool is_short = word.length == 5 && strncasecmp(word.start, "short", 5) == 0;
    bool is_near = word.length == 4 && strncasecmp(word.start, "near", 4) == 0;
    if ((is_short || is_near) &&
        (lexer->token.kind == PTL_TOKEN_WORD || lexer->token.kind == PTL_TOKEN_NUMBER ||
         ptl_lexer_at(lexer, '+') || ptl_lexer_at(lexer, '-'))) {
        statement->branch = is_short ? PTL_BRANCH_SHORT : PTL_BRANCH_NEAR;
        if (lexer->token.kind != PTL_TOKEN_WORD) return parse_number(lexer, operand);
        word = lexer->token;
        status = ptl_lexer_advance(lexer);
        if (status) return status;
    }
    operand->kind = PTL_TEXT_LABEL;
    operand->label = word.start;
    operand->label_length = word.length;
    return PTL_OK;
}

static const struct {
    const char* word;
    ZydisRoundingMode mode;
} rounding_words[] = {
    {"rn", ZYDIS_ROUNDING_MODE_RN},
    {"rd", ZYDIS_ROUNDING_MODE_RD},
    {"ru", ZYDIS_ROUNDING_MODE_RU},
    {"rz", ZYDIS_ROUNDING_MODE_RZ},
};

/* {rn-sae}: a word, a minus, a word */
static ptl_status parse_rounding(ptl_lexer* lexer, ptl_statement* statement) {
    for (size_t i = 0; i < sizeof rounding_words / sizeof *rounding_words; i++) {
        if (!ptl_lexer_at_word(lexer, rounding_words[i].word)) continue;
        statement->rounding = rounding_words[i].mode;
        ptl_status status = ptl_lexer_advance(lexer);
        if (!status) status = expect(lexer, '-', "'-sae' is expected");
        if (status) return status;
        if (ptl_lexer_at_word(lexer, "sae")) break;
        return fail_here(lexer, "'sae' is expected", "as in {rn-sae}");
    }
    statement->sae = true;
    return ptl_lexer_advance(lexer);
}

/* The N of 1toN, which the lexer takes for a bad number. */
static unsigned broadcast_count(const char* p, const char* end) {
    static const struct {
        const char* text;
        unsigned count;
    } counts[] = {{"1to2}", 2}, {"1to4}", 4}, {"1to8}", 8}, {"1to16}", 16}, {"1to32}", 32}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        size_t length = strlen(counts[i].text);
        if ((size_t)(end - p) >= length && strncasecmp(p, counts[i].text, length) == 0)
            return counts[i].count;
    }
    return 0;
}

/* {k1} {z} {1to8} {rn-sae} {sae}, at '{' */
static ptl_status parse_decoration(ptl_lexer* lexer, ptl_statement* statement) {
    unsigned count = broadcast_count(lexer->next, lexer->end);
    if (count) {
        statement->broadcast = count;
        lexer->next += count < 10 ? 5 : 6;
        return ptl_lexer_advance(lexer);
    }
    ptl_status status = ptl_lexer_advance(lexer);
    if (status) return status;
    ZydisRegister r = register_at(lexer);
    if (ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_MASK && statement->operand_count == 1) {
        statement->mask = r;
        status = ptl_lexer_advance(lexer);
    } else if (ptl_lexer_at_word(lexer, "z") && statement->operand_count == 1) {
        statement->zeroing = true;
        status = ptl_lexer_advance(lexer);
    } else if (ptl_lexer_at_word(lexer, "sae") || ptl_lexer_at_word(lexer, "rn") ||
               ptl_lexer_at_word(lexer, "rd") || ptl_lexer_at_word(lexer, "ru") ||
               ptl_lexer_at_word(lexer, "rz")) {
        status = parse_rounding(lexer, statement);
    } else {
        return fail_here(lexer, "a decoration is expected",
                         "{k1} and {z} follow the first operand; {1to8}, {rn-sae}, {sae} the last");
    }
    return status ? status : expect(lexer, '}', "'}' is expected");
}

static ptl_status parse_plain(ptl_lexer* lexer, ptl_statement* statement, ptl_text_operand* operand) {
    bool has_size;
    ptl_status status = parse_size(lexer, &operand->size, &has_size);
    if (status) return status;
    if (ptl_lexer_at(lexer, '[')) return parse_memory(lexer, operand);
    const char* at = lexer->token.start;
    if (lexer->token.kind == PTL_TOKEN_WORD) {
        status = parse_word(lexer, statement, operand);
    } else if (lexer->token.kind == PTL_TOKEN_NUMBER || ptl_lexer_at(lexer, '-') ||
               ptl_lexer_at(lexer, '+')) {
        status = parse_number(lexer, operand);
    } else {
        return fail_here(lexer, "a register, a number or a memory operand is expected", NULL);
    }
    if (!status && has_size && operand->kind != PTL_TEXT_MEMORY) {
        return ptl_lexer_fail(lexer, at, "as in qword ptr [rax]",
                              "a size belongs to a memory operand in brackets");
    }
    return status;
}

ptl_status ptl_parse_operand(ptl_lexer* lexer, ptl_statement* statement) {
    ptl_status status = PTL_OK;
    /* `vaddpd zmm1, zmm2, zmm3, {rn-sae}`: with a comma it is no operand */
    bool is_decoration = ptl_lexer_at(lexer, '{');
    if (!is_decoration) {
        ptl_text_operand* operand = &statement->operands[statement->operand_count];
        *operand = (ptl_text_operand){.start = lexer->token.start};
        status = parse_plain(lexer, statement, operand);
        statement->operand_count++;
    }
    while (!status && ptl_lexer_at(lexer, '{')) status = parse_decoration(lexer, statement);
    return status;
}
