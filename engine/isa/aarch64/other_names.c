#include "isa/aarch64/other_names.h"

#include <string.h>

/* What a rule makes of the operands. */
typedef enum recipe {
    SAME,         /* the same operands under another name */
    COPY,         /* d, s            -> d, zero, s */
    COPY_SP,      /* d, s            -> d, s, 0, where one is sp */
    COPY_VECTOR,  /* d, s            -> d, s, s, of bytes */
    NUMBER,       /* d, imm          -> d, imm16, lsl n */
    NOT_NUMBER,   /* d, imm          -> d, ~imm as imm16, lsl n */
    MASK,         /* d, imm          -> d, zero, imm */
    COMPARE,      /* a, ...          -> zero, a, ... */
    NEGATE,       /* d, a, ...       -> d, zero, a, ... */
    MULTIPLY,     /* d, a, b         -> d, a, b, zero */
    SHIFT_LEFT,   /* d, a, n         -> d, a, -n mod w, w - 1 - n */
    SHIFT_RIGHT,  /* d, a, n         -> d, a, n, w - 1 */
    ROTATE,       /* d, a, n         -> d, a, a, n */
    EXTEND_8,     /* d, a            -> d, a, 0, 7 */
    EXTEND_16,
    EXTEND_32,
    EXTRACT,      /* d, a, lsb, n    -> d, a, lsb, lsb + n - 1 */
    INSERT,       /* d, a, lsb, n    -> d, a, -lsb mod w, n - 1 */
    SET,          /* d, cond         -> d, zero, zero, not cond */
    CHANGE,       /* d, a, cond      -> d, a, a, not cond */
    LENGTHEN,     /* d, a            -> d, a, 0 */
    RETURN,       /*                 -> x30 */
    HINT_0, HINT_1, HINT_2, HINT_3, HINT_4, HINT_5,
    NO_SHIFT,     /* ..., lsl 0      -> ... */
    PAGES,        /* d, a, imm       -> d, a, imm / 4096, lsl 12 */
    NEGATIVE,     /* d, a, imm       -> d, a, -imm */
    EXTENDED      /* d, a, b (, lsl n) -> d, a, b, uxtx (n), where d or a is sp; uxtw of w */
} recipe;

