#include "isa/x86_64/x86_scheme.h"

#include <string.h>

#include "isa/x86_64/x86_64.h"

static bool encoding_of(const ZydisDecodedInstruction* i, uint8_t* out) {
    switch (i->encoding) {
    case ZYDIS_INSTRUCTION_ENCODING_LEGACY: *out = PTL_LEGACY; return true;
    case ZYDIS_INSTRUCTION_ENCODING_VEX: *out = PTL_VEX; return true;
    case ZYDIS_INSTRUCTION_ENCODING_EVEX: *out = PTL_EVEX; return true;
    case ZYDIS_INSTRUCTION_ENCODING_XOP: *out = PTL_XOP; return true;
    case ZYDIS_INSTRUCTION_ENCODING_3DNOW: *out = PTL_3DNOW; return true;
    default: return false;
    }
}

static uint8_t prefixes_of(ZydisInstructionAttributes attributes) {
    uint8_t p = 0;
    if (attributes & ZYDIS_ATTRIB_HAS_LOCK) p |= PTL_PREFIX_LOCK;
    if (attributes & ZYDIS_ATTRIB_HAS_REP) p |= PTL_PREFIX_REP;
    if (attributes & ZYDIS_ATTRIB_HAS_REPE) p |= PTL_PREFIX_REPE;
    if (attributes & ZYDIS_ATTRIB_HAS_REPNE) p |= PTL_PREFIX_REPNE;
    if (attributes & ZYDIS_ATTRIB_HAS_BND) p |= PTL_PREFIX_BND;
    if (attributes & ZYDIS_ATTRIB_HAS_NOTRACK) p |= PTL_PREFIX_NOTRACK;
    if (attributes & ZYDIS_ATTRIB_HAS_XACQUIRE) p |= PTL_PREFIX_XACQUIRE;
    if (attributes & ZYDIS_ATTRIB_HAS_XRELEASE) p |= PTL_PREFIX_XRELEASE;
    return p;
}

static uint8_t access_of(ZydisOperandActions a) {
    uint8_t access = 0;
    if (a & ZYDIS_OPERAND_ACTION_READ) access |= PTL_READ;
    if (a & ZYDIS_OPERAND_ACTION_WRITE) access |= PTL_WRITE;
    if (a & ZYDIS_OPERAND_ACTION_CONDREAD) access |= PTL_COND_READ;
    if (a & ZYDIS_OPERAND_ACTION_CONDWRITE) access |= PTL_COND_WRITE;
    return access;
}

/* The one-byte opcodes 04+8k, 05+8k (add al, imm8, ...), A8, A9 (test) and 90+r (xchg) are short encodings of
 * forms with a free register. Both encodings are one scheme, so the accumulator counts as chosen, not as
 * given. */
