#include "predict/code_block.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "isa/register_stack.h"
#include "isa/stack.h"
#include "predict/block_fusion.h"
#include "predict/block_needs.h"

/* Tells whether all registers that an instance reads as values are one, and there are at least two of
 * them. */
static bool has_one_source(const ptl_instance* instance) {
    unsigned sources = 0, source = 0;
    for (unsigned k = 0; k < instance->scheme.visible_count; k++) {
        const ptl_operand* o = &instance->scheme.operands[k];
        if (o->kind != PTL_REGISTER || !ptl_operand_waits(&instance->scheme, o)) continue;
        unsigned r = o->fixed ? o->fixed : instance->values[k].reg;
        if (sources++ && r != source) return false;
        source = r;
    }
    return sources > 1;
}

/* Addresses near an instruction are counted from the first byte of the code, whichever says so. */
static void place_in_code(const ptl_architecture* architecture, ptl_accesses* a, size_t end) {
    for (unsigned k = 0; k < a->memory_count; k++) {
        ptl_value* address = &a->memory[k].address;
        if (ptl_is_instruction_pointer(architecture, address->base)) address->number += (int64_t)end;
    }
}

/* The target is not always the first operand: cbnz x0, loop. */
static bool jumps_to_start(const ptl_instance* instance, size_t end) {
    const ptl_scheme* s = &instance->scheme;
    if (!s->branch_type || s->flow == PTL_FLOW_CALL) return false;
    for (unsigned k = 0; k < s->visible_count; k++)
        if (s->operands[k].kind == PTL_RELATIVE) return instance->values[k].number == -(int64_t)end;
    return false;
}

static bool moves_to_itself(const ptl_instance* instance) {
    unsigned from, to;
    const ptl_operand* o = instance->scheme.operands;
    if (instance->scheme.visible_count != 2 || o[0].kind != PTL_REGISTER || o[1].kind != PTL_REGISTER)
        return false;
    const ptl_architecture* a = instance->scheme.architecture;
    ptl_file file = ptl_register_place(a, instance->values[0].reg, &to);
    return file != PTL_FILES && file == ptl_register_place(a, instance->values[1].reg, &from) && from == to;
}

/* An immediate too large, an index, or one register twice, for what was measured of the scheme. */
static bool is_other_form(const ptl_instance* instance) {
    if (moves_to_itself(instance) || ptl_shape_of(instance) != PTL_SHAPE_PLAIN) return true;
    for (unsigned k = 0; k < instance->scheme.visible_count; k++) {
        const ptl_operand* o = &instance->scheme.operands[k];
        int64_t number = instance->values[k].number;
        bool large = number < -PTL_SMALL_IMMEDIATE || number >= PTL_SMALL_IMMEDIATE;
        if (o->kind == PTL_IMMEDIATE && !o->has_constant && large) return true;
        if (o->kind == PTL_ADDRESS && (large || instance->values[k].index)) return true;
    }
    return false;
}

static uint32_t find_scheme(const ptl_block_model* m, const ptl_instance* instance) {
    uint32_t scheme = ptl_block_model_find(m, instance->scheme.name);
    if (scheme == PTL_NO_SCHEME || m->facts[scheme].other_form == PTL_NO_SCHEME) return scheme;
    return is_other_form(instance) ? m->facts[scheme].other_form : scheme;
}

static void fill(ptl_item* item, const ptl_block_model* m, const ptl_instance* instance, size_t at,
                 size_t size) {
    memcpy(item->name, instance->scheme.name, sizeof item->name);
    item->scheme = find_scheme(m, instance);
    item->offset = (uint32_t)at;
    item->size = (uint32_t)size;
    item->architecture = instance->scheme.architecture;
    item->mnemonic = instance->scheme.mnemonic;
    item->is_jump = instance->scheme.flow == PTL_FLOW_CONDITIONAL;
    item->to_start = jumps_to_start(instance, at + size);
    item->stack_bytes = (int8_t)ptl_scheme_stack_bytes(&instance->scheme);
    item->is_push = item->stack_bytes < 0;
    item->form = ptl_item_form_of(instance);
    item->computed = instance->values[1];
    if (ptl_is_instruction_pointer(item->architecture, item->computed.base))
        item->computed.number += (int64_t)(at + size);
    item->is_indexed = false;
    item->top_moves = (int8_t)ptl_scheme_top_moves(&instance->scheme);
    item->swaps = ptl_scheme_swaps(&instance->scheme);
    item->one_source = has_one_source(instance);
    item->shape = (uint8_t)ptl_shape_of(instance);
    ptl_accesses_of(instance, &item->accesses);
    place_in_code(item->architecture, &item->accesses, at + size);
    for (unsigned k = 0; k < item->accesses.memory_count; k++)
        item->is_indexed = item->is_indexed || item->accesses.memory[k].address.index;
}

