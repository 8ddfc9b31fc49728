#include "isa/accesses.h"

#include <string.h>

#include "isa/architecture.h"

/* Returns where hidden memory is: at a fixed register, or (movdir64b and its like) at the first, printed one.
 * The table of xlat is the one case with an index, which the decoder does not tell. */
static ptl_value hidden_address(const ptl_instance* instance, const ptl_operand* o) {
    const ptl_architecture* a = instance->scheme.architecture;
    ptl_value v = {.base = o->fixed ? o->fixed : instance->values[0].reg};
    v.index = a->hidden_index ? a->hidden_index(&instance->scheme) : 0;
    v.scale = v.index != 0;
    return v;
}

ptl_value ptl_operand_address(const ptl_instance* instance, unsigned operand) {
    const ptl_operand* o = &instance->scheme.operands[operand];
    return o->visibility == PTL_HIDDEN ? hidden_address(instance, o) : instance->values[operand];
}

static void touch(ptl_accesses* out, ptl_touch t, unsigned uses) {
    uint32_t bit = UINT32_C(1) << t.number;
    t.reads = (uses & (PTL_TOUCH_VALUE | PTL_TOUCH_ADDRESS)) != 0;
    t.writes = (uses & PTL_TOUCH_WRITTEN) != 0;
    if (uses & PTL_TOUCH_VALUE) out->read[t.file] |= bit;
    if (uses & PTL_TOUCH_ADDRESS) out->address[t.file] |= bit;
    if (uses & PTL_TOUCH_WRITTEN) out->written[t.file] |= bit;
    if (uses && out->touch_count < PTL_TOUCHES_MAX) out->touches[out->touch_count++] = t;
}

void ptl_accesses_add(const ptl_architecture* a, unsigned operand, ptl_operand_part part, unsigned r,
                      unsigned count, unsigned uses, ptl_accesses* out) {
    unsigned number;
    ptl_file file = r ? ptl_register_place(a, r, &number) : PTL_FILES;
    if (file == PTL_FILES) return;
    for (unsigned k = 0; k < count; k++)
        touch(out,
              (ptl_touch){.operand = (uint8_t)operand,
                          .part = (uint8_t)part,
                          .file = (uint8_t)file,
                          .number = (uint8_t)((number + k) % ptl_file_size(a, file))},
              uses);
}

bool ptl_operand_waits(const ptl_scheme* s, const ptl_operand* o) {
    if (ptl_operand_reads(o)) return true;
    return ptl_operand_writes(o) && s->architecture->keeps_old(s, o);
}

static void add_register(const ptl_instance* instance, unsigned k, ptl_accesses* out) {
    const ptl_operand* o = &instance->scheme.operands[k];
    unsigned uses = ptl_operand_writes(o) ? PTL_TOUCH_WRITTEN : 0;
    if (ptl_operand_waits(&instance->scheme, o)) uses |= PTL_TOUCH_VALUE;
    ptl_accesses_add(instance->scheme.architecture, k, PTL_PART_VALUE,
                     o->fixed ? o->fixed : instance->values[k].reg, o->source_count, uses, out);
}

/* The base and the index; vectors index gathers. The base of code, rip, is in no file. */
static void add_address(const ptl_architecture* a, const ptl_value* address, unsigned k, unsigned uses,
                        ptl_accesses* out) {
    ptl_accesses_add(a, k, PTL_PART_BASE, address->base, 1, uses, out);
    ptl_accesses_add(a, k, PTL_PART_INDEX, address->index, 1, uses, out);
}

static void add_memory(const ptl_instance* instance, unsigned k, ptl_accesses* out) {
    const ptl_operand* o = &instance->scheme.operands[k];
    const ptl_architecture* a = instance->scheme.architecture;
    ptl_value address = ptl_operand_address(instance, k);
    bool reads = ptl_operand_reads(o), writes = ptl_operand_writes(o);
    if (a->leaves_memory_alone && a->leaves_memory_alone(&instance->scheme)) return;
    add_address(a, &address, k, reads || writes ? PTL_TOUCH_ADDRESS : PTL_TOUCH_VALUE, out);
    if (!(reads || writes) || out->memory_count == PTL_MEMORY_OPERANDS_MAX) return;
    out->memory[out->memory_count++] = (ptl_memory_access){
        .address = address, .bytes = o->width / 8u, .operand = (uint8_t)k, .reads = reads, .writes = writes};
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
            add_address(s->architecture, &instance->values[k], k, PTL_TOUCH_VALUE, out);
        }
    }
    if (s->architecture->complete_accesses) s->architecture->complete_accesses(instance, out);
}
