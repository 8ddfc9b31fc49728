#include "isa/stack.h"

#include "isa/architecture.h"

int ptl_scheme_stack_bytes(const ptl_scheme* s) {
    return s->architecture->stack_bytes ? s->architecture->stack_bytes(s) : 0;
}
