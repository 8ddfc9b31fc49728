#include "isa/x86_64/x86_template.h"

#include <string.h>

#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"

static bool is_legacy_prefix(uint8_t byte) {
    return memchr("\xF0\xF2\xF3\x66\x67\x2E\x36\x3E\x26\x64\x65", byte, 11) != NULL;
}

/* The field an operand is in; false if the operand is in none. */
static bool field_of(ZydisOperandEncoding encoding, ptl_code_field* out) {
    switch (encoding) {
    case ZYDIS_OPERAND_ENCODING_MODRM_REG: *out = PTL_FIELD_REG; return true;
    case ZYDIS_OPERAND_ENCODING_MODRM_RM: *out = PTL_FIELD_RM; return true;
    case ZYDIS_OPERAND_ENCODING_OPCODE: *out = PTL_FIELD_OPCODE; return true;
    case ZYDIS_OPERAND_ENCODING_NDSNDD: *out = PTL_FIELD_VVVV; return true;
    case ZYDIS_OPERAND_ENCODING_IS4: *out = PTL_FIELD_IS4; return true;
    case ZYDIS_OPERAND_ENCODING_MASK: *out = PTL_FIELD_MASK; return true;
    default: return false;
    }
}

static unsigned log2_of(unsigned n) {
    unsigned shift = 0;
    while (n >> (shift + 1)) shift++;
    return shift;
}

static bool place_memory(const ptl_instance* instance, const ZydisDecodedInstruction* d, const uint8_t* bytes,
                         unsigned k, ptl_x86_template* t) {
    const ptl_value* v = &instance->values[k];
    if (!t->has_modrm || d->raw.modrm.mod != 1 || v->number != 64 || v->segment) return false;
    t->memory = (uint8_t)k;
    t->base = (uint8_t)ZydisRegisterGetId((ZydisRegister)v->base);
    if (v->index) t->index = (uint8_t)ZydisRegisterGetId((ZydisRegister)v->index);
    t->displacement_shift = (uint8_t)log2_of(64u / bytes[d->raw.disp.offset]);
    return true;
}

static bool place_register(const ptl_operand* o, const ZydisDecodedOperand* from, unsigned k,
                           ptl_x86_template* t) {
    ptl_code_field field;
    if (!field_of(from->encoding, &field) || t->fields[field] != PTL_NO_OPERAND) return false;
    t->fields[field] = (uint8_t)k;
    if (o->register_class == PTL_GPR8) t->low_bytes |= (uint16_t)(1u << k);
    return true;
}

/* Notes which operand is where. */
static bool place_operands(const ptl_instance* instance, const ZydisDecodedInstruction* d,
                           const ZydisDecodedOperand* operands, const uint8_t* bytes, ptl_x86_template* t) {
    const ptl_scheme* s = &instance->scheme;
    unsigned from = 0;
    for (unsigned k = 0; k < s->visible_count; k++, from++) {
        const ptl_operand* o = &s->operands[k];
        if (k == s->unmasked_slot && k > 0) from++; /* k0: not masked */
        if (!ptl_operand_is_free(o)) continue;
        if (o->kind == PTL_REGISTER && !place_register(o, &operands[from], k, t)) return false;
        if ((o->kind == PTL_MEMORY || o->kind == PTL_ADDRESS) && !place_memory(instance, d, bytes, k, t))
            return false;
    }
    return true;
}

static bool has(const ptl_x86_template* t, ptl_code_field field) {
    return t->fields[field] != PTL_NO_OPERAND;
}

/* Register bits, as far as no operand that will be put in owns them; extension bits: 4 R, 2 X, 1 B. */
static unsigned owned_extensions(const ptl_x86_template* t) {
    unsigned owned = has(t, PTL_FIELD_REG) ? 4 : 0;
    if (has(t, PTL_FIELD_RM) || has(t, PTL_FIELD_OPCODE)) owned |= t->form == PTL_FORM_EVEX ? 3 : 1;
    if (t->memory != PTL_NO_OPERAND) owned |= 3;
    return owned;
}

/* One form of prefix for VEX: escape byte; R X B m-mmmm; W vvvv L pp, the extension bits as they are meant.
 */
static size_t take_vex(const uint8_t* at, ptl_x86_template* t) {
    if (at[0] == 0xC5) {
        t->payload[0] = 0xC4;
        t->payload[1] = (uint8_t)((~at[1] & 0x80) | 1);
        t->payload[2] = (uint8_t)((at[1] & 0x7F) ^ 0x78);
    } else {
        t->payload[0] = at[0];
        t->payload[1] = at[1] ^ 0xE0;
        t->payload[2] = at[2] ^ 0x78;
    }
    t->payload[1] &= (uint8_t) ~(owned_extensions(t) << 5);
    if (has(t, PTL_FIELD_VVVV)) t->payload[2] &= (uint8_t)~0x78;
    return at[0] == 0xC5 ? 2 : 3;
}

