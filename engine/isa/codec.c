#include "isa/codec.h"

#include <string.h>

#include "isa/architecture.h"

ptl_status ptl_encode(const ptl_instance* instance, uint8_t out[PTL_INSTRUCTION_MAX], size_t* n,
                      ptl_error* error) {
    return instance->scheme.architecture->encode(instance, out, n, error);
}

ptl_status ptl_decode(const ptl_architecture* architecture, const uint8_t* bytes, size_t size,
                      ptl_instance* out, size_t* n, ptl_error* error) {
    ptl_status status = architecture->decode(bytes, size, out, n, error);
    out->scheme.architecture = architecture;
    return status;
}

static bool same_value(const ptl_operand* o, const ptl_value* a, const ptl_value* b) {
    if (!ptl_operand_is_free(o)) return true;
    switch ((ptl_operand_kind)o->kind) {
    case PTL_REGISTER: return a->reg == b->reg;
    case PTL_MEMORY:
    case PTL_ADDRESS:
        return a->base == b->base && a->index == b->index && (!a->index || a->scale == b->scale) &&
               a->segment == b->segment && a->number == b->number;
    default: return a->number == b->number;
    }
}

bool ptl_instance_equal(const ptl_instance* a, const ptl_instance* b) {
    if (strcmp(a->scheme.name, b->scheme.name) != 0 || a->rounding != b->rounding) return false;
    for (unsigned k = 0; k < a->scheme.visible_count; k++)
        if (!same_value(&a->scheme.operands[k], &a->values[k], &b->values[k])) return false;
    return true;
}

void ptl_instance_sample(const ptl_scheme* scheme, unsigned variant, ptl_instance* out) {
    const ptl_architecture* architecture = scheme->architecture;
    architecture->sample(scheme, variant, out);
    out->scheme.architecture = architecture;
}
