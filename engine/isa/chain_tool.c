#include "isa/chain_tool.h"

#include <string.h>

static const char* const names[PTL_TOOLS] = {
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
};

static ptl_status scheme_of(ptl_chain_state* s, ptl_tool tool, const ptl_scheme** out, ptl_error* error) {
    ptl_status status = PTL_OK;
    if (!s->known[tool]) status = ptl_scheme_from_name(names[tool], &s->tools[tool], error);
    s->known[tool] = !status;
    *out = &s->tools[tool];
    return status;
}

bool ptl_is_division(const ptl_scheme* s) {
    return s->mnemonic == ZYDIS_MNEMONIC_DIV || s->mnemonic == ZYDIS_MNEMONIC_IDIV;
}

ptl_tool ptl_tool_copy(const ptl_chain_state* s, ptl_file file, ptl_register_class class) {
    switch (file) {
    case PTL_FILE_VECTOR:
        if (s->legacy) return PTL_TOOL_COPY_SSE;
        return class == PTL_ZMM   ? PTL_TOOL_COPY_ZMM
               : class == PTL_YMM ? PTL_TOOL_COPY_YMM
                                  : PTL_TOOL_COPY_XMM;
    case PTL_FILE_MASK: return PTL_TOOL_COPY_MASK;
    case PTL_FILE_MMX: return PTL_TOOL_COPY_MMX;
    default: return PTL_TOOL_COPY_GPR;
    }
}

ptl_status ptl_tool_instance(ptl_chain_state* s, ptl_tool tool, unsigned first, unsigned second,
                             ptl_instance* out, ptl_error* error) {
    const ptl_scheme* scheme;
    memset(out, 0, sizeof *out);
    ptl_status status = scheme_of(s, tool, &scheme, error);
    if (status) return status;
    out->scheme = *scheme;
    for (unsigned k = 0; k < scheme->visible_count; k++) {
        const ptl_operand* o = &scheme->operands[k];
        if (o->kind == PTL_REGISTER)
            out->values[k].reg = (uint16_t)ptl_register_in_class((ptl_register_class)o->register_class,
                                                                 k == 0 ? first : second);
    }
    return PTL_OK;
}

ptl_status ptl_tool_memory(ptl_chain_state* s, ptl_tool tool, unsigned number, int64_t displacement,
                           ptl_instance* out, ptl_error* error) {
    ptl_status status = ptl_tool_instance(s, tool, number, number, out, error);
    for (unsigned k = 0; k < out->scheme.visible_count && !status; k++) {
        uint8_t kind = out->scheme.operands[k].kind;
        if (kind != PTL_MEMORY && kind != PTL_ADDRESS) continue;
        out->values[k].base = (uint16_t)(ZYDIS_REGISTER_RAX + s->policy->memory_base);
        out->values[k].number = displacement;
    }
    return status;
}
