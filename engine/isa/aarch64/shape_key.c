/* Comparing shapes. */
#include <stdio.h>
#include <string.h>

#include "isa/aarch64/shape.h"

void ptl_shape_key(const ptl_shape* s, char* out, size_t size) {
    size_t n = (size_t)snprintf(out, size, "%s", s->mnemonic);
    for (unsigned k = 0; k < s->count && n < size; k++) {
        const ptl_shape_operand* o = &s->operands[k];
        n += (size_t)snprintf(out + n, size - n, "|%x.%x.%x.%x.%x.%x.%x.%x.%x", o->kind, o->class,
                              o->element_width, o->list | o->is_braced << 3, o->modifier, o->writeback,
                              o->is_literal | o->has_base << 1 | o->has_index << 2 | o->has_amount << 3,
                              o->amount, o->vector_width);
    }
}

bool ptl_shape_same(const ptl_shape* a, const ptl_shape* b) {
    if (strcmp(a->mnemonic, b->mnemonic) != 0 || a->count != b->count) return false;
    char x[256], y[256];
    ptl_shape_key(a, x, sizeof x);
    ptl_shape_key(b, y, sizeof y);
    return !strcmp(x, y);
}
