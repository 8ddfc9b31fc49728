#include "isa/aarch64/other_names.h"

#include <string.h>

#include "isa/aarch64/recipe.h"

static const struct {
    const char* from;
    const char* to;
    uint8_t recipe;
} rules[] = {
    {"mov", "add", PTL_RECIPE_COPY_SP},
    {"mov", "orr", PTL_RECIPE_COPY},
    {"mov", "movz", PTL_RECIPE_NUMBER},
    {"mov", "movn", PTL_RECIPE_NOT_NUMBER},
    {"mov", "orr", PTL_RECIPE_MASK},
    {"mov", "orr", PTL_RECIPE_COPY_VECTOR},
    {"mov", "ins", PTL_RECIPE_SAME},
    {"mov", "umov", PTL_RECIPE_SAME},
    {"mov", "dup", PTL_RECIPE_SAME},
    {"movz", "movz", PTL_RECIPE_NUMBER},
    {"cmp", "subs", PTL_RECIPE_COMPARE},
    {"cmn", "adds", PTL_RECIPE_COMPARE},
    {"tst", "ands", PTL_RECIPE_COMPARE},
    {"neg", "sub", PTL_RECIPE_NEGATE},
    {"negs", "subs", PTL_RECIPE_NEGATE},
    {"mvn", "orn", PTL_RECIPE_NEGATE},
    {"ngc", "sbc", PTL_RECIPE_NEGATE},
    {"ngcs", "sbcs", PTL_RECIPE_NEGATE},
    {"mvn", "not", PTL_RECIPE_SAME},
    {"mul", "madd", PTL_RECIPE_MULTIPLY},
    {"mneg", "msub", PTL_RECIPE_MULTIPLY},
    {"smull", "smaddl", PTL_RECIPE_MULTIPLY},
    {"umull", "umaddl", PTL_RECIPE_MULTIPLY},
    {"smnegl", "smsubl", PTL_RECIPE_MULTIPLY},
    {"umnegl", "umsubl", PTL_RECIPE_MULTIPLY},
    {"lsl", "lslv", PTL_RECIPE_SAME},
    {"lsr", "lsrv", PTL_RECIPE_SAME},
    {"asr", "asrv", PTL_RECIPE_SAME},
    {"ror", "rorv", PTL_RECIPE_SAME},
    {"lsl", "ubfm", PTL_RECIPE_SHIFT_LEFT},
    {"lsr", "ubfm", PTL_RECIPE_SHIFT_RIGHT},
    {"asr", "sbfm", PTL_RECIPE_SHIFT_RIGHT},
    {"ror", "extr", PTL_RECIPE_ROTATE},
    {"sxtb", "sbfm", PTL_RECIPE_EXTEND_8},
    {"sxth", "sbfm", PTL_RECIPE_EXTEND_16},
    {"sxtw", "sbfm", PTL_RECIPE_EXTEND_32},
    {"uxtb", "ubfm", PTL_RECIPE_EXTEND_8},
    {"uxth", "ubfm", PTL_RECIPE_EXTEND_16},
    {"uxtw", "ubfm", PTL_RECIPE_EXTEND_32},
    {"ubfx", "ubfm", PTL_RECIPE_EXTRACT},
    {"sbfx", "sbfm", PTL_RECIPE_EXTRACT},
    {"bfxil", "bfm", PTL_RECIPE_EXTRACT},
    {"ubfiz", "ubfm", PTL_RECIPE_INSERT},
    {"sbfiz", "sbfm", PTL_RECIPE_INSERT},
    {"bfi", "bfm", PTL_RECIPE_INSERT},
    {"cset", "csinc", PTL_RECIPE_SET},
    {"csetm", "csinv", PTL_RECIPE_SET},
    {"cinc", "csinc", PTL_RECIPE_CHANGE},
    {"cinv", "csinv", PTL_RECIPE_CHANGE},
    {"cneg", "csneg", PTL_RECIPE_CHANGE},
    {"sxtl", "sshll", PTL_RECIPE_LENGTHEN},
    {"sxtl2", "sshll2", PTL_RECIPE_LENGTHEN},
    {"uxtl", "ushll", PTL_RECIPE_LENGTHEN},
    {"uxtl2", "ushll2", PTL_RECIPE_LENGTHEN},
    {"ret", "ret", PTL_RECIPE_RETURN},
    {"nop", "hint", PTL_RECIPE_HINT_0},
    {"yield", "hint", PTL_RECIPE_HINT_1},
    {"wfe", "hint", PTL_RECIPE_HINT_2},
    {"wfi", "hint", PTL_RECIPE_HINT_3},
    {"sev", "hint", PTL_RECIPE_HINT_4},
    {"sevl", "hint", PTL_RECIPE_HINT_5},
    {"rev64", "rev", PTL_RECIPE_SAME},
    /* offsets that are negative or no multiple of the size */
    {"ldr", "ldur", PTL_RECIPE_SAME},
    {"str", "stur", PTL_RECIPE_SAME},
    {"ldrb", "ldurb", PTL_RECIPE_SAME},
    {"strb", "sturb", PTL_RECIPE_SAME},
    {"ldrh", "ldurh", PTL_RECIPE_SAME},
    {"strh", "sturh", PTL_RECIPE_SAME},
    {"ldrsb", "ldursb", PTL_RECIPE_SAME},
    {"ldrsh", "ldursh", PTL_RECIPE_SAME},
    {"ldrsw", "ldursw", PTL_RECIPE_SAME},
    {"prfm", "prfum", PTL_RECIPE_SAME},
    {"add", "add", PTL_RECIPE_PAGES},
    {"sub", "sub", PTL_RECIPE_PAGES},
    {"adds", "adds", PTL_RECIPE_PAGES},
    {"subs", "subs", PTL_RECIPE_PAGES},
    {"add", "sub", PTL_RECIPE_NEGATIVE},
    {"sub", "add", PTL_RECIPE_NEGATIVE},
    {"adds", "subs", PTL_RECIPE_NEGATIVE},
    {"subs", "adds", PTL_RECIPE_NEGATIVE},
    {"add", "add", PTL_RECIPE_EXTENDED},
    {"sub", "sub", PTL_RECIPE_EXTENDED},
    {"adds", "adds", PTL_RECIPE_EXTENDED},
    {"subs", "subs", PTL_RECIPE_EXTENDED},
    {"add", "add", PTL_RECIPE_NO_SHIFT},
    {"sub", "sub", PTL_RECIPE_NO_SHIFT},
    {"adds", "adds", PTL_RECIPE_NO_SHIFT},
    {"subs", "subs", PTL_RECIPE_NO_SHIFT},
    {"and", "and", PTL_RECIPE_NO_SHIFT},
    {"ands", "ands", PTL_RECIPE_NO_SHIFT},
    {"orr", "orr", PTL_RECIPE_NO_SHIFT},
    {"eor", "eor", PTL_RECIPE_NO_SHIFT},
    {"orn", "orn", PTL_RECIPE_NO_SHIFT},
    {"eon", "eon", PTL_RECIPE_NO_SHIFT},
    {"bic", "bic", PTL_RECIPE_NO_SHIFT},
    {"bics", "bics", PTL_RECIPE_NO_SHIFT},
    {"movz", "movz", PTL_RECIPE_NO_SHIFT},
    {"movn", "movn", PTL_RECIPE_NO_SHIFT},
    {"movk", "movk", PTL_RECIPE_NO_SHIFT},
    {"movi", "movi", PTL_RECIPE_NO_SHIFT},
    {"mvni", "mvni", PTL_RECIPE_NO_SHIFT},
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
    return ptl_a64_recipe_apply((ptl_a64_recipe)rules[k].recipe, out);
}
