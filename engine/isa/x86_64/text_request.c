#include "isa/x86_64/text_request.h"

#include <string.h>

bool ptl_is_vector_register(ZydisRegister r) {
    return r >= ZYDIS_REGISTER_XMM0 && r <= ZYDIS_REGISTER_ZMM31;
}

static void set_operand(ZydisEncoderOperand* out, const ptl_text_operand* in, uint16_t memory_size,
                        const ptl_branch* branch) {
    switch (in->kind) {
    case PTL_TEXT_REGISTER:
        out->type = ZYDIS_OPERAND_TYPE_REGISTER;
        out->reg.value = in->reg;
        break;
    case PTL_TEXT_MEMORY:
        out->type = ZYDIS_OPERAND_TYPE_MEMORY;
        out->mem.base = in->base;
        out->mem.index = in->index;
        out->mem.scale = in->scale;
        out->mem.displacement = in->displacement;
        out->mem.size = memory_size;
        break;
    case PTL_TEXT_NUMBER:
        out->type = ZYDIS_OPERAND_TYPE_IMMEDIATE;
        out->imm.u = in->negative ? 0 - in->number : in->number;
        break;
    case PTL_TEXT_LABEL:
        out->type = ZYDIS_OPERAND_TYPE_IMMEDIATE;
        out->imm.s = branch ? branch->distance : 0;
        break;
    }
}

static ZydisInstructionAttributes segment_attribute(ZydisRegister segment) {
    switch (segment) {
    case ZYDIS_REGISTER_FS: return ZYDIS_ATTRIB_HAS_SEGMENT_FS;
    case ZYDIS_REGISTER_GS: return ZYDIS_ATTRIB_HAS_SEGMENT_GS;
    default: return 0; /* the others have no effect in 64-bit mode */
    }
}

static void set_address(const ptl_text_operand* memory, ZydisEncoderRequest* r) {
    r->prefixes |= segment_attribute(memory->segment);
    if (memory->base == ZYDIS_REGISTER_NONE && memory->index == ZYDIS_REGISTER_NONE) {
        r->address_size_hint = ZYDIS_ADDRESS_SIZE_HINT_64; /* mov rax, [0x1000]: no 32-bit address */
    }
}

static ZydisBroadcastMode broadcast_mode(unsigned count) {
    switch (count) {
    case 2: return ZYDIS_BROADCAST_MODE_1_TO_2;
    case 4: return ZYDIS_BROADCAST_MODE_1_TO_4;
    case 8: return ZYDIS_BROADCAST_MODE_1_TO_8;
    case 16: return ZYDIS_BROADCAST_MODE_1_TO_16;
    case 32: return ZYDIS_BROADCAST_MODE_1_TO_32;
    default: return ZYDIS_BROADCAST_MODE_INVALID;
    }
}

/* Four-operand VEX and XOP forms hold one register in an immediate byte; the encoder wants it marked. */
static void mark_is4(const ptl_statement* s, ZydisEncoderRequest* r) {
    bool has_number = false;
    for (unsigned i = 0; i < s->operand_count; i++) has_number |= s->operands[i].kind == PTL_TEXT_NUMBER;
    if (s->operand_count < 4u + (unsigned)has_number || r->operand_count != s->operand_count) return;
    for (unsigned i = 3; i >= 2; i--) {
        if (s->operands[i].kind != PTL_TEXT_REGISTER) continue;
        r->operands[i].reg.is4 = ZYAN_TRUE;
        return;
    }
}

/* {k1}, {z}, {1to8}, {sae}, ...: is there any? */
static bool has_decoration(const ptl_statement* s) {
    return s->mask != ZYDIS_REGISTER_NONE || s->zeroing || s->broadcast || s->sae;
}

bool ptl_needs_evex(const ptl_statement* s) {
    bool needs = has_decoration(s);
    for (unsigned i = 0; i < s->operand_count; i++) {
        ZydisRegister r = s->operands[i].kind == PTL_TEXT_MEMORY ? s->operands[i].index : s->operands[i].reg;
        needs |= ptl_is_vector_register(r) && (r >= ZYDIS_REGISTER_ZMM0 || ZydisRegisterGetId(r) >= 16);
    }
    return needs;
}

/* rep of a comparing string instruction is repe. */
static ZydisInstructionAttributes string_prefix(const ptl_statement* s) {
    const char* name = ZydisMnemonicGetString(s->mnemonic);
    bool compares = strncmp(name, "cmps", 4) == 0 || strncmp(name, "scas", 4) == 0;
    if (!compares || !(s->prefixes & ZYDIS_ATTRIB_HAS_REP)) return s->prefixes;
    return (s->prefixes & ~ZYDIS_ATTRIB_HAS_REP) | ZYDIS_ATTRIB_HAS_REPE;
}

bool ptl_build_request(const ptl_statement* s, const ptl_branch* branch, uint16_t memory_size, bool with_mask,
                       ZydisEncoderRequest* r) {
    memset(r, 0, sizeof *r);
    r->machine_mode = ZYDIS_MACHINE_MODE_LONG_64;
    r->allowed_encodings = ~ZYDIS_ENCODABLE_ENCODING_MVEX & ZYDIS_ENCODABLE_ENCODING_MAX_VALUE;
    if (with_mask || has_decoration(s)) r->allowed_encodings = ZYDIS_ENCODABLE_ENCODING_EVEX;
    r->mnemonic = s->mnemonic;
    r->prefixes = string_prefix(s);
    if (branch) r->branch_width = branch->width;
    if (s->branch == PTL_BRANCH_SHORT) r->branch_width = ZYDIS_BRANCH_WIDTH_8;
    if (s->branch == PTL_BRANCH_NEAR) r->branch_width = ZYDIS_BRANCH_WIDTH_32;
    if (s->operand_count + (unsigned)with_mask > ZYDIS_ENCODER_MAX_OPERANDS) return false;
    for (unsigned i = 0; i < s->operand_count; i++) {
        const ptl_text_operand* operand = &s->operands[i];
        set_operand(&r->operands[r->operand_count++], operand, memory_size, branch);
        if (operand->kind == PTL_TEXT_MEMORY) set_address(operand, r);
        if (i == 0 && with_mask) {
            ZydisEncoderOperand* mask = &r->operands[r->operand_count++];
            mask->type = ZYDIS_OPERAND_TYPE_REGISTER;
            mask->reg.value = s->mask != ZYDIS_REGISTER_NONE ? s->mask : ZYDIS_REGISTER_K0;
        }
    }
    mark_is4(s, r);
    if (s->branch == PTL_BRANCH_FAR) r->branch_type = ZYDIS_BRANCH_TYPE_FAR;
    if (s->broadcast) r->evex.broadcast = broadcast_mode(s->broadcast);
    r->evex.zeroing_mask = s->zeroing ? ZYAN_TRUE : ZYAN_FALSE;
    r->evex.rounding = s->rounding;
    r->evex.sae = s->sae ? ZYAN_TRUE : ZYAN_FALSE;
    return true;
}
