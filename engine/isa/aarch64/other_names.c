#include "isa/aarch64/other_names.h"

#include <string.h>

#include "isa/aarch64/recipe.h"

static const struct {
    const char* from;
    const char* to;
    uint8_t recipe;
    uint8_t number; /* of PTL_RECIPE_DEFAULT */
} rules[] = {
    {"mov", "add", PTL_RECIPE_COPY_SP, 0},
    {"mov", "orr", PTL_RECIPE_COPY, 0},
    {"mov", "movz", PTL_RECIPE_NUMBER, 0},
    {"mov", "movn", PTL_RECIPE_NOT_NUMBER, 0},
    {"mov", "orr", PTL_RECIPE_MASK, 0},
    {"mov", "orr", PTL_RECIPE_COPY_VECTOR, 0},
    {"mov", "ins", PTL_RECIPE_SAME, 0},
    {"mov", "umov", PTL_RECIPE_SAME, 0},
    {"mov", "dup", PTL_RECIPE_SAME, 0},
    {"movz", "movz", PTL_RECIPE_NUMBER, 0},
    {"cmp", "subs", PTL_RECIPE_COMPARE, 0},
    {"cmn", "adds", PTL_RECIPE_COMPARE, 0},
    {"tst", "ands", PTL_RECIPE_COMPARE, 0},
    {"neg", "sub", PTL_RECIPE_NEGATE, 0},
    {"negs", "subs", PTL_RECIPE_NEGATE, 0},
    {"mvn", "orn", PTL_RECIPE_NEGATE, 0},
    {"ngc", "sbc", PTL_RECIPE_NEGATE, 0},
    {"ngcs", "sbcs", PTL_RECIPE_NEGATE, 0},
    {"mvn", "not", PTL_RECIPE_SAME, 0},
    {"mul", "madd", PTL_RECIPE_MULTIPLY, 0},
    {"mneg", "msub", PTL_RECIPE_MULTIPLY, 0},
    {"smull", "smaddl", PTL_RECIPE_MULTIPLY, 0},
    {"umull", "umaddl", PTL_RECIPE_MULTIPLY, 0},
    {"smnegl", "smsubl", PTL_RECIPE_MULTIPLY, 0},
    {"umnegl", "umsubl", PTL_RECIPE_MULTIPLY, 0},
    {"lsl", "lslv", PTL_RECIPE_SAME, 0},
    {"lsr", "lsrv", PTL_RECIPE_SAME, 0},
    {"asr", "asrv", PTL_RECIPE_SAME, 0},
    {"ror", "rorv", PTL_RECIPE_SAME, 0},
    {"lsl", "ubfm", PTL_RECIPE_SHIFT_LEFT, 0},
    {"lsr", "ubfm", PTL_RECIPE_SHIFT_RIGHT, 0},
    {"asr", "sbfm", PTL_RECIPE_SHIFT_RIGHT, 0},
    {"ror", "extr", PTL_RECIPE_ROTATE, 0},
    {"sxtb", "sbfm", PTL_RECIPE_EXTEND_8, 0},
    {"sxth", "sbfm", PTL_RECIPE_EXTEND_16, 0},
    {"sxtw", "sbfm", PTL_RECIPE_EXTEND_32, 0},
    {"uxtb", "ubfm", PTL_RECIPE_EXTEND_8, 0},
    {"uxth", "ubfm", PTL_RECIPE_EXTEND_16, 0},
    {"uxtw", "orr", PTL_RECIPE_TRUNCATE, 0},
    {"uxtw", "ubfm", PTL_RECIPE_EXTEND_32, 0},
    {"ubfx", "ubfm", PTL_RECIPE_EXTRACT, 0},
    {"sbfx", "sbfm", PTL_RECIPE_EXTRACT, 0},
    {"bfxil", "bfm", PTL_RECIPE_EXTRACT, 0},
    {"ubfiz", "ubfm", PTL_RECIPE_INSERT, 0},
    {"sbfiz", "sbfm", PTL_RECIPE_INSERT, 0},
    {"bfi", "bfm", PTL_RECIPE_INSERT, 0},
    {"bfc", "bfm", PTL_RECIPE_CLEAR, 0},
    {"cset", "csinc", PTL_RECIPE_SET, 0},
    {"csetm", "csinv", PTL_RECIPE_SET, 0},
    {"cinc", "csinc", PTL_RECIPE_CHANGE, 0},
    {"cinv", "csinv", PTL_RECIPE_CHANGE, 0},
    {"cneg", "csneg", PTL_RECIPE_CHANGE, 0},
    {"sxtl", "sshll", PTL_RECIPE_LENGTHEN, 0},
    {"sxtl2", "sshll2", PTL_RECIPE_LENGTHEN, 0},
    {"uxtl", "ushll", PTL_RECIPE_LENGTHEN, 0},
    {"uxtl2", "ushll2", PTL_RECIPE_LENGTHEN, 0},
    {"ret", "ret", PTL_RECIPE_RETURN, 0},
    {"nop", "hint", PTL_RECIPE_DEFAULT, 0},
    {"yield", "hint", PTL_RECIPE_DEFAULT, 1},
    {"wfe", "hint", PTL_RECIPE_DEFAULT, 2},
    {"wfi", "hint", PTL_RECIPE_DEFAULT, 3},
    {"sev", "hint", PTL_RECIPE_DEFAULT, 4},
    {"sevl", "hint", PTL_RECIPE_DEFAULT, 5},
    {"dgh", "hint", PTL_RECIPE_DEFAULT, 6},
    {"xpaclri", "hint", PTL_RECIPE_DEFAULT, 7},
    {"pacia1716", "hint", PTL_RECIPE_DEFAULT, 8},
    {"pacib1716", "hint", PTL_RECIPE_DEFAULT, 10},
    {"autia1716", "hint", PTL_RECIPE_DEFAULT, 12},
    {"autib1716", "hint", PTL_RECIPE_DEFAULT, 14},
    {"esb", "hint", PTL_RECIPE_DEFAULT, 16},
    {"csdb", "hint", PTL_RECIPE_DEFAULT, 20},
    {"paciaz", "hint", PTL_RECIPE_DEFAULT, 24},
    {"paciasp", "hint", PTL_RECIPE_DEFAULT, 25},
    {"pacibz", "hint", PTL_RECIPE_DEFAULT, 26},
    {"pacibsp", "hint", PTL_RECIPE_DEFAULT, 27},
    {"autiaz", "hint", PTL_RECIPE_DEFAULT, 28},
    {"autiasp", "hint", PTL_RECIPE_DEFAULT, 29},
    {"autibz", "hint", PTL_RECIPE_DEFAULT, 30},
    {"autibsp", "hint", PTL_RECIPE_DEFAULT, 31},
    {"bti", "hint", PTL_RECIPE_DEFAULT, 32},
    {"bti", "hint", PTL_RECIPE_SAME, 0},
    {"psb", "hint", PTL_RECIPE_SAME, 0},
    {"isb", "isb", PTL_RECIPE_DEFAULT, 15},
    {"clrex", "clrex", PTL_RECIPE_DEFAULT, 15},
    {"ssbb", "dsb", PTL_RECIPE_DEFAULT, 0},
    {"pssbb", "dsb", PTL_RECIPE_DEFAULT, 4},
    {"dc", "sys", PTL_RECIPE_CACHE, 0},
    {"ic", "sys", PTL_RECIPE_CACHE, 0},
    {"fmov", "fmov", PTL_RECIPE_FLOAT_ZERO, 0},
    {"movi", "movi", PTL_RECIPE_BYTE, 0},
    {"mvni", "mvni", PTL_RECIPE_BYTE, 0},
    {"tbz", "tbz", PTL_RECIPE_LOW_BIT, 0},
    {"tbnz", "tbnz", PTL_RECIPE_LOW_BIT, 0},
    {"rev64", "rev", PTL_RECIPE_SAME, 0},
    /* offsets that are negative or no multiple of the size */
    {"ldr", "ldur", PTL_RECIPE_SAME, 0},
    {"str", "stur", PTL_RECIPE_SAME, 0},
    {"ldrb", "ldurb", PTL_RECIPE_SAME, 0},
    {"strb", "sturb", PTL_RECIPE_SAME, 0},
    {"ldrh", "ldurh", PTL_RECIPE_SAME, 0},
    {"strh", "sturh", PTL_RECIPE_SAME, 0},
    {"ldrsb", "ldursb", PTL_RECIPE_SAME, 0},
    {"ldrsh", "ldursh", PTL_RECIPE_SAME, 0},
    {"ldrsw", "ldursw", PTL_RECIPE_SAME, 0},
    {"prfm", "prfum", PTL_RECIPE_SAME, 0},
    {"add", "add", PTL_RECIPE_PAGES, 0},
    {"sub", "sub", PTL_RECIPE_PAGES, 0},
    {"adds", "adds", PTL_RECIPE_PAGES, 0},
    {"subs", "subs", PTL_RECIPE_PAGES, 0},
    {"add", "sub", PTL_RECIPE_NEGATIVE, 0},
    {"sub", "add", PTL_RECIPE_NEGATIVE, 0},
    {"adds", "subs", PTL_RECIPE_NEGATIVE, 0},
    {"subs", "adds", PTL_RECIPE_NEGATIVE, 0},
    {"add", "add", PTL_RECIPE_EXTENDED, 0},
    {"sub", "sub", PTL_RECIPE_EXTENDED, 0},
    {"adds", "adds", PTL_RECIPE_EXTENDED, 0},
    {"subs", "subs", PTL_RECIPE_EXTENDED, 0},
    {"add", "add", PTL_RECIPE_NO_SHIFT, 0},
    {"sub", "sub", PTL_RECIPE_NO_SHIFT, 0},
    {"adds", "adds", PTL_RECIPE_NO_SHIFT, 0},
    {"subs", "subs", PTL_RECIPE_NO_SHIFT, 0},
    {"and", "and", PTL_RECIPE_NO_SHIFT, 0},
    {"ands", "ands", PTL_RECIPE_NO_SHIFT, 0},
    {"orr", "orr", PTL_RECIPE_NO_SHIFT, 0},
    {"eor", "eor", PTL_RECIPE_NO_SHIFT, 0},
    {"orn", "orn", PTL_RECIPE_NO_SHIFT, 0},
    {"eon", "eon", PTL_RECIPE_NO_SHIFT, 0},
    {"bic", "bic", PTL_RECIPE_NO_SHIFT, 0},
    {"bics", "bics", PTL_RECIPE_NO_SHIFT, 0},
    {"movz", "movz", PTL_RECIPE_NO_SHIFT, 0},
    {"movn", "movn", PTL_RECIPE_NO_SHIFT, 0},
    {"movk", "movk", PTL_RECIPE_NO_SHIFT, 0},
    {"movi", "movi", PTL_RECIPE_NO_SHIFT, 0},
    {"mvni", "mvni", PTL_RECIPE_NO_SHIFT, 0},
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

bool ptl_a64_alias_resolve(unsigned k, const ptl_shape* shape, ptl_shape* out) {
    if (k >= RULES || strcmp(shape->mnemonic, rules[k].from) != 0) return false;
    *out = *shape;
    strcpy(out->mnemonic, rules[k].to);
    return ptl_a64_recipe_apply((ptl_a64_recipe)rules[k].recipe, rules[k].number, out);
}
