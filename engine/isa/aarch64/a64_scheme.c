/* Forms of A64 as schemes. */
#include <string.h>

#include "isa/aarch64/aarch64.h"
#include "isa/aarch64/field.h"
#include "isa/aarch64/groups.h"
#include "isa/aarch64/lookup.h"

static uint8_t kind_of(const ptl_a64_operand* o) {
    switch ((ptl_a64_kind)o->kind) {
    case PTL_A64_REGISTER: return PTL_REGISTER;
    case PTL_A64_MEMORY: return PTL_MEMORY;
    case PTL_A64_RELATIVE: return PTL_RELATIVE;
    default: return PTL_IMMEDIATE;
    }
}

static void take_operand(const ptl_a64_operand* from, ptl_operand* to) {
    to->kind = kind_of(from);
    to->visibility = PTL_EXPLICIT;
    to->access = from->access; /* the bits are the same */
    to->register_class = (uint8_t)ptl_a64_scheme_class(from->class);
    to->width = from->width;
    to->element_width = from->element_width;
    to->form = from->modifier;
    to->source_count = from->list;
    to->is_signed = from->kind != PTL_A64_MEMORY && from->fields[PTL_A64_VALUE].is_signed;
    to->has_constant = from->kind == PTL_A64_IMMEDIATE && from->has_constant;
    to->constant = to->has_constant ? (int8_t)from->constant : 0;
    if (to->source_count == 0) to->source_count = 1;
}

_Static_assert((int)PTL_A64_READS == PTL_READ && (int)PTL_A64_WRITES == PTL_WRITE,
               "access bits of forms are those of schemes");

static uint8_t flow_of(const ptl_a64_form* f) {
    switch ((ptl_a64_branch)f->branch) {
    case PTL_A64_JUMP: return PTL_FLOW_JUMP;
    case PTL_A64_JUMP_IF: return PTL_FLOW_CONDITIONAL;
    case PTL_A64_CALL: return PTL_FLOW_CALL;
    case PTL_A64_RETURN: return PTL_FLOW_RETURN;
    default: return PTL_FLOW_ON;
    }
}

void ptl_a64_scheme(const ptl_a64_form* f, ptl_scheme* s) {
    memset(s, 0, sizeof *s);
    memcpy(s->name, f->name, strlen(f->name));
    s->mnemonic = f->mnemonic;
    s->form = (uint16_t)(f - ptl_a64_forms);
    s->code = f->value;
    s->encoding = PTL_A64;
    s->branch_type = f->branch;
    s->flow = flow_of(f);
    s->flags_read = f->flags_read;
    s->flags_written = f->flags_written;
    s->category = ptl_a64_category_text((ptl_a64_category)f->category);
    s->isa_set = s->extension = ptl_a64_feature_text((ptl_a64_feature)f->feature);
    for (unsigned k = 0; k < f->operand_count; k++) take_operand(&f->operands[k], &s->operands[k]);
    s->operand_count = s->visible_count = f->operand_count;
    if (f->branch == PTL_A64_CALL) { /* the link register */
        s->operands[s->operand_count++] = (ptl_operand){.kind = PTL_REGISTER,
                                                        .visibility = PTL_HIDDEN,
                                                        .access = PTL_WRITE,
                                                        .register_class = PTL_X,
                                                        .width = 64,
                                                        .fixed = ptl_a64_register(PTL_A64_X, 30),
                                                        .source_count = 1};
    }
}

const ptl_a64_form* ptl_a64_form_of_scheme(const ptl_scheme* s) {
    return &ptl_a64_forms[s->form];
}

const ptl_a64_operand* ptl_a64_form_operand(const ptl_scheme* s, const ptl_operand* o) {
    size_t k = (size_t)(o - s->operands);
    return k < s->visible_count ? &ptl_a64_form_of_scheme(s)->operands[k] : NULL;
}

/* Set 1: all but floating point and vectors; set 2: floating point and vectors. */
bool ptl_a64_each_scheme(unsigned sets, ptl_scheme_visit* visit, void* context) {
    for (unsigned k = 0; k < ptl_a64_form_count; k++) {
        const ptl_a64_form* f = &ptl_a64_forms[k];
        bool is_base = f->feature == PTL_A64_FEATURE_BASE || f->feature == PTL_A64_FEATURE_CRC;
        ptl_scheme s;
        if (!(sets & (is_base ? 1u : 2u))) continue;
        ptl_a64_scheme(f, &s);
        if (!visit(context, &s)) return false;
    }
    return true;
}

bool ptl_a64_scheme_from_name(const char* name, ptl_scheme* out) {
    const ptl_a64_form* f = ptl_a64_form_named(name);
    if (f) ptl_a64_scheme(f, out);
    return f != NULL;
}
