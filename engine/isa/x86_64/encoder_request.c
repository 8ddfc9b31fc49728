#include "isa/x86_64/encoder_request.h"

#include <string.h>

/* Tells what a way changes in the plain request. */
typedef struct way {
    int is4_operand; /* this operand is the one in the immediate byte (FMA4, XOP); -1: none is */
    bool size_hint;  /* tell the operand size: for forms whose printed operands do not */
    bool no_slot;    /* do not pass k0 */
} way;

static const way ways[PTL_ENCODER_REQUEST_WAYS] = {
    {.is4_operand = -1},
    {.is4_operand = 3},
    {.is4_operand = 2},
    {.is4_operand = -1, .size_hint = true},
    {.is4_operand = -1, .no_slot = true},
    {.is4_operand = 1},
};

unsigned ptl_encoder_request_encoding(const ptl_scheme* s) {
    switch ((ptl_encoding)s->encoding) {
    case PTL_LEGACY: return ZYDIS_ENCODABLE_ENCODING_LEGACY;
    case PTL_VEX: return ZYDIS_ENCODABLE_ENCODING_VEX;
    case PTL_EVEX: return ZYDIS_ENCODABLE_ENCODING_EVEX;
    case PTL_XOP: return ZYDIS_ENCODABLE_ENCODING_XOP;
    default: return ZYDIS_ENCODABLE_ENCODING_3DNOW;
    }
}

static bool way_applies(const ptl_scheme* s, const way* w) {
    if (w->is4_operand >= 0)
        return s->visible_count >= 4 && w->is4_operand < s->visible_count && s->encoding != PTL_LEGACY &&
               s->encoding != PTL_EVEX && s->operands[w->is4_operand].kind == PTL_REGISTER;
    if (w->size_hint) return s->encoding == PTL_LEGACY || s->operand_width;
    if (w->no_slot) return s->unmasked_slot != 0;
    return true;
}

static ZydisInstructionAttributes prefixes_of(const ptl_scheme* s) {
    ZydisInstructionAttributes a = 0;
    if (s->prefixes & PTL_PREFIX_LOCK) a |= ZYDIS_ATTRIB_HAS_LOCK;
    if (s->prefixes & PTL_PREFIX_REP) a |= ZYDIS_ATTRIB_HAS_REP;
    if (s->prefixes & PTL_PREFIX_REPE) a |= ZYDIS_ATTRIB_HAS_REPE;
    if (s->prefixes & PTL_PREFIX_REPNE) a |= ZYDIS_ATTRIB_HAS_REPNE;
    if (s->prefixes & PTL_PREFIX_BND) a |= ZYDIS_ATTRIB_HAS_BND;
    if (s->prefixes & PTL_PREFIX_NOTRACK) a |= ZYDIS_ATTRIB_HAS_NOTRACK;
    if (s->prefixes & PTL_PREFIX_XACQUIRE) a |= ZYDIS_ATTRIB_HAS_XACQUIRE;
    if (s->prefixes & PTL_PREFIX_XRELEASE) a |= ZYDIS_ATTRIB_HAS_XRELEASE;
    return a;
}

static void put_memory(const ptl_operand* o, const ptl_value* v, ZydisEncoderRequest* r,
                       ZydisEncoderOperand* out) {
    out->type = ZYDIS_OPERAND_TYPE_MEMORY;
    out->mem.base = (ZydisRegister)v->base;
    out->mem.index = (ZydisRegister)v->index;
    out->mem.scale = v->index ? v->scale : 0;
    out->mem.displacement = v->number;
    /* What only computes an address has no size of its own; the encoder then wants that of addresses. */
    out->mem.size = (ZyanU16)(o->kind == PTL_ADDRESS ? 8 : o->width / 8);
    if (o->broadcast) r->evex.broadcast = (ZydisBroadcastMode)o->broadcast;
    if (v->segment == ZYDIS_REGISTER_FS) r->prefixes |= ZYDIS_ATTRIB_HAS_SEGMENT_FS;
    if (v->segment == ZYDIS_REGISTER_GS) r->prefixes |= ZYDIS_ATTRIB_HAS_SEGMENT_GS;
}

static ZydisOperandSizeHint size_hint(unsigned width) {
    switch (width) {
    case 8: return ZYDIS_OPERAND_SIZE_HINT_8;
    case 16: return ZYDIS_OPERAND_SIZE_HINT_16;
    case 64: return ZYDIS_OPERAND_SIZE_HINT_64;
    default: return ZYDIS_OPERAND_SIZE_HINT_32;
    }
}

static ZydisBranchWidth branch_width(unsigned width) {
    switch (width) {
    case 8: return ZYDIS_BRANCH_WIDTH_8;
    case 16: return ZYDIS_BRANCH_WIDTH_16;
    case 64: return ZYDIS_BRANCH_WIDTH_64;
    default: return ZYDIS_BRANCH_WIDTH_32;
    }
}

static void put_operand(const ptl_operand* o, const ptl_value* v, ZydisEncoderRequest* r,
                        ZydisEncoderOperand* out) {
    switch ((ptl_operand_kind)o->kind) {
    case PTL_REGISTER:
        out->type = ZYDIS_OPERAND_TYPE_REGISTER;
        out->reg.value = (ZydisRegister)(o->fixed ? o->fixed : v->reg);
        break;
    case PTL_MEMORY:
    case PTL_ADDRESS: put_memory(o, v, r, out); break;
    case PTL_RELATIVE:
        /* To the encoder, xbegin is no branch: its distance is as wide as an operand. */
        if (r->branch_type)
            r->branch_width = branch_width(o->width);
        else
            r->operand_size_hint = size_hint(o->width);
        /* fallthrough */
    case PTL_IMMEDIATE:
        out->type = ZYDIS_OPERAND_TYPE_IMMEDIATE;
        out->imm.s = o->has_constant ? o->constant : v->number;
        break;
    }
}

bool ptl_encoder_request_build(const ptl_instance* instance, unsigned allowed, unsigned way_index,
                               ZydisEncoderRequest* r) {
    const ptl_scheme* s = &instance->scheme;
    const way* w = &ways[way_index];
    if (!way_applies(s, w)) return false;
    memset(r, 0, sizeof *r);
    r->machine_mode = ZYDIS_MACHINE_MODE_LONG_64;
    r->allowed_encodings = (ZydisEncodableEncoding)allowed;
    r->mnemonic = (ZydisMnemonic)s->mnemonic;
    r->prefixes = prefixes_of(s);
    r->branch_type = (ZydisBranchType)s->branch_type;
    if (s->operand_width || w->size_hint) r->operand_size_hint = size_hint(s->operand_width);
    if (s->branch_type && s->operand_width) r->branch_width = branch_width(s->operand_width);
    r->evex.zeroing_mask = s->is_zeroing;
    r->evex.sae = s->is_sae || s->is_rounding;
    if (s->is_rounding) r->evex.rounding = (ZydisRoundingMode)instance->rounding;
    for (unsigned k = 0; k < s->visible_count; k++) {
        if (k == s->unmasked_slot && k > 0 && !w->no_slot) {
            ZydisEncoderOperand* none = &r->operands[r->operand_count++];
            none->type = ZYDIS_OPERAND_TYPE_REGISTER;
            none->reg.value = ZYDIS_REGISTER_K0;
        }
        if (r->operand_count == ZYDIS_ENCODER_MAX_OPERANDS) return false;
        ZydisEncoderOperand* out = &r->operands[r->operand_count++];
        put_operand(&s->operands[k], &instance->values[k], r, out);
        out->reg.is4 = (int)k == w->is4_operand;
    }
    return true;
}