static const struct {
    const char* from;
    const char* to;
    uint8_t recipe;
} rules[] = {
    {"mov", "add", COPY_SP},      {"mov", "orr", COPY},         {"mov", "movz", NUMBER},     {"mov", "movn", NOT_NUMBER},
    {"mov", "orr", MASK},         {"mov", "orr", COPY_VECTOR},  {"mov", "ins", SAME},        {"mov", "umov", SAME},
    {"mov", "dup", SAME},         {"movz", "movz", NUMBER},     {"cmp", "subs", COMPARE},    {"cmn", "adds", COMPARE},
    {"tst", "ands", COMPARE},     {"neg", "sub", NEGATE},       {"negs", "subs", NEGATE},    {"mvn", "orn", NEGATE},
    {"ngc", "sbc", NEGATE},       {"ngcs", "sbcs", NEGATE},     {"mvn", "not", SAME},        {"mul", "madd", MULTIPLY},
    {"mneg", "msub", MULTIPLY},   {"smull", "smaddl", MULTIPLY}, {"umull", "umaddl", MULTIPLY},
    {"smnegl", "smsubl", MULTIPLY}, {"umnegl", "umsubl", MULTIPLY}, {"lsl", "lslv", SAME},   {"lsr", "lsrv", SAME},
    {"asr", "asrv", SAME},        {"ror", "rorv", SAME},        {"lsl", "ubfm", SHIFT_LEFT}, {"lsr", "ubfm", SHIFT_RIGHT},
    {"asr", "sbfm", SHIFT_RIGHT}, {"ror", "extr", ROTATE},      {"sxtb", "sbfm", EXTEND_8},  {"sxth", "sbfm", EXTEND_16},
    {"sxtw", "sbfm", EXTEND_32},  {"uxtb", "ubfm", EXTEND_8},   {"uxth", "ubfm", EXTEND_16}, {"uxtw", "ubfm", EXTEND_32},
    {"ubfx", "ubfm", EXTRACT},    {"sbfx", "sbfm", EXTRACT},    {"bfxil", "bfm", EXTRACT},   {"ubfiz", "ubfm", INSERT},
    {"sbfiz", "sbfm", INSERT},    {"bfi", "bfm", INSERT},       {"cset", "csinc", SET},      {"csetm", "csinv", SET},
    {"cinc", "csinc", CHANGE},    {"cinv", "csinv", CHANGE},    {"cneg", "csneg", CHANGE},   {"sxtl", "sshll", LENGTHEN},
    {"sxtl2", "sshll2", LENGTHEN}, {"uxtl", "ushll", LENGTHEN}, {"uxtl2", "ushll2", LENGTHEN}, {"ret", "ret", RETURN},
    {"nop", "hint", HINT_0},      {"yield", "hint", HINT_1},    {"wfe", "hint", HINT_2},     {"wfi", "hint", HINT_3},
    {"sev", "hint", HINT_4},      {"sevl", "hint", HINT_5},     {"rev64", "rev", SAME},
    /* offsets that are negative or no multiple of the size */
    {"ldr", "ldur", SAME},        {"str", "stur", SAME},        {"ldrb", "ldurb", SAME},     {"strb", "sturb", SAME},
    {"ldrh", "ldurh", SAME},      {"strh", "sturh", SAME},      {"ldrsb", "ldursb", SAME},   {"ldrsh", "ldursh", SAME},
    {"ldrsw", "ldursw", SAME},    {"prfm", "prfum", SAME},
    {"add", "add", PAGES},        {"sub", "sub", PAGES},        {"adds", "adds", PAGES},     {"subs", "subs", PAGES},
    {"add", "sub", NEGATIVE},     {"sub", "add", NEGATIVE},     {"adds", "subs", NEGATIVE},  {"subs", "adds", NEGATIVE},
    {"add", "add", EXTENDED},     {"sub", "sub", EXTENDED},     {"adds", "adds", EXTENDED},  {"subs", "subs", EXTENDED},
    {"add", "add", NO_SHIFT},     {"sub", "sub", NO_SHIFT},     {"adds", "adds", NO_SHIFT},  {"subs", "subs", NO_SHIFT},
    {"and", "and", NO_SHIFT},     {"ands", "ands", NO_SHIFT},   {"orr", "orr", NO_SHIFT},    {"eor", "eor", NO_SHIFT},
    {"orn", "orn", NO_SHIFT},     {"eon", "eon", NO_SHIFT},     {"bic", "bic", NO_SHIFT},    {"bics", "bics", NO_SHIFT},
    {"movz", "movz", NO_SHIFT},   {"movn", "movn", NO_SHIFT},   {"movk", "movk", NO_SHIFT},  {"movi", "movi", NO_SHIFT},
    {"mvni", "mvni", NO_SHIFT},
};

enum { RULES = sizeof rules / sizeof *rules };

unsigned ptl_a64_alias_count(void) {
    return RULES;
}

bool ptl_a64_is_alias(const char* mnemonic) {
    for (unsigned k = 0; k < RULES; k++)
        if (!strcmp(mnemonic, rules[k].from)) return true;
    return false;
}

/* ---- operands */

static bool is_general(const ptl_shape_operand* o) {
    return o->kind == PTL_A64_REGISTER && (o->class == PTL_A64_X || o->class == PTL_A64_W);
}

static unsigned width_of(const ptl_shape_operand* o) {
    return o->class == PTL_A64_W ? 32 : 64;
}

static bool is_immediate(const ptl_shape_operand* o, unsigned modifier) {
    return o->kind == PTL_A64_IMMEDIATE && o->modifier == modifier;
}

static ptl_shape_operand number(int64_t value) {
    return (ptl_shape_operand){.kind = PTL_A64_IMMEDIATE, .values = {value}};
}

static ptl_shape_operand zero_like(const ptl_shape_operand* o, bool wide) {
    return (ptl_shape_operand){.kind = PTL_A64_REGISTER,
                               .class = wide ? PTL_A64_X : o->class,
                               .list = 1,
                               .values = {31}};
}

