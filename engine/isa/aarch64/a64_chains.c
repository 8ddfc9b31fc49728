/* Tells what building chains has to know of A64. */
#include <string.h>

#include "isa/aarch64/aarch64.h"

static const char* const tools[PTL_TOOLS] = {
    [PTL_TOOL_COPY_GPR] = "orr x, x, x",        [PTL_TOOL_COPY_XMM] = "orr v.16b, v.16b, v.16b",
    [PTL_TOOL_ZERO_GPR] = "movz x, imm16",      [PTL_TOOL_ZERO_VEX] = "movi v.16b, imm8",
    [PTL_TOOL_POINTER] = "add xsp, xsp, imm12", [PTL_TOOL_STORE] = "str x, [x, imm12]",
    [PTL_TOOL_TEST] = "ands x, x, x",
};

/* Vectors are written as a whole, whatever their class. */
static ptl_tool copy_tool(bool legacy, ptl_file file, ptl_register_class class) {
    (void)legacy, (void)class;
    return file == PTL_FILE_VECTOR ? PTL_TOOL_COPY_XMM : PTL_TOOL_COPY_GPR;
}

static unsigned vectors(const ptl_scheme* s) {
    (void)s;
    return 0;
}

static const char* fault(const ptl_scheme* s) {
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_a64_operand* o = ptl_a64_form_operand(s, &s->operands[k]);
        if (o && o->is_literal) return "its address is in the code";
    }
    return NULL;
}

/* Divisions by zero are 0, of any dividend. */
static bool is_division(const ptl_scheme* s) {
    (void)s;
    return false;
}

static bool wants_ones(const ptl_scheme* s, unsigned operand) {
    (void)s, (void)operand;
    return false;
}

/* What holds 0 or an address of the data holds that address behind it. */
static bool makes_base(const ptl_scheme* s) {
    return strcmp(s->name, "orr x, x, x") == 0;
}

static const ptl_flag_tool flag_tools[] = {
    {PTL_TOOL_TEST, PTL_A64_FLAGS},
    {PTL_TOOLS, 0},
};

const ptl_chain_rules ptl_a64_chains = {
    .tools = tools,
    .copy = copy_tool,
    .vectors = vectors,
    .fault = fault,
    .is_division = is_division,
    .wants_ones = wants_ones,
    .makes_base = makes_base,
    .flag_tools = flag_tools,
    .flags_kept = PTL_A64_FLAGS, /* sub and cbnz leave them alone */
    .flags_as_one = PTL_A64_FLAGS,
    /* Multiplications by an element of 16 bits can name v0 to v15 alone. */
    .registers = {[PTL_FILE_GPR] = 0x7FFFFFFF, [PTL_FILE_VECTOR] = 0xFFFF},
};