ptl_status ptl_code_block_decode(ptl_code_block* b, const ptl_block_model* m, const uint8_t* code,
                                 size_t size, ptl_error* error) {
    b->model = m;
    b->count = 0;
    for (size_t at = 0, n; at < size; at += n) {
        ptl_instance instance;
        ptl_status s = ptl_decode(m->architecture, code + at, size - at, &instance, &n, error);
        if (s) return s;
        if (b->count == PTL_CODE_BLOCK_ITEMS_MAX)
            return ptl_fail(error, PTL_LIMIT, NULL, "give it in parts",
                            "a block of more than %d instructions", PTL_CODE_BLOCK_ITEMS_MAX);
        if (!ptl_room(&b->items, &b->item_capacity, b->count + 1u, sizeof *b->items))
            return ptl_no_memory(error, "for a block");
        fill(&b->items[b->count++], m, &instance, at, n);
    }
    b->is_loop = b->count && b->items[b->count - 1].to_start;
    return PTL_OK;
}

/* Notes who gets flags late. */
static void find_late(ptl_code_block* b) {
    for (size_t k = 0; k < b->need_count; k++) {
        const ptl_need* n = &b->needs[k];
        uint32_t from = b->items[n->from].scheme, to = b->items[n->to].scheme;
        bool flags = n->resource >= PTL_RESOURCE_FLAGS && n->resource < PTL_RESOURCE_MEMORY;
        if (!flags || from == PTL_NO_SCHEME || to == PTL_NO_SCHEME) continue;
        if (b->model->facts[from].gives_late && b->model->facts[to].takes_late) b->uses[n->to].late = true;
    }
}

/* Notes who gives the result of a floating-point addition, where it matters. */
static void find_sums(ptl_code_block* b) {
    for (uint32_t i = 0; i < b->count && b->model->late_sums > 0; i++)
        b->uses[i].gives_sum =
            b->items[i].scheme != PTL_NO_SCHEME && b->model->facts[b->items[i].scheme].is_sum;
    for (bool found = b->model->late_sums > 0; found;) {
        found = false;
        for (size_t k = 0; k < b->need_count; k++) {
            const ptl_need* n = &b->needs[k];
            uint32_t to = b->items[n->to].scheme;
            if (n->resource == PTL_RESOURCE_MEMORY || to == PTL_NO_SCHEME) continue;
            const ptl_usage* use = &b->model->mapping->schemes[to];
            bool hands_on = use->known && !use->uop_count && b->uses[n->from].gives_sum;
            if (hands_on && !b->uses[n->to].gives_sum) b->uses[n->to].gives_sum = found = true;
        }
    }
}

ptl_status ptl_code_block_link(ptl_code_block* b, ptl_premises premises, uint32_t without, ptl_error* error) {
    if (!ptl_room(&b->uses, &b->use_capacity, b->count + 1u, sizeof *b->uses))
        return ptl_no_memory(error, "for a block");
    ptl_block_fuse(b, without);
    ptl_status s = ptl_block_find_needs(b, premises, error);
    if (!s) find_late(b);
    if (!s) find_sums(b);
    return s;
}

uint32_t ptl_code_block_unit(const ptl_code_block* b, uint32_t item) {
    uint32_t scheme = b->items[item].scheme;
    bool closes = b->is_loop && item == b->count - 1 && b->model->taken_branch > 0;
    return closes || scheme == PTL_NO_SCHEME ? PTL_NO_UNIT : b->model->facts[scheme].unit;
}

void ptl_code_block_free(ptl_code_block* b) {
    free(b->items);
    free(b->uses);
    free(b->needs);
    *b = PTL_CODE_BLOCK_EMPTY;
}