/* Puts an operand ahead of number `at`; false if there are too many. */
static bool insert(ptl_shape* s, unsigned at, ptl_shape_operand operand) {
    if (s->count == PTL_SHAPE_OPERANDS_MAX || at > s->count) return false;
    memmove(&s->operands[at + 1], &s->operands[at], (s->count - at) * sizeof operand);
    s->operands[at] = operand;
    s->count++;
    return true;
}

static bool append(ptl_shape* s, ptl_shape_operand operand) {
    return insert(s, s->count, operand);
}

/* ---- recipes */

/* A number of 16 bits at a multiple of 16. */
static bool take_halfword(ptl_shape* s, bool inverted) {
    ptl_shape_operand* o = s->operands;
    if (s->count != 2 || !is_general(&o[0]) || !is_immediate(&o[1], PTL_A64_PLAIN)) return false;
    unsigned width = width_of(&o[0]);
    uint64_t value = (uint64_t)o[1].values[0];
    if (width == 32) {
        if (value >> 32 && value >> 31 != UINT64_C(0x1FFFFFFFF)) return false;
        value &= UINT32_MAX;
    }
    if (inverted) value = ~value & (width == 32 ? UINT32_MAX : UINT64_MAX);
    unsigned shift = 0;
    while (shift + 16 < width && (value >> shift & 0xFFFF) == 0) shift += 16;
    if (value == 0) shift = 0;
    if (value >> shift >> 16) return false;
    o[1].values[0] = (int64_t)(value >> shift);
    if (shift == 0) return true;
    ptl_shape_operand amount = number(shift);
    amount.modifier = PTL_A64_LSL;
    return append(s, amount);
}

static bool copy_vector(ptl_shape* s) {
    if (s->count != 2 || s->operands[0].class != PTL_A64_V || s->operands[1].class != PTL_A64_V) return false;
    for (unsigned k = 0; k < 2; k++) s->operands[k].element_width = 8;
    return append(s, s->operands[1]);
}

static bool shift_by_number(ptl_shape* s, recipe r) {
    ptl_shape_operand* o = s->operands;
    if (s->count != 3 || !is_general(&o[0]) || !is_immediate(&o[2], PTL_A64_PLAIN)) return false;
    int64_t width = width_of(&o[0]), n = o[2].values[0];
    if (n < 0 || n >= width) return false;
    if (r == ROTATE) return insert(s, 2, o[1]);
    if (r == SHIFT_LEFT) o[2].values[0] = (width - n) % width;
    return append(s, number(r == SHIFT_LEFT ? width - 1 - n : width - 1));
}

static bool extend(ptl_shape* s, unsigned bits) {
    ptl_shape_operand* o = s->operands;
    if (s->count != 2 || !is_general(&o[0]) || !is_general(&o[1])) return false;
    o[1].class = o[0].class; /* sxtw x0, w1 */
    return append(s, number(0)) && append(s, number(bits - 1));
}

static bool bit_field(ptl_shape* s, bool inserts) {
    ptl_shape_operand* o = s->operands;
    if (s->count != 4 || !is_general(&o[0]) || !is_immediate(&o[2], 0) || !is_immediate(&o[3], 0)) return false;
    int64_t width = width_of(&o[0]), lsb = o[2].values[0], n = o[3].values[0];
    if (lsb < 0 || n < 1 || lsb + n > width) return false;
    o[2].values[0] = inserts ? (width - lsb) % width : lsb;
    o[3].values[0] = inserts ? n - 1 : lsb + n - 1;
    return true;
}

static bool invert_condition(ptl_shape* s) {
    ptl_shape_operand* last = &s->operands[s->count - 1];
    if (!is_immediate(last, PTL_A64_COND) || last->values[0] >= 14) return false;
    last->values[0] ^= 1;
    return true;
}

