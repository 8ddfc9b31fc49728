/* Tells what building chains has to know of x86-64. */
#include <string.h>

#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"
#include "isa/x86_64/x87.h"

static const char* const tools[PTL_TOOLS] = {
    [PTL_TOOL_COPY_GPR] = "mov r64, r64",
    [PTL_TOOL_COPY_SSE] = "movaps xmm, xmm",
    [PTL_TOOL_COPY_XMM] = "vmovaps xmm, xmm",
    [PTL_TOOL_COPY_YMM] = "vmovaps ymm, ymm",
    [PTL_TOOL_COPY_ZMM] = "vmovaps zmm, zmm",
    [PTL_TOOL_COPY_MASK] = "kmovq k, k",
    [PTL_TOOL_COPY_MMX] = "movq mm, mm",
    [PTL_TOOL_ZERO_GPR] = "mov r32, imm32",
    [PTL_TOOL_ZERO_SSE] = "pxor xmm, xmm",
    [PTL_TOOL_ZERO_VEX] = "vpxor xmm, xmm, xmm",
    [PTL_TOOL_ONES] = "vpcmpeqd ymm, ymm, ymm",
    [PTL_TOOL_POINTER] = "lea r64, m",
    [PTL_TOOL_STORE] = "mov m64, r64",
    [PTL_TOOL_TEST] = "test r64, r64",
    [PTL_TOOL_INC] = "inc r64",
    [PTL_TOOL_CLC] = "clc",
    [PTL_TOOL_STACK_LOAD] = "fld m64",
    [PTL_TOOL_STACK_STORE] = "fstp st",
};

static bool is_division(const ptl_scheme* s) {
    return s->mnemonic == ZYDIS_MNEMONIC_DIV || s->mnemonic == ZYDIS_MNEMONIC_IDIV;
}

/* The mask of a gather of AVX2, of which an element is loaded where the highest bit is set. */
static bool is_gather_mask(const ptl_scheme* s, unsigned k) {
    return k == 2 && strcmp(s->category, "AVX2GATHER") == 0;
}

static ptl_tool copy_tool(bool legacy, ptl_file file, ptl_register_class class) {
    switch (file) {
    case PTL_FILE_VECTOR:
        if (legacy) return PTL_TOOL_COPY_SSE;
        return class == PTL_ZMM   ? PTL_TOOL_COPY_ZMM
               : class == PTL_YMM ? PTL_TOOL_COPY_YMM
                                  : PTL_TOOL_COPY_XMM;
    case PTL_FILE_MASK: return PTL_TOOL_COPY_MASK;
    case PTL_FILE_MMX: return PTL_TOOL_COPY_MMX;
    default: return PTL_TOOL_COPY_GPR;
    }
}

static unsigned vectors(const ptl_scheme* s) {
    unsigned uses = 0;
    for (unsigned k = 0; k < s->operand_count; k++) {
        uint8_t c = s->operands[k].register_class;
        if (c == PTL_MMX) uses |= PTL_VECTORS_MMX;
        if (c == PTL_X87) uses |= PTL_VECTORS_STACK;
        if (c != PTL_XMM && c != PTL_YMM && c != PTL_ZMM) continue;
        uses |= s->encoding == PTL_LEGACY ? PTL_VECTORS_LEGACY : PTL_VECTORS_WHOLE;
        if (c != PTL_XMM) uses |= PTL_VECTORS_WIDE;
    }
    return uses;
}

static const char* fault(const ptl_scheme* s) {
    if (s->prefixes & (PTL_PREFIX_REP | PTL_PREFIX_REPE | PTL_PREFIX_REPNE)) return "it repeats itself";
    if (ptl_scheme_frees_x87(s)) return "it empties a register of the x87 stack";
    return ptl_x86_moves_on(s) ? "its addresses move on by themselves" : NULL;
}

#define ALL_BUT_CARRY                                                                                        \
    (ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF)

static const ptl_flag_tool flag_tools[] = {
    {PTL_TOOL_TEST, ZYDIS_CPUFLAG_CF | ALL_BUT_CARRY},
    {PTL_TOOL_CLC, ZYDIS_CPUFLAG_CF},
    {PTL_TOOL_INC, ALL_BUT_CARRY},
    {PTL_TOOLS, 0},
};

const ptl_chain_rules ptl_x86_chains = {
    .tools = tools,
    .copy = copy_tool,
    .vectors = vectors,
    .fault = fault,
    .is_division = is_division,
    .upper_half = 2, /* rdx */
    .wants_ones = is_gather_mask,
    .flag_tools = flag_tools,
    .flags_kept = ZYDIS_CPUFLAG_CF,
    .stack_constant = PTL_X87_ONE,
    .setup = ptl_x87_chain_setup,
    .registers = {0xFFFF, 0xFFFF, 0xFF, 0xFF, (1 << PTL_X87_EMPTY) - 1},
};
