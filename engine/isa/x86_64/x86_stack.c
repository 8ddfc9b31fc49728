#include <string.h>

#include <Zydis/Zydis.h>

#include "isa/stack.h"
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

/* mov rsp, r13 */
ptl_status ptl_x86_restore(const ptl_instance* instances, size_t n, const ptl_policy* policy, unsigned layout,
                           uint8_t* out, size_t capacity, size_t* size, ptl_error* error) {
    bool moves = false;
    (void)policy, (void)layout;
    for (size_t i = 0; i < n && !moves; i++) moves = ptl_scheme_moves_stack(&instances[i].scheme);
    *size = moves ? 3 : 0;
    if (*size > capacity) return ptl_fail(error, PTL_LIMIT, NULL, NULL, "no room to take the stack back");
    memcpy(out, "\x4c\x89\xec", *size);
    return PTL_OK;
}

bool ptl_x86_is_return(const ptl_scheme* s) {
    return s->mnemonic == ZYDIS_MNEMONIC_RET && s->visible_count == 0 && s->prefixes == 0 &&
           s->branch_type == ZYDIS_BRANCH_TYPE_NEAR;
}
