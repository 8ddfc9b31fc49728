#include "predict/item_shape.h"

#include "isa/architecture.h"
#include "isa/policy.h"

/* The name stands for bits above those that others of its class stand for. */
static bool is_high_byte(const ptl_architecture* a, unsigned r) {
    ptl_register_class c = r ? a->register_class(r) : PTL_NO_CLASS;
    unsigned number;
    if (c != PTL_GPR8 || ptl_register_place(a, r, &number) != PTL_FILE_GPR) return false;
    return a->register_in_class(c, number) != r;
}

/* An address has a displacement where it is written: of some bases always, even if it is 0. */
static bool has_displacement(const ptl_architecture* a, const ptl_value* v) {
    unsigned number;
    return v->number ||
           (ptl_register_place(a, v->base, &number) == PTL_FILE_GPR && a->displaced_bases >> number & 1);
}

ptl_shape ptl_shape_of(const ptl_instance* instance) {
    const ptl_architecture* a = instance->scheme.architecture;
    bool high = false, stores = false;
    for (unsigned k = 0; k < instance->scheme.visible_count; k++) {
        const ptl_operand* o = &instance->scheme.operands[k];
        const ptl_value* v = &instance->values[k];
        if (o->kind == PTL_MEMORY && ptl_operand_writes(o)) stores = true;
        if (o->kind == PTL_REGISTER && is_high_byte(a, o->fixed ? o->fixed : v->reg)) high = true;
        if (o->kind != PTL_ADDRESS) continue;
        if (ptl_is_instruction_pointer(a, v->base)) return PTL_SHAPE_RELATIVE;
        bool scaled = v->index && v->scale > 1;
        if (v->base && v->index && has_displacement(a, v))
            return scaled ? PTL_SHAPE_SUMMED_SCALED : PTL_SHAPE_SUMMED;
        if (scaled) return PTL_SHAPE_SCALED;
    }
    return high && !stores ? PTL_SHAPE_HIGH : PTL_SHAPE_PLAIN;
}
