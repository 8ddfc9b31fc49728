#include "isa/register_stack.h"

#include "isa/architecture.h"

int ptl_scheme_top_moves(const ptl_scheme* s) {
    return s->architecture->top_moves ? s->architecture->top_moves(s) : 0;
}

bool ptl_scheme_swaps(const ptl_scheme* s) {
    return s->architecture->swaps && s->architecture->swaps(s);
}

unsigned ptl_register_fixed_number(const ptl_architecture* a, ptl_file file, unsigned number, int top,
                                   int moves, bool writes) {
    if (file != PTL_FILE_X87) return number;
    int size = (int)ptl_file_size(a, file);
    int at = (int)number + top + (writes && moves < 0 ? moves : 0);
    return (unsigned)((at % size + size) % size);
}
