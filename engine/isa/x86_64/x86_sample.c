/* Simple operands, for checks and for looking schemes up. Benchmarks choose theirs by Algorithm 3.1
 * (allocate.h). */
#include <string.h>

#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"

/* General purpose registers by number, without rsp, rbp and the base r14. */
static const uint8_t general[] = {1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 15, 0};
static const uint8_t segments[] = {0, 2, 3, 4, 5}; /* no cs: nothing can be moved there */
static const uint8_t controls[] = {0, 2, 3, 4, 8};

static unsigned count_of(const ptl_scheme* s, ptl_register_class c) {
    switch (c) {
    case PTL_GPR8:
    case PTL_GPR16:
    case PTL_GPR32:
    case PTL_GPR64: return sizeof general;
    case PTL_XMM:
    case PTL_YMM:
    case PTL_ZMM: return s->encoding == PTL_EVEX ? 32 : 16;
    case PTL_SEGMENT: return sizeof segments;
    case PTL_CONTROL: return sizeof controls;
    case PTL_BOUND: return 4;
    default: return 8;
    }
}

/* Zydis counts ah, ch, dh and bh between bl and spl; samples leave them out. */
static ZydisRegister gpr8(unsigned number) {
    return (ZydisRegister)(ZYDIS_REGISTER_AL + (number < 4 ? number : number + 4));
}

static ZydisRegister pick(const ptl_scheme* s, ptl_register_class c, unsigned number) {
    unsigned k = number % count_of(s, c);
    switch (c) {
    case PTL_GPR8: return gpr8(general[k]);
    case PTL_GPR16: return (ZydisRegister)(ZYDIS_REGISTER_AX + general[k]);
    case PTL_GPR32: return (ZydisRegister)(ZYDIS_REGISTER_EAX + general[k]);
    case PTL_GPR64: return (ZydisRegister)(ZYDIS_REGISTER_RAX + general[k]);
    case PTL_XMM: return (ZydisRegister)(ZYDIS_REGISTER_XMM0 + k);
    case PTL_YMM: return (ZydisRegister)(ZYDIS_REGISTER_YMM0 + k);
    case PTL_ZMM: return (ZydisRegister)(ZYDIS_REGISTER_ZMM0 + k);
    case PTL_MASK: return (ZydisRegister)(ZYDIS_REGISTER_K0 + k);
    case PTL_MMX: return (ZydisRegister)(ZYDIS_REGISTER_MM0 + k);
    case PTL_X87: return (ZydisRegister)(ZYDIS_REGISTER_ST0 + 1 + k % 7); /* st0 with st0 is ambiguous */
    case PTL_TILE: return (ZydisRegister)(ZYDIS_REGISTER_TMM0 + k);
    case PTL_SEGMENT: return (ZydisRegister)(ZYDIS_REGISTER_ES + segments[k]);
    case PTL_CONTROL: return (ZydisRegister)(ZYDIS_REGISTER_CR0 + controls[k]);
    case PTL_DEBUG: return (ZydisRegister)(ZYDIS_REGISTER_DR0 + k);
    case PTL_BOUND: return (ZydisRegister)(ZYDIS_REGISTER_BND0 + k);
    default: return ZYDIS_REGISTER_NONE;
    }
}

/* 2^(W-8) + 42: too large for any shorter form, small enough to be the same signed and unsigned
 * (Algorithm 3.1). */
static int64_t immediate(unsigned width) {
    return width < 8 ? 2 : (int64_t)(UINT64_C(1) << (width - 8)) + 42;
}

static void sample_value(const ptl_scheme* s, unsigned k, unsigned variant, ptl_value* v) {
    const ptl_operand* o = &s->operands[k];
    switch ((ptl_operand_kind)o->kind) {
    case PTL_REGISTER:
        v->reg = o->fixed;
        if (o->fixed) break;
        if (o->is_mask)
            v->reg = (uint16_t)(ZYDIS_REGISTER_K1 + (variant + k) % 7);
        else
            v->reg =
                (uint16_t)pick(s, (ptl_register_class)o->register_class, (variant + k) * o->source_count);
        break;
    case PTL_MEMORY:
    case PTL_ADDRESS:
        v->number = o->is_moffs ? immediate(64) : 256 + 64 * (int64_t)variant;
        if (o->is_moffs) break;
        v->base = ZYDIS_REGISTER_R14;
        if (o->register_class) {
            v->index = (uint16_t)pick(s, (ptl_register_class)o->register_class, variant + k + 5);
            v->scale = 1;
        }
        break;
    default: v->number = o->has_constant ? o->constant : immediate(o->width);
    }
}

void ptl_x86_sample(const ptl_scheme* scheme, unsigned variant, ptl_instance* out) {
    if (&out->scheme != scheme) out->scheme = *scheme;
    memset(out->values, 0, sizeof out->values);
    out->rounding = scheme->is_rounding ? (uint8_t)(ZYDIS_ROUNDING_MODE_RN + variant % 4) : 0;
    for (unsigned k = 0; k < scheme->visible_count; k++) sample_value(scheme, k, variant, &out->values[k]);
}