static size_t take_evex(const uint8_t* at, ptl_x86_template* t) {
    t->payload[0] = 0x62;
    t->payload[1] = at[1] ^ 0xF0;
    t->payload[2] = at[2] ^ 0x78;
    t->payload[3] = at[3] ^ 0x08;
    t->payload[1] &= (uint8_t) ~(owned_extensions(t) << 5);
    if (has(t, PTL_FIELD_REG)) t->payload[1] &= (uint8_t)~0x10;
    if (has(t, PTL_FIELD_VVVV)) t->payload[2] &= (uint8_t)~0x78, t->payload[3] &= (uint8_t)~0x08;
    if (t->index != PTL_NO_OPERAND) t->payload[3] &= (uint8_t)~0x08;
    if (has(t, PTL_FIELD_MASK)) t->payload[3] &= (uint8_t)~7;
    return 4;
}

static size_t take_rex(const uint8_t* at, ptl_x86_template* t) {
    if ((at[0] & 0xF0) != 0x40) return 0;
    t->rex = (uint8_t)(at[0] & 0xF & ~owned_extensions(t));
    return 1;
}

static void take_modrm(uint8_t byte, ptl_x86_template* t) {
    t->modrm = byte;
    if (has(t, PTL_FIELD_REG)) t->modrm &= (uint8_t)~0x38;
    if (has(t, PTL_FIELD_RM)) t->modrm &= (uint8_t)~7;
    if (t->memory != PTL_NO_OPERAND) t->modrm &= 0x38;
}

/* Tells whether every instance fits, with a SIB byte and a displacement of 32 bits. */
static bool is_short_enough(const ptl_x86_template* t) {
    size_t lead = t->form == PTL_FORM_EVEX ? 4 : t->form == PTL_FORM_VEX ? 3 : 1;
    size_t address = t->memory == PTL_NO_OPERAND ? 0 : 5;
    return t->prefix_count + lead + t->opcode_count + t->has_modrm + address + t->tail_count <=
           PTL_INSTRUCTION_MAX;
}

/* From here on the bytes are read from left to right. */
static bool take_bytes(const ZydisDecodedInstruction* d, const uint8_t* bytes, size_t size,
                       ptl_x86_template* t) {
    size_t at = 0, opcode_end = t->has_modrm ? d->raw.modrm.offset : size;
    if (!t->has_modrm && d->raw.imm[0].size) opcode_end = d->raw.imm[0].offset;
    while (at < size && is_legacy_prefix(bytes[at])) {
        if (t->prefix_count == sizeof t->prefixes) return false;
        t->prefixes[t->prefix_count++] = bytes[at++];
    }
    if (t->form == PTL_FORM_LEGACY) at += take_rex(bytes + at, t);
    if (t->form == PTL_FORM_VEX) at += take_vex(bytes + at, t);
    if (t->form == PTL_FORM_EVEX) at += take_evex(bytes + at, t);
    if (at >= opcode_end || opcode_end - at > sizeof t->opcode) return false;
    while (at < opcode_end) t->opcode[t->opcode_count++] = bytes[at++];
    if (has(t, PTL_FIELD_OPCODE)) t->opcode[t->opcode_count - 1] &= (uint8_t)~7;
    if (t->has_modrm) take_modrm(bytes[at++], t);
    if (t->memory != PTL_NO_OPERAND) at = (size_t)d->raw.disp.offset + 1;
    if (size - at > sizeof t->tail) return false;
    while (at < size) t->tail[t->tail_count++] = bytes[at++];
    if (has(t, PTL_FIELD_IS4)) t->tail[0] &= 0xF;
    return is_short_enough(t);
}

static ptl_code_form form_of(ZydisInstructionEncoding encoding) {
    switch (encoding) {
    case ZYDIS_INSTRUCTION_ENCODING_LEGACY:
    case ZYDIS_INSTRUCTION_ENCODING_3DNOW: return PTL_FORM_LEGACY;
    case ZYDIS_INSTRUCTION_ENCODING_VEX:
    case ZYDIS_INSTRUCTION_ENCODING_XOP: return PTL_FORM_VEX;
    case ZYDIS_INSTRUCTION_ENCODING_EVEX: return PTL_FORM_EVEX;
    default: return PTL_FORM_NONE;
    }
}

static bool make(const ptl_instance* instance, const uint8_t* bytes, size_t size, ptl_x86_template* t) {
    ZydisDecoder decoder;
    ZydisDecodedInstruction d;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    memset(t, 0, sizeof *t);
    memset(t->fields, PTL_NO_OPERAND, sizeof t->fields);
    t->memory = t->index = PTL_NO_OPERAND;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, &d, operands))) return false;
    t->has_modrm = (d.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0;
    t->form = (uint8_t)form_of(d.encoding);
    return t->form != PTL_FORM_NONE && place_operands(instance, &d, operands, bytes, t) &&
           take_bytes(&d, bytes, size, t);
}

bool ptl_x86_template_make(const ptl_instance* instance, const uint8_t* bytes, size_t size,
                           ptl_template* out) {
    ptl_x86_template t;
    memset(out, 0, sizeof *out);
    if (!make(instance, bytes, size, &t)) return false;
    memcpy(out->own, &t, sizeof t);
    return true;
}
