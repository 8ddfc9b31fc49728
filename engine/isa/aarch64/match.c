#include "isa/aarch64/match.h"

#include <stdio.h>
#include <string.h>

#include "isa/aarch64/field.h"
#include "isa/aarch64/lookup.h"
#include "isa/aarch64/other_names.h"

static bool is_stack_class(unsigned class) {
    return class == PTL_A64_XSP || class == PTL_A64_WSP;
}

/* x with x and xsp, sp with xsp alone, xzr with x alone. */
static bool fits_class(const ptl_a64_operand* o, const ptl_shape_operand* from) {
    unsigned plain = o->class == PTL_A64_XSP ? PTL_A64_X : o->class == PTL_A64_WSP ? PTL_A64_W : o->class;
    if (plain != from->class) return false;
    if (plain != PTL_A64_X && plain != PTL_A64_W) return true;
    return from->values[PTL_A64_VALUE] != 31 || from->is_sp == is_stack_class(o->class);
}

static bool fits_register(const ptl_a64_operand* o, const ptl_shape_operand* from, bool is_element) {
    unsigned width = is_element ? 0 : o->class == PTL_A64_V ? o->width : 0;
    return fits_class(o, from) && o->element_width == from->element_width && width == from->vector_width &&
           o->list == from->list && o->is_braced == from->is_braced;
}

static bool fits_memory(const ptl_a64_operand* o, const ptl_shape_operand* from) {
    if (o->is_literal || from->is_literal) return o->is_literal == from->is_literal;
    if (o->writeback != from->writeback || (o->class != 0) != from->has_index) return false;
    if (!o->class) return true;
    return o->class == from->class && o->modifier == from->modifier && o->has_amount == from->has_amount &&
           (!o->has_amount || o->constant == from->amount);
}

static bool is_number(unsigned modifier) {
    return modifier == PTL_A64_PLAIN || modifier == PTL_A64_BITMASK || modifier == PTL_A64_BYTES ||
           modifier == PTL_A64_PREFETCH || modifier == PTL_A64_FLOAT;
}

static bool fits_immediate(const ptl_a64_operand* o, const ptl_shape_operand* from) {
    bool is_same =
        o->modifier == from->modifier || (is_number(o->modifier) && from->modifier == PTL_A64_PLAIN);
    if (!is_same) return false;
    if (!o->has_constant) return true;
    if (o->modifier == PTL_A64_FLOAT)
        return from->values[0] == (from->modifier == PTL_A64_FLOAT ? PTL_SHAPE_ZERO_FLOAT : 0);
    return from->values[0] == o->constant;
}

static bool put(const ptl_a64_operand* o, unsigned part, int64_t value, uint32_t* word) {
    const ptl_a64_field* f = &o->fields[part];
    return !f->coding || ptl_a64_field_write(f, value, word);
}

/* Integers for numbers with point: fmov s0, 2. */
static int64_t number_of(const ptl_a64_operand* o, const ptl_shape_operand* from) {
    if (o->modifier != PTL_A64_FLOAT || from->modifier == PTL_A64_FLOAT) return from->values[0];
    return ptl_shape_float_code((double)from->values[0]);
}

static bool put_operand(const ptl_a64_operand* o, const ptl_shape_operand* from, bool is_element,
                        uint32_t* word) {
    if (o->kind != from->kind) return false;
    switch ((ptl_a64_kind)o->kind) {
    case PTL_A64_REGISTER:
        return fits_register(o, from, is_element) && put(o, PTL_A64_VALUE, from->values[0], word);
    case PTL_A64_MEMORY:
        if (!fits_memory(o, from) || (!o->fields[PTL_A64_VALUE].coding && from->values[PTL_A64_VALUE]))
            return false;
        for (unsigned part = 0; part < PTL_A64_PARTS; part++)
            if (!put(o, part, from->values[part], word)) return false;
        return o->is_literal || from->is_sp || from->values[PTL_A64_BASE] != 31;
    case PTL_A64_IMMEDIATE: return fits_immediate(o, from) && put(o, PTL_A64_VALUE, number_of(o, from), word);
    default: return put(o, PTL_A64_VALUE, from->values[0], word);
    }
}

static bool put_form(const ptl_a64_form* f, const ptl_shape* shape, uint32_t* word) {
    if (f->operand_count != shape->count) return false;
    *word = f->value;
    for (unsigned k = 0; k < shape->count; k++) {
        bool is_element = k + 1 < f->operand_count && f->operands[k + 1].modifier == PTL_A64_LANE;
        if (!put_operand(&f->operands[k], &shape->operands[k], is_element, word)) return false;
    }
    return ptl_a64_form_of(*word) != NULL;
}

/* Forms are in the order of their names, so those of one mnemonic stand together. */
static unsigned first_form(const char* mnemonic) {
    unsigned low = 0, high = ptl_a64_form_count;
    size_t n = strlen(mnemonic);
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        const char* name = ptl_a64_forms[middle].name;
        int order = strncmp(name, mnemonic, n);
        if (order == 0 && name[n] && name[n] != ' ') order = 1;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The word of a statement whose mnemonic is that of a form; false if no form takes its operands. */
static bool match(const ptl_shape* shape, uint32_t* word) {
    unsigned mnemonic = ptl_a64_mnemonic_of(shape->mnemonic, strlen(shape->mnemonic));
    if (!mnemonic) return false;
    for (unsigned k = first_form(shape->mnemonic); k < ptl_a64_form_count; k++) {
        if (ptl_a64_forms[k].mnemonic != mnemonic) break;
        if (put_form(&ptl_a64_forms[k], shape, word)) return true;
    }
    return false;
}

/* By at most so many other names, one after the other: cmp x0, -1 is a subs, and that an adds. */
static bool match_other(const ptl_shape* shape, unsigned names, uint32_t* word) {
    if (match(shape, word)) return true;
    ptl_shape other;
    for (unsigned k = 0; names > 0 && k < ptl_a64_alias_count(); k++)
        if (ptl_a64_alias_resolve(k, shape, &other) && match_other(&other, names - 1, word)) return true;
    return false;
}

bool ptl_a64_match_any(const ptl_shape* shape, uint32_t* word) {
    return match_other(shape, 3, word);
}

bool ptl_a64_is_mnemonic(const char* mnemonic) {
    return ptl_a64_mnemonic_of(mnemonic, strlen(mnemonic)) != 0 || ptl_a64_is_alias(mnemonic) ||
           (!strncmp(mnemonic, "b.", 2) && mnemonic[2]);
}

const char* ptl_a64_describe_forms(const ptl_shape* shape, char* out, size_t size) {
    unsigned mnemonic = ptl_a64_mnemonic_of(shape->mnemonic, strlen(shape->mnemonic));
    size_t used = 0;
    for (unsigned k = first_form(shape->mnemonic); mnemonic && k < ptl_a64_form_count; k++) {
        const ptl_a64_form* f = &ptl_a64_forms[k];
        if (f->mnemonic != mnemonic) break;
        if (f->operand_count != shape->count) continue;
        size_t n = strlen(f->name) + 2;
        bool is_last = used + n + 16 > size; /* room for "forms: " and the dots */
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 used ? "; " : "forms: ", is_last ? "..." : f->name);
        if (is_last) break;
    }
    if (!used) snprintf(out, size, "'portolan isa list --arch aarch64' shows all forms");
    return out;
}
