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

/* How a register is used. */
typedef enum use { VALUE = 1, ADDRESS = 2, WRITTEN = 4 } use;

static void touch(ptl_accesses* out, ptl_touch t, unsigned uses) {
    uint32_t bit = UINT32_C(1) << t.number;
    t.reads = (uses & (VALUE | ADDRESS)) != 0;
    t.writes = (uses & WRITTEN) != 0;
    if (uses & VALUE) out->read[t.file] |= bit;
    if (uses & ADDRESS) out->address[t.file] |= bit;
    if (uses & WRITTEN) out->written[t.file] |= bit;
    if (uses && out->touch_count < PTL_TOUCHES_MAX) out->touches[out->touch_count++] = t;
}

/* Adds a register, and those behind it that a multi-source operand stands for. */
static void add(ptl_accesses* out, unsigned operand, ptl_operand_part part, unsigned r, unsigned count,
                unsigned uses) {
    unsigned number;
    ptl_file file = r ? ptl_register_place((ZydisRegister)r, &number) : PTL_FILES;
    if (file == PTL_FILES) return;
    for (unsigned k = 0; k < count; k++)
        touch(out,
              (ptl_touch){.operand = (uint8_t)operand,
                          .part = (uint8_t)part,
                          .file = (uint8_t)file,
                          .number = (uint8_t)((number + k) % ptl_file_size(file))},
              uses);
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

bool ptl_operand_waits(const ptl_scheme* s, const ptl_operand* o) {
    if (ptl_operand_reads(o)) return true;
    return ptl_operand_writes(o) && (keeps_other_bits(s, o) || may_write_nothing(s));
}

static void add_register(const ptl_instance* instance, unsigned k, ptl_accesses* out) {
    const ptl_operand* o = &instance->scheme.operands[k];
    unsigned uses = ptl_operand_writes(o) ? WRITTEN : 0;
    if (ptl_operand_waits(&instance->scheme, o)) uses |= VALUE;
    add(out, k, PTL_PART_VALUE, o->fixed ? o->fixed : instance->values[k].reg, o->source_count, uses);
}

/* The base and the index; vectors index gathers. The base of code, rip, is in no file. */
static void add_address(const ptl_value* address, unsigned k, unsigned uses, ptl_accesses* out) {
    add(out, k, PTL_PART_BASE, address->base, 1, uses);
    add(out, k, PTL_PART_INDEX, address->index, 1, uses);
}

static void add_memory(const ptl_instance* instance, unsigned k, ptl_accesses* out) {
    const ptl_operand* o = &instance->scheme.operands[k];
    ptl_value address = ptl_operand_address(instance, k);
    bool reads = ptl_operand_reads(o), writes = ptl_operand_writes(o);
    if (strcmp(instance->scheme.category, "WIDENOP") == 0) return; /* it names memory, and leaves it alone */
    add_address(&address, k, reads || writes ? ADDRESS : VALUE, out);
    if (!(reads || writes) || out->memory_count == PTL_MEMORY_OPERANDS_MAX) return;
    out->memory[out->memory_count++] = (ptl_memory_access){
        .address = address, .bytes = o->width / 8u, .operand = (uint8_t)k, .reads = reads, .writes = writes};
}

bool ptl_scheme_moves_on(const ptl_scheme* s) {
    if (strcmp(s->category, "STRINGOP") != 0) return false;
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
    if (s->mnemonic == ZYDIS_MNEMONIC_VZEROALL) add(out, 0, PTL_PART_VALUE, ZYDIS_REGISTER_ZMM0, 16, WRITTEN);
    if (shifts_by_nothing(instance)) out->flags_written = 0;
    for (unsigned k = 0; ptl_scheme_moves_on(s) && k < s->operand_count; k++) {
        if (s->operands[k].kind != PTL_MEMORY) continue;
        ptl_value address = ptl_operand_address(instance, k);
        add_address(&address, k, VALUE | WRITTEN, out);
    }
}

uint32_t ptl_scheme_flags_waited(const ptl_scheme* s) {
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        bool flags = o->kind == PTL_REGISTER && o->register_class == PTL_FLAGS;
        if (flags && (o->access & PTL_COND_WRITE)) return s->flags_read | s->flags_written;
    }
    return s->flags_read;
}

void ptl_accesses_of(const ptl_instance* instance, ptl_accesses* out) {
    const ptl_scheme* s = &instance->scheme;
    memset(out, 0, sizeof *out);
    out->flags_read = ptl_scheme_flags_waited(s);
    out->flags_written = s->flags_written;
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (o->kind == PTL_REGISTER && o->register_class == PTL_FLAGS) continue;
        if (o->kind == PTL_REGISTER) {
            add_register(instance, k, out);
        } else if (o->kind == PTL_MEMORY) {
            add_memory(instance, k, out);
        } else if (o->kind == PTL_ADDRESS) {
            add_address(&instance->values[k], k, VALUE, out);
        }
    }
    add_what_operands_lack(instance, out);
}
