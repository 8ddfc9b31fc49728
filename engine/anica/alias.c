#include "anica/alias.h"

ptl_alias_space ptl_operand_space(const ptl_scheme* scheme, unsigned operand) {
    if (operand >= scheme->operand_count) return PTL_SPACE_NONE;
    const ptl_operand* o = &scheme->operands[operand];
    if (o->kind == PTL_MEMORY) return PTL_SPACE_MEMORY;
    if (o->kind != PTL_REGISTER) return PTL_SPACE_NONE;
    ptl_file file = ptl_file_of_class((ptl_register_class)o->register_class);
    return file == PTL_FILES ? PTL_SPACE_NONE : (ptl_alias_space)file;
}

bool ptl_operand_can_alias(const ptl_scheme* scheme, unsigned operand) {
    return ptl_operand_space(scheme, operand) != PTL_SPACE_NONE;
}

bool ptl_operands_match(const ptl_scheme* a, unsigned k, const ptl_scheme* b, unsigned l) {
    ptl_alias_space space = ptl_operand_space(a, k);
    return space != PTL_SPACE_NONE && space == ptl_operand_space(b, l);
}

static bool same_address(const ptl_value* a, const ptl_value* b) {
    return a->base == b->base && a->index == b->index && (!a->index || a->scale == b->scale) &&
           a->segment == b->segment && a->number == b->number;
}

static unsigned register_number(const ptl_instance* instance, unsigned operand) {
    const ptl_operand* o = &instance->scheme.operands[operand];
    unsigned number = 0;
    ptl_register_place(instance->scheme.architecture, o->fixed ? o->fixed : instance->values[operand].reg,
                       &number);
    return number;
}

bool ptl_operands_alias(const ptl_instance* a, unsigned k, const ptl_instance* b, unsigned l) {
    if (!ptl_operands_match(&a->scheme, k, &b->scheme, l)) return false;
    if (a->scheme.operands[k].kind == PTL_REGISTER) return register_number(a, k) == register_number(b, l);
    ptl_value x = ptl_operand_address(a, k), y = ptl_operand_address(b, l);
    return same_address(&x, &y);
}

bool ptl_alias_holds(const ptl_alias* c, const ptl_instance* block, size_t length) {
    if (c->a.instruction >= length || c->b.instruction >= length) return true;
    const ptl_instance *a = &block[c->a.instruction], *b = &block[c->b.instruction];
    if (!ptl_operands_match(&a->scheme, c->a.operand, &b->scheme, c->b.operand)) return true;
    return ptl_operands_alias(a, c->a.operand, b, c->b.operand) == (c->kind == PTL_MUST_ALIAS);
}
