/* Tells which registers and addresses operands can have. */
#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"
#include "isa/x86_64/x87.h"

uint32_t ptl_x86_registers(const ptl_scheme* s, const ptl_operand* o) {
    uint32_t all = s->encoding == PTL_EVEX ? UINT32_MAX : 0xFFFF;
    if (ptl_scheme_frees_x87(s)) return UINT32_C(1) << PTL_X87_EMPTY;
    return o->is_mask ? all & ~UINT32_C(1) : all; /* k0 means: not masked */
}

bool ptl_x86_address(const ptl_scheme* s, const ptl_operand* o, const ptl_policy* policy,
                     int64_t displacement, bool exact, ptl_value* out) {
    (void)s, (void)exact;
    out->base = (uint16_t)(ZYDIS_REGISTER_RAX + policy->memory_base);
    out->number = displacement;
    if (o->register_class == PTL_NO_CLASS) return true;
    out->index = ptl_x86_register_in_class((ptl_register_class)o->register_class, policy->vector_index);
    out->scale = 1;
    return true;
}
