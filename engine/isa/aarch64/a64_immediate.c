/* Numbers for immediates. */
#include "isa/aarch64/aarch64.h"
#include "isa/aarch64/field.h"

/* Masks of one run, none of them a shift in disguise. */
static int64_t bitmask(unsigned bits, unsigned variant) {
    uint64_t element = UINT64_C(0x7F) << variant % 8;
    return (int64_t)(bits == 32 ? element << 4 : element << 20);
}

/* The bits of a field of this width: 2 where there are few, 2^(W-8) + 42 otherwise (Algorithm 3.1). */
static int64_t plain_bits(unsigned width, unsigned variant) {
    if (width == 1) return 1;
    int64_t bits = width < 8 ? 2 : (INT64_C(1) << ((width > 16 ? 16 : width) - 8)) + 42;
    bits += variant;
    int64_t limit = INT64_C(1) << (width - 1);
    return bits < limit ? bits : 1 + bits % (limit - 1);
}

int64_t ptl_a64_immediate_variant(const ptl_scheme* scheme, const ptl_operand* operand, unsigned variant) {
    const ptl_a64_operand* o = ptl_a64_form_operand(scheme, operand);
    const ptl_a64_field* f = &o->fields[PTL_A64_VALUE];
    unsigned width = ptl_a64_field_width(f);
    if (f->coding == PTL_A64_BITMASK32) return bitmask(32, variant);
    if (f->coding == PTL_A64_BITMASK64) return bitmask(64, variant);
    if (f->coding == PTL_A64_BYTEMASK) return INT64_C(0xFF00) << 8 * (variant % 4);
    if (o->modifier == PTL_A64_FLOAT) return 0x70 - (variant & 15); /* 1.0 and a little less */
    if (o->modifier == PTL_A64_COND) return (1 + variant) % 14;     /* not always, not never */
    if (scheme->visible_count == 1 && o->kind == PTL_A64_IMMEDIATE && width == 7) return 0; /* hint 0: nop */
    int64_t bits = plain_bits(width, variant);
    if (f->last && bits > f->last) bits = 1 + bits % f->last;
    return f->bias + f->step * bits;
}

int64_t ptl_a64_immediate(const ptl_scheme* scheme, const ptl_operand* operand) {
    return ptl_a64_immediate_variant(scheme, operand, 0);
}