static bool is_accumulator_short_form(const ZydisDecodedInstruction* i) {
    if (i->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || i->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
        return false;
    if (i->opcode < 0x40) return (i->opcode & 7) == 4 || (i->opcode & 7) == 5;
    return i->opcode == 0xA8 || i->opcode == 0xA9 || i->mnemonic == ZYDIS_MNEMONIC_XCHG;
}

static void take_register(const ZydisDecodedInstruction* i, const ZydisDecodedOperand* from,
                          ptl_operand* to) {
    to->kind = PTL_REGISTER;
    to->register_class = (uint8_t)ptl_x86_register_class(from->reg.value);
    to->width = from->size;
    if (from->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT) {
        to->is_mask = from->encoding == ZYDIS_OPERAND_ENCODING_MASK;
        if (from->attributes & ZYDIS_OATTRIB_IS_MULTISOURCE4) to->source_count = 4;
    } else if (from->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT && is_accumulator_short_form(i)) {
        to->visibility = PTL_EXPLICIT;
    } else {
        to->fixed = (uint16_t)from->reg.value;
    }
}

/* Instructions that store where a printed register points. */
static bool has_chosen_hidden_base(ZydisMnemonic m) {
    return m == ZYDIS_MNEMONIC_MOVDIR64B || m == ZYDIS_MNEMONIC_ENQCMD || m == ZYDIS_MNEMONIC_ENQCMDS;
}

static void take_memory(const ZydisDecodedInstruction* i, const ZydisDecodedOperand* from, ptl_operand* to) {
    bool hidden = from->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    to->kind = from->mem.type == ZYDIS_MEMOP_TYPE_AGEN ? PTL_ADDRESS : PTL_MEMORY;
    to->width = from->size;
    to->is_mib = from->mem.type == ZYDIS_MEMOP_TYPE_MIB;
    to->is_moffs = from->encoding == ZYDIS_OPERAND_ENCODING_DISP16_32_64;
    if (to->kind == PTL_ADDRESS) to->access = 0, to->width = 0;
    if (from->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
        to->register_class = (uint8_t)ptl_x86_register_class(from->mem.index);
    if (hidden && !has_chosen_hidden_base(i->mnemonic)) to->fixed = (uint16_t)from->mem.base;
    /* Static broadcasts (vbroadcastsd) are what the mnemonic says; only {1toN} is a choice. */
    if (!hidden && !i->avx.broadcast.is_static) to->broadcast = (uint8_t)i->avx.broadcast.mode;
}

static void take_immediate(const ZydisDecodedOperand* from, ptl_operand* to) {
    to->kind = from->imm.is_relative ? PTL_RELATIVE : PTL_IMMEDIATE;
    to->access = 0;
    to->width = from->size;
    to->is_signed = from->imm.is_signed;
    if (from->encoding == ZYDIS_OPERAND_ENCODING_IS4)
        to->width = 4; /* the other half of the byte is a register */
    if (from->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT) {
        to->has_constant = true;
        to->constant = (int8_t)from->imm.value.s;
    }
}

static bool take_operand(const ZydisDecodedInstruction* i, const ZydisDecodedOperand* from, ptl_operand* to) {
    to->access = access_of(from->actions);
    to->visibility = from->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT   ? PTL_EXPLICIT
                     : from->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT ? PTL_IMPLICIT
                                                                             : PTL_HIDDEN;
    to->element_width = from->element_size <= 128 ? (uint8_t)from->element_size : 0;
    to->source_count = 1;
    switch (from->type) {
    case ZYDIS_OPERAND_TYPE_REGISTER: take_register(i, from, to); return true;
    case ZYDIS_OPERAND_TYPE_MEMORY: take_memory(i, from, to); return true;
    case ZYDIS_OPERAND_TYPE_IMMEDIATE: take_immediate(from, to); return true;
    default: return false; /* far pointers do not exist in 64-bit mode */
    }
}

/* k0 in the place of a mask means: not masked. Then it is no operand, but the encoder wants to see it. */
static bool is_no_mask(const ZydisDecodedInstruction* i, const ZydisDecodedOperand* o) {
    return i->avx.mask.mode == ZYDIS_MASK_MODE_DISABLED && o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           o->encoding == ZYDIS_OPERAND_ENCODING_MASK;
}

static bool take_operands(const ZydisDecodedInstruction* i, const ZydisDecodedOperand* operands,
                          ptl_scheme* s) {
    for (unsigned k = 0; k < i->operand_count; k++) {
        if (is_no_mask(i, &operands[k])) {
            s->unmasked_slot = (uint8_t)k;
            continue;
        }
        if (s->operand_count == PTL_OPERANDS_MAX) return false;
        ptl_operand* o = &s->operands[s->operand_count];
        if (!take_operand(i, &operands[k], o)) return false;
        s->operand_count++;
        if (o->visibility != PTL_HIDDEN) s->visible_count = s->operand_count;
    }
    return true;
}

static void take_decorations(const ZydisDecodedInstruction* i, ptl_scheme* s) {
    switch (i->avx.mask.mode) {
    case ZYDIS_MASK_MODE_ZEROING:
    case ZYDIS_MASK_MODE_CONTROL_ZEROING: s->is_zeroing = true; /* fallthrough */
    case ZYDIS_MASK_MODE_MERGING:
    case ZYDIS_MASK_MODE_CONTROL: s->is_masked = true; break;
    default: break;
    }
    s->is_rounding = i->avx.rounding.mode != ZYDIS_ROUNDING_MODE_INVALID;
    s->is_sae = i->avx.has_sae && !s->is_rounding;
}

/* Instructions whose hidden operands alone grow with REX.W. */
static bool has_hidden_wide_form(const ZydisDecodedInstruction* i) {
    switch (i->mnemonic) {
    case ZYDIS_MNEMONIC_PCMPESTRI:
    case ZYDIS_MNEMONIC_PCMPESTRM:
    case ZYDIS_MNEMONIC_VPCMPESTRI:
    case ZYDIS_MNEMONIC_VPCMPESTRM:
    case ZYDIS_MNEMONIC_SYSRET: return true;
    case ZYDIS_MNEMONIC_RET: return i->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
    default: return false;
    }
}

/* Instructions whose hidden stack access alone shrinks with the 66 prefix: push imm8, leave, enter. */
static bool has_hidden_narrow_form(const ZydisDecodedInstruction* i, const ptl_scheme* s) {
    const ptl_operand* first = &s->operands[0];
    switch (i->mnemonic) {
    case ZYDIS_MNEMONIC_ENTER:
    case ZYDIS_MNEMONIC_LEAVE: return true;
    case ZYDIS_MNEMONIC_RET: return i->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_POP: return first->kind == PTL_IMMEDIATE || first->register_class == PTL_SEGMENT;
    default: return false;
    }
}

/* The operand size, if it makes a difference that no printed operand shows. */
static uint8_t hidden_operand_width(const ZydisDecodedInstruction* i, const ptl_scheme* s) {
    if (i->operand_width == 64 && has_hidden_wide_form(i)) return 64;
    if (i->operand_width == 16 && has_hidden_narrow_form(i, s)) return 16;
    return 0;
}

/* 32-bit addresses change registers that the name does not show. */
static bool hides_narrow_address(const ZydisDecodedInstruction* i, const ptl_scheme* s) {
    if (i->address_width == 64) return false;
    for (unsigned k = s->visible_count; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (o->kind == PTL_MEMORY || (o->kind == PTL_REGISTER && o->register_class == PTL_GPR32)) return true;
    }
    return false;
}

/* Knights Corner, and VIA PadLock with operand size prefixes, which have no meaning there. */
static bool is_left_out(const ZydisDecodedInstruction* i) {
    ZydisISAExt extension = i->meta.isa_ext;
    if (extension == ZYDIS_ISA_EXT_KNC || extension == ZYDIS_ISA_EXT_KNCE || extension == ZYDIS_ISA_EXT_KNCV)
        return true;
    return i->meta.category == ZYDIS_CATEGORY_PADLOCK && i->operand_width != 32;
}

/* Where two encodings of one scheme are described differently, one description is taken. */
static void unify_encodings(const ZydisDecodedInstruction* i, ptl_scheme* s) {
    if (i->mnemonic == ZYDIS_MNEMONIC_NOP && s->visible_count)
        s->isa_set = ZydisISASetGetString(ZYDIS_ISA_SET_FAT_NOP);
    if (i->mnemonic == ZYDIS_MNEMONIC_PEXTRW && s->operands[0].kind == PTL_REGISTER) {
        s->isa_set = ZydisISASetGetString(ZYDIS_ISA_SET_SSE2);
        s->extension = ZydisISAExtGetString(ZYDIS_ISA_EXT_SSE2);
    }
    /* FMA4 exchanges its last two operands by W; scalars are as wide as the operand that stays. */
    if (i->meta.isa_ext == ZYDIS_ISA_EXT_FMA4)
        for (unsigned k = 2; k < s->visible_count; k++)
            if (s->operands[k].kind == PTL_REGISTER) s->operands[k].width = s->operands[1].width;
}

static uint8_t flow_of(const ZydisDecodedInstruction* i) {
    switch (i->meta.category) {
    case ZYDIS_CATEGORY_COND_BR: return PTL_FLOW_CONDITIONAL;
    case ZYDIS_CATEGORY_UNCOND_BR: return PTL_FLOW_JUMP;
    case ZYDIS_CATEGORY_CALL: return PTL_FLOW_CALL;
    case ZYDIS_CATEGORY_RET: return PTL_FLOW_RETURN;
    default: return i->meta.branch_type == ZYDIS_BRANCH_TYPE_NONE ? PTL_FLOW_ON : PTL_FLOW_OTHER;
    }
}

bool ptl_scheme_from_decoded(const ZydisDecodedInstruction* i, const ZydisDecodedOperand* operands,
                             ptl_scheme* s) {
    memset(s, 0, sizeof *s);
    if (!encoding_of(i, &s->encoding) || is_left_out(i)) return false;
    s->mnemonic = (uint16_t)i->mnemonic;
    s->prefixes = prefixes_of(i->attributes);
    s->branch_type = (uint8_t)i->meta.branch_type;
    s->flow = flow_of(i);
    take_decorations(i, s);
    if (!take_operands(i, operands, s) || hides_narrow_address(i, s)) return false;
    s->operand_width = hidden_operand_width(i, s);
    if (i->cpu_flags) {
        s->flags_read = i->cpu_flags->tested;
        s->flags_written =
            i->cpu_flags->modified | i->cpu_flags->set_0 | i->cpu_flags->set_1 | i->cpu_flags->undefined;
    }
    s->category = ZydisCategoryGetString(i->meta.category);
    s->isa_set = ZydisISASetGetString(i->meta.isa_set);
    s->extension = ZydisISAExtGetString(i->meta.isa_ext);
    unify_encodings(i, s);
    return ptl_scheme_write_name(s);
}
