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

static bool keeps_other_bits(const ptl_operand* o) {
    return o->register_class == PTL_GPR8 || o->register_class == PTL_GPR16;
}

static void add_register(const ptl_operand* o, const ptl_value* value, ptl_accesses* out) {
    ZydisRegister r = (ZydisRegister)(o->fixed ? o->fixed : value->reg);
    bool writes = ptl_operand_writes(o);
    if (writes) add(out->written, r, o->source_count);
    if (ptl_operand_reads(o) || (writes && keeps_other_bits(o))) add(out->read, r, o->source_count);
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
            add_register(o, &instance->values[k], out);
        } else if (o->kind == PTL_MEMORY) {
            add_memory(instance, k, out);
        } else if (o->kind == PTL_ADDRESS) {
            add_address(&instance->values[k], out->read);
        }
    }
}
