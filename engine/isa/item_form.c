#include "isa/item_form.h"

#include "isa/architecture.h"

/* Equal only for equal schemes and numbers. */
static uint64_t identity_of(const ptl_instance* instance) {
    const ptl_scheme* s = &instance->scheme;
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (const char* c = s->name; *c; c++) hash = ptl_mix(hash, (uint8_t)*c);
    for (unsigned k = 0; k < s->visible_count; k++)
        if (s->operands[k].kind == PTL_IMMEDIATE) hash = ptl_mix(hash, (uint64_t)instance->values[k].number);
    return ptl_mix(hash, instance->rounding);
}

ptl_item_form ptl_item_form_of(const ptl_instance* instance) {
    ptl_item_form f = {.identity = identity_of(instance)};
    instance->scheme.architecture->item_form(instance, &f);
    return f;
}