/* add x0, sp, x1 is written without the extension that it has. */
static bool extend_by_stack_pointer(ptl_shape* s) {
    ptl_shape_operand* o = s->operands;
    if (s->count < 3 || !is_general(&o[0]) || !is_general(&o[1]) || !is_general(&o[2])) return false;
    if (!o[0].is_sp && !o[1].is_sp) return false;
    unsigned modifier = o[0].class == PTL_A64_W ? PTL_A64_UXTW : PTL_A64_UXTX;
    if (s->count == 3) {
        ptl_shape_operand extension = number(0);
        extension.modifier = (uint8_t)modifier;
        return append(s, extension);
    }
    if (!is_immediate(&o[3], PTL_A64_LSL)) return false;
    o[3].modifier = (uint8_t)modifier;
    return true;
}

static bool drop_shift(ptl_shape* s) {
    ptl_shape_operand* last = &s->operands[s->count ? s->count - 1 : 0];
    if (s->count < 2 || !is_immediate(last, PTL_A64_LSL) || last->values[0]) return false;
    s->count--;
    return true;
}

static bool sum_with_number(ptl_shape* s, bool negative) {
    ptl_shape_operand* o = s->operands;
    if (s->count != 3 || !is_general(&o[1]) || !is_immediate(&o[2], PTL_A64_PLAIN)) return false;
    int64_t value = o[2].values[0];
    if (negative) {
        if (value >= 0 || value < -0xFFF000) return false;
        o[2].values[0] = -value;
        return true;
    }
    if (value < 4096 || value % 4096) return false;
    o[2].values[0] = value / 4096;
    ptl_shape_operand shift = number(12);
    shift.modifier = PTL_A64_LSL;
    return append(s, shift);
}

static bool apply(recipe r, ptl_shape* s) {
    ptl_shape_operand* o = s->operands;
    bool general = s->count > 0 && is_general(&o[0]);
    bool copies = s->count == 2 && general && is_general(&o[1]);
    switch (r) {
    case SAME: return true;
    case COPY: return copies && insert(s, 1, zero_like(&o[0], false));
    case COPY_SP: return copies && (o[0].is_sp || o[1].is_sp) && append(s, number(0));
    case COPY_VECTOR: return copy_vector(s);
    case NUMBER: return take_halfword(s, false);
    case NOT_NUMBER: return take_halfword(s, true);
    case MASK: return s->count == 2 && general && insert(s, 1, zero_like(&o[0], false));
    case COMPARE: return general && insert(s, 0, zero_like(&o[0], false));
    case NEGATE: return general && insert(s, 1, zero_like(&o[0], false));
    case MULTIPLY: return s->count == 3 && general && append(s, zero_like(&o[0], false));
    case SHIFT_LEFT:
    case SHIFT_RIGHT:
    case ROTATE: return shift_by_number(s, r);
    case EXTEND_8: return extend(s, 8);
    case EXTEND_16: return extend(s, 16);
    case EXTEND_32: return extend(s, 32);
    case EXTRACT: return bit_field(s, false);
    case INSERT: return bit_field(s, true);
    case SET:
        return s->count == 2 && general && insert(s, 1, zero_like(&o[0], false)) &&
               insert(s, 1, zero_like(&o[0], false)) && invert_condition(s);
    case CHANGE: return s->count == 3 && general && insert(s, 2, o[1]) && invert_condition(s);
    case LENGTHEN: return s->count == 2 && append(s, number(0));
    case RETURN: {
        ptl_shape_operand link = zero_like(NULL, true);
        link.values[0] = 30;
        return s->count == 0 && append(s, link);
    }
    case NO_SHIFT: return drop_shift(s);
    case PAGES: return sum_with_number(s, false);
    case NEGATIVE: return sum_with_number(s, true);
    case EXTENDED: return extend_by_stack_pointer(s);
    default: return s->count == 0 && append(s, number(r - HINT_0));
    }
}

bool ptl_a64_alias_resolve(unsigned k, const ptl_shape* shape, ptl_shape* out) {
    if (k >= RULES || strcmp(shape->mnemonic, rules[k].from) != 0) return false;
    *out = *shape;
    strcpy(out->mnemonic, rules[k].to);
    return apply((recipe)rules[k].recipe, out);
}
