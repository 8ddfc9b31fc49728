#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"

static bool moves_down(const ptl_scheme* s) {
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_PUSHF:
    case ZYDIS_MNEMONIC_PUSHFQ:
    case ZYDIS_MNEMONIC_CALL: return true;
    default: return false;
    }
}

/* The memory operand at rsp. */
static const ptl_operand* stack_operand(const ptl_scheme* s) {
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (o->kind == PTL_MEMORY && o->visibility == PTL_HIDDEN && o->fixed == ZYDIS_REGISTER_RSP) return o;
    }
    return NULL;
}

int ptl_x86_stack_bytes(const ptl_scheme* s) {
    const ptl_operand* o = stack_operand(s);
    if (!o) return 0;
    if (moves_down(s)) return -(int)(o->width / 8);
    return s->mnemonic == ZYDIS_MNEMONIC_POP || ptl_x86_is_return(s) ? (int)(o->width / 8) : 0;
}

bool ptl_x86_sets_stack_pointer(const ptl_scheme* s) {
    return s->mnemonic == ZYDIS_MNEMONIC_LEAVE;
}

bool ptl_x86_is_return(const ptl_scheme* s) {
    return s->mnemonic == ZYDIS_MNEMONIC_RET && s->visible_count == 0 && s->prefixes == 0 &&
           s->branch_type == ZYDIS_BRANCH_TYPE_NEAR;
}
