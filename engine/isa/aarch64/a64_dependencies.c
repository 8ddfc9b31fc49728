/* Tells what A64's instances read and write beyond what their operands say. */
#include "isa/aarch64/aarch64.h"
#include "isa/aarch64/lookup.h"

/* A write of w, b, h, s or d clears the rest of the register; what keeps a part of it reads it by the scheme.
 */
bool ptl_a64_keeps_old(const ptl_scheme* scheme, const ptl_operand* operand) {
    (void)scheme;
    (void)operand;
    return false;
}

/* The flags as a system register: its number is an operand, so that the scheme tells nothing. */
static void add_flags_register(const ptl_instance* instance, ptl_accesses* out) {
    const int64_t nzcv = 0x5a10; /* op0 3, op1 3, CRn 4, CRm 2, op2 0 */
    const ptl_scheme* s = &instance->scheme;
    if (s->visible_count != 2) return;
    if (ptl_a64_is_called(s, "mrs") && instance->values[1].number == nzcv) out->flags_read |= PTL_A64_FLAGS;
    if (ptl_a64_is_called(s, "msr") && s->operands[1].kind == PTL_REGISTER &&
        instance->values[0].number == nzcv)
        out->flags_written |= PTL_A64_FLAGS;
}

/* Addresses that are written back, and the flags as a system register. */
void ptl_a64_complete_accesses(const ptl_instance* instance, ptl_accesses* out) {
    const ptl_a64_form* f = ptl_a64_form_of_scheme(&instance->scheme);
    add_flags_register(instance, out);
    for (unsigned k = 0; k < f->operand_count; k++)
        if (f->operands[k].kind == PTL_A64_MEMORY && f->operands[k].writeback)
            ptl_accesses_add(instance->scheme.architecture, k, PTL_PART_BASE, instance->values[k].base, 1,
                             PTL_TOUCH_WRITTEN, out);
}
