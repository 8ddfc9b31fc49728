/* Tells what A64's instances compute, as far as addresses need it. */
#include "isa/aarch64/aarch64.h"

bool ptl_a64_is_called(const ptl_scheme* s, const char* name) {
    const char* other = ptl_a64_mnemonics[s->mnemonic];
    while (*name && *name == *other) name++, other++;
    return *name == *other;
}

bool ptl_a64_is_zero(unsigned r) {
    return r == ptl_a64_register(PTL_A64_X, 31) || r == ptl_a64_register(PTL_A64_W, 31);
}

static bool is_narrow(const ptl_operand* o) {
    return o->register_class == PTL_W || o->register_class == PTL_WSP;
}

static bool is_general(const ptl_operand* o) {
    return o->kind == PTL_REGISTER &&
           (is_narrow(o) || o->register_class == PTL_X || o->register_class == PTL_XSP);
}

/* An operand's number, encoded or not. */
static int64_t number_of(const ptl_instance* instance, unsigned k) {
    const ptl_operand* o = &instance->scheme.operands[k];
    return o->has_constant ? o->constant : instance->values[k].number;
}

/* target = first kind second, the second with or without a shift to the left behind it. */
static void take_binary(const ptl_instance* instance, ptl_item_kind kind, ptl_item_form* out) {
    const ptl_scheme* s = &instance->scheme;
    bool is_shifted = s->visible_count == 4;
    if (s->visible_count < 3 || !is_general(&s->operands[1])) return;
    if (is_shifted && s->operands[3].form != PTL_A64_LSL) return;
    int64_t shift = is_shifted ? number_of(instance, 3) : 0;
    out->first = 1;
    out->second = 2;
    out->by_number = s->operands[2].kind == PTL_IMMEDIATE;
    if (out->by_number) {
        out->number = (int64_t)((uint64_t)instance->values[2].number << shift);
    } else if (is_shifted && kind >= PTL_ITEM_AND) {
        return;
    } else {
        out->shift = (uint8_t)shift;
    }
    out->kind = (uint8_t)kind;
    out->of_numbers = kind >= PTL_ITEM_AND || out->narrow;
}

/* orr with the zero register is a copy, which mov is another name of; with a number one of that. */
static void take_or(const ptl_instance* instance, ptl_item_form* out) {
    take_binary(instance, PTL_ITEM_OR, out);
    if (out->kind != PTL_ITEM_OR || !ptl_a64_is_zero(instance->values[1].reg)) return;
    out->kind = PTL_ITEM_COPY;
    out->of_numbers = false;
}

/* movz and movn: 16 bits at a place. */
static void take_number(const ptl_instance* instance, bool inverted, ptl_item_form* out) {
    unsigned count = instance->scheme.visible_count;
    uint64_t value = (uint64_t)instance->values[1].number << (count == 3 ? number_of(instance, 2) : 0);
    out->kind = PTL_ITEM_COPY;
    out->by_number = true;
    out->number = (int64_t)(inverted ? ~value : value);
}

/* ubfm and sbfm as far as they are shifts, or take the lowest bits. */
static void take_bit_field(const ptl_instance* instance, bool is_signed, ptl_item_form* out) {
    int64_t from = instance->values[2].number, last = instance->values[3].number;
    int64_t top = out->narrow ? 31 : 63;
    out->first = out->second = 1;
    out->of_numbers = true;
    if (last == top) {
        out->kind = is_signed ? PTL_ITEM_SHIFT_SIGNED : PTL_ITEM_SHIFT;
        out->by_number = true;
        out->number = from;
    } else if (!is_signed && from == last + 1) {
        out->kind = PTL_ITEM_SCALE;
        out->of_numbers = out->narrow;
        out->number = (int64_t)(UINT64_C(1) << (top - last));
    } else if (from == 0) {
        out->kind = is_signed ? PTL_ITEM_PART_SIGNED : PTL_ITEM_PART;
        out->bits = (uint8_t)(last + 1);
    }
}

/* Loads and stores of whole general registers. */
static void take_move(const ptl_instance* instance, bool is_store, ptl_item_form* out) {
    const ptl_a64_form* f = ptl_a64_form_of_scheme(&instance->scheme);
    if (f->operands[1].kind != PTL_A64_MEMORY || f->operands[1].is_literal) return;
    out->kind = PTL_ITEM_COPY;
    out->target = is_store;
    out->second = !is_store;
    if (is_store) out->narrow = false;
}

/* Notes by what a base moves: the displacement, or what stands behind the address. */
static void take_step(const ptl_instance* instance, ptl_item_form* out) {
    const ptl_a64_form* f = ptl_a64_form_of_scheme(&instance->scheme);
    for (unsigned k = 0; k < f->operand_count; k++) {
        if (f->operands[k].kind != PTL_A64_MEMORY || !f->operands[k].writeback) continue;
        bool is_behind = f->operands[k].writeback == PTL_A64_POST_INDEX && k + 1 < f->operand_count;
        bool is_register = is_behind && f->operands[k + 1].kind == PTL_A64_REGISTER;
        if (is_register)
            out->step_operand = (uint8_t)(k + 2);
        else
            out->step = instance->values[is_behind ? k + 1 : k].number;
    }
}

static void take_general(const ptl_instance* instance, ptl_item_form* out) {
    const ptl_scheme* s = &instance->scheme;
    if (ptl_a64_is_called(s, "add") || ptl_a64_is_called(s, "adds")) take_binary(instance, PTL_ITEM_ADD, out);
    if (ptl_a64_is_called(s, "sub") || ptl_a64_is_called(s, "subs"))
        take_binary(instance, PTL_ITEM_SUBTRACT, out);
    if (ptl_a64_is_called(s, "and") || ptl_a64_is_called(s, "ands")) take_binary(instance, PTL_ITEM_AND, out);
    if (ptl_a64_is_called(s, "eor")) take_binary(instance, PTL_ITEM_XOR, out);
    if (ptl_a64_is_called(s, "orr")) take_or(instance, out);
    if (ptl_a64_is_called(s, "movz")) take_number(instance, false, out);
    if (ptl_a64_is_called(s, "movn")) take_number(instance, true, out);
    if (ptl_a64_is_called(s, "ubfm")) take_bit_field(instance, false, out);
    if (ptl_a64_is_called(s, "sbfm")) take_bit_field(instance, true, out);
    if (ptl_a64_is_called(s, "ldr") || ptl_a64_is_called(s, "ldur")) take_move(instance, false, out);
    if (ptl_a64_is_called(s, "str") || ptl_a64_is_called(s, "stur")) take_move(instance, true, out);
}

void ptl_a64_item_form(const ptl_instance* instance, ptl_item_form* out) {
    const ptl_operand* o = instance->scheme.operands;
    bool general = instance->scheme.visible_count >= 2 && is_general(&o[0]);
    out->kind = PTL_ITEM_OTHER;
    out->narrow = general && is_narrow(&o[0]);
    out->changes_each_time = ptl_a64_is_called(&instance->scheme, "mrs");
    take_step(instance, out);
    if (general) take_general(instance, out);
}
