#include "isa/aarch64/derive/name.h"

#include <stdio.h>
#include <string.h>

#include "isa/aarch64/field.h"
#include "isa/aarch64/text_writer.h"
#include "isa/aarch64/words.h"

static void put_vector(ptl_a64_writer* w, const ptl_a64_operand* o, bool is_element) {
    char letter = ptl_a64_element_letter(o->element_width);
    if (is_element)
        ptl_a64_put(w, "v.%c", letter);
    else
        ptl_a64_put(w, "v.%u%c", o->width / o->element_width, letter);
}

static void put_register(ptl_a64_writer* w, const ptl_a64_operand* o, bool is_element) {
    if (o->is_braced) ptl_a64_put(w, "{");
    for (unsigned k = 0; k < o->list; k++) {
        if (k) ptl_a64_put(w, ", ");
        if (o->class == PTL_A64_V)
            put_vector(w, o, is_element);
        else
            ptl_a64_put(w, "%s", ptl_a64_class_text(o->class));
    }
    if (o->is_braced) ptl_a64_put(w, "}");
}

static void put_memory(ptl_a64_writer* w, const ptl_a64_operand* o) {
    unsigned bits = ptl_a64_field_width(&o->fields[PTL_A64_VALUE]);
    if (o->is_literal) {
        ptl_a64_put(w, "[pc, imm%u]", bits);
        return;
    }
    ptl_a64_put(w, "[x");
    if (o->class) ptl_a64_put(w, ", %s", ptl_a64_class_text(o->class));
    if (o->modifier) ptl_a64_put(w, ", %s", ptl_a64_modifier_text(o->modifier));
    if (o->has_amount) ptl_a64_put(w, " imm");
    if (bits) ptl_a64_put(w, ", imm%u", bits);
    ptl_a64_put(w, o->writeback == PTL_A64_PRE_INDEX ? "]!" : "]");
}

static void put_immediate(ptl_a64_writer* w, const ptl_a64_operand* o) {
    unsigned bits = ptl_a64_field_width(&o->fields[PTL_A64_VALUE]);
    const char* shift = ptl_a64_modifier_text(o->modifier);
    switch ((ptl_a64_modifier)o->modifier) {
    case PTL_A64_LANE:
        if (o->has_constant)
            ptl_a64_put(w, "[%d]", o->constant);
        else
            ptl_a64_put(w, "[imm]");
        return;
    case PTL_A64_COND: ptl_a64_put(w, "cond"); return;
    case PTL_A64_FLOAT: ptl_a64_put(w, o->has_constant ? "0.0" : "fp8"); return;
    case PTL_A64_BITMASK: ptl_a64_put(w, "bitmask"); return;
    case PTL_A64_BYTES: ptl_a64_put(w, "bytes"); return;
    case PTL_A64_PREFETCH: ptl_a64_put(w, "prefetch"); return;
    default: break;
    }
    ptl_a64_put(w, "%s", shift);
    if (!o->has_constant)
        ptl_a64_put(w, "%simm%u", *shift ? " " : "", bits);
    else if (!*shift || o->constant) /* no amount: sxtw */
        ptl_a64_put(w, "%s%d", *shift ? " " : "", o->constant);
}

bool ptl_derive_name(ptl_derived* d) {
    ptl_a64_writer w = {d->name, PTL_A64_NAME_SIZE, 0};
    ptl_a64_put(&w, "%s", d->mnemonic);
    for (unsigned k = 0; k < d->form.operand_count; k++) {
        const ptl_a64_operand* o = &d->form.operands[k];
        bool is_lane = o->modifier == PTL_A64_LANE;
        if (k == 0 && o->modifier == PTL_A64_COND) continue; /* b.cond rel19 */
        bool is_element = k + 1 < d->form.operand_count && d->form.operands[k + 1].modifier == PTL_A64_LANE;
        if (!is_lane) ptl_a64_put(&w, "%s", strchr(d->name, ' ') ? ", " : " ");
        switch ((ptl_a64_kind)o->kind) {
        case PTL_A64_REGISTER: put_register(&w, o, is_element); break;
        case PTL_A64_MEMORY: put_memory(&w, o); break;
        case PTL_A64_RELATIVE: ptl_a64_put(&w, "rel%u", ptl_a64_field_width(&o->fields[0])); break;
        case PTL_A64_IMMEDIATE: put_immediate(&w, o); break;
        }
    }
    return w.used < PTL_A64_NAME_SIZE;
}
