#include "isa/accesses.h"

#include <string.h>

/* Where hidden memory is: at a fixed register, or (movdir64b and its like) at the first, printed one. The
 * table of xlat is the one case with an index, which the decoder does not tell. */
static ptl_value hidden_address(const ptl_instance* instance, const ptl_operand* o) {
    ptl_value v = {.base = o->fixed ? o->fixed : instance->values[0].reg};
    if (instance->scheme.mnemonic == ZYDIS_MNEMONIC_XLAT) v.index = ZYDIS_REGISTER_AL, v.scale = 1;
    return v;
}

ptl_value ptl_operand_address(const ptl_instance* instance, unsigned operand) {
    const ptl_operand* o = &instance->scheme.operands[operand];
    return o->visibility == PTL_HIDDEN ? hidden_address(instance, o) : instance->values[operand];
}

/* Adds a register, and those behind it that a multi-source operand stands for. */
static void add(uint32_t* bits, ZydisRegister r, unsigned count) {
    unsigned number;
    ptl_file file = r ? ptl_register_place(r, &number) : PTL_FILES;
    if (file == PTL_FILES) return;
    for (unsigned k = 0; k < count; k++) bits[file] |= UINT32_C(1) << ((number + k) % ptl_file_size(file));
}

/* VEX and EVEX write 0 to what they do not name; so do movq, and loads of movss and movsd: of all 128 bits.
 */
static bool keeps_other_bits(const ptl_scheme* s, const ptl_operand* o) {
    if (o->register_class == PTL_XMM) return s->encoding == PTL_LEGACY && o->width < 128;
    return o->register_class == PTL_GPR8 || o->register_class == PTL_GPR16;
}

/* Zydis says that these write always; they leave the register as it was if the source is 0. */
static bool may_write_nothing(const ptl_scheme* s) {
    return s->mnemonic == ZYDIS_MNEMONIC_BSF || s->mnemonic == ZYDIS_MNEMONIC_BSR;
}

static void add_register(const ptl_scheme* s, const ptl_operand* o, const ptl_value* value,
                         ptl_accesses* out) {
    ZydisRegister r = (ZydisRegister)(o->fixed ? o->fixed : value->reg);
    bool writes = ptl_operand_writes(o);
    bool keeps = writes && (keeps_other_bits(s, o) || may_write_nothing(s));
    if (writes) add(out->written, r, o->source_count);
    if (ptl_operand_reads(o) || keeps) add(out->read, r, o->source_count);
}

/* The base and the index; vectors index gathers. The base of code, rip, is in no file. */
static void add_address(const ptl_value* address, uint32_t* bits) {
    add(bits, (ZydisRegister)address->base, 1);
    add(bits, (ZydisRegister)address->index, 1);
}

static void add_memory(const ptl_instance* instance, unsigned k, ptl_accesses* out) {
    const ptl_operand* o = &instance->scheme.operands[k];
    ptl_value address = ptl_operand_address(instance, k);
    bool reads = ptl_operand_reads(o), writes = ptl_operand_writes(o);
    add_address(&address, reads || writes ? out->address : out->read);
    if (!(reads || writes) || out->memory_count == PTL_MEMORY_OPERANDS_MAX) return;
    out->memory[out->memory_count++] =
        (ptl_memory_access){.address = address, .bytes = o->width / 8u, .reads = reads, .writes = writes};
}

/* Strings are compared at registers that move on, which Zydis says of other string instructions alone. */
static bool moves_on(const ptl_scheme* s) {
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_CMPSB:
    case ZYDIS_MNEMONIC_CMPSW:
    case ZYDIS_MNEMONIC_CMPSD:
    case ZYDIS_MNEMONIC_CMPSQ:
    case ZYDIS_MNEMONIC_SCASB:
    case ZYDIS_MNEMONIC_SCASW:
    case ZYDIS_MNEMONIC_SCASD:
    case ZYDIS_MNEMONIC_SCASQ: return true;
    default: return false;
    }
}

/* A shift or rotation by an immediate 0: it leaves the flags as they were. */
static bool shifts_by_nothing(const ptl_instance* instance) {
    const ptl_scheme* s = &instance->scheme;
    bool shifts = strcmp(s->category, "SHIFT") == 0 || strcmp(s->category, "ROTATE") == 0;
    if (!shifts || !s->flags_written || s->visible_count == 0) return false;
    unsigned last = s->visible_count - 1u;
    unsigned mask = s->operands[0].width == 64 ? 63 : 31;
    return s->operands[last].kind == PTL_IMMEDIATE && !s->operands[last].has_constant &&
           ((uint64_t)instance->values[last].number & mask) == 0;
}

static void add_what_operands_lack(const ptl_instance* instance, ptl_accesses* out) {
    const ptl_scheme* s = &instance->scheme;
    if (s->mnemonic == ZYDIS_MNEMONIC_VZEROALL) out->written[PTL_FILE_VECTOR] |= UINT32_C(0xFFFF);
    if (shifts_by_nothing(instance)) out->flags_written = 0;
    for (unsigned k = 0; moves_on(s) && k < s->operand_count; k++) {
        if (s->operands[k].kind != PTL_MEMORY) continue;
        ptl_value address = ptl_operand_address(instance, k);
        add_address(&address, out->read);
        add_address(&address, out->written);
    }
}

void ptl_accesses_of(const ptl_instance* instance, ptl_accesses* out) {
    const ptl_scheme* s = &instance->scheme;
    memset(out, 0, sizeof *out);
    out->flags_read = s->flags_read;
    out->flags_written = s->flags_written;
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (o->kind == PTL_REGISTER && o->register_class == PTL_FLAGS) {
            if (o->access & PTL_COND_WRITE) out->flags_read |= s->flags_written;
        } else if (o->kind == PTL_REGISTER) {
            add_register(s, o, &instance->values[k], out);
        } else if (o->kind == PTL_MEMORY) {
            add_memory(instance, k, out);
        } else if (o->kind == PTL_ADDRESS) {
            add_address(&instance->values[k], out->read);
        }
    }
    add_what_operands_lack(instance, out);
}
