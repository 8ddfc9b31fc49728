#include "isa/moving.h"

#include "isa/architecture.h"

bool ptl_scheme_moves_bases(const ptl_scheme* s) {
    if (!s->architecture->move) return false;
    for (unsigned k = 0; k < s->visible_count; k++)
        if (s->operands[k].kind == PTL_MEMORY && s->architecture->move(s, &s->operands[k]).moves) return true;
    return false;
}
