#include "isa/template.h"

#include "isa/architecture.h"

bool ptl_template_make(const ptl_instance* instance, const uint8_t* bytes, size_t size, ptl_template* out) {
    const ptl_architecture* a = instance->scheme.architecture;
    return a->template_make && a->template_make(instance, bytes, size, out);
}

size_t ptl_template_write(const ptl_architecture* architecture, const ptl_template* t, const uint8_t* values,
                          unsigned slot_shift, uint8_t out[PTL_INSTRUCTION_MAX]) {
    return architecture->template_write(t, values, slot_shift, out);
}
