#include "isa/stack.h"

#include "isa/architecture.h"

int ptl_scheme_stack_bytes(const ptl_scheme* s) {
    return s->architecture->stack_bytes ? s->architecture->stack_bytes(s) : 0;
}

bool ptl_scheme_moves_stack(const ptl_scheme* s) {
    const ptl_architecture* a = s->architecture;
    return ptl_scheme_stack_bytes(s) != 0 || (a->sets_stack_pointer && a->sets_stack_pointer(s));
}
