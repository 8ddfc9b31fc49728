#include "isa/aarch64/derive/hand.h"

#include <stdlib.h>
#include <string.h>

/* Operands: a letter, x and w for registers, i for immediates, and where their bits are, the lowest piece
 * first: first bit and count; a register has five. */
static const struct {
    uint32_t mask, value, sample;
    const char* mnemonic;
    const char* operands;
} rows[] = {
    {0xFFC00000, 0x93400000, 0x93410841, "sbfm", "x0.5 x5.5 i16.6 i10.6"},
    {0xFFE08000, 0x13000000, 0x13010841, "sbfm", "w0.5 w5.5 i16.5 i10.5"},
    {0xFFC00000, 0xB3400000, 0xB3410841, "bfm", "x0.5 x5.5 i16.6 i10.6"},
    {0xFFE08000, 0x33000000, 0x33010841, "bfm", "w0.5 w5.5 i16.5 i10.5"},
    {0xFFC00000, 0xD3400000, 0xD3410841, "ubfm", "x0.5 x5.5 i16.6 i10.6"},
    {0xFFE08000, 0x53000000, 0x53010841, "ubfm", "w0.5 w5.5 i16.5 i10.5"},
    {0xFFFFF01F, 0xD503201F, 0xD503201F, "hint", "i5.7"},
    {0xFFFFF0FF, 0xD503305F, 0xD5033F5F, "clrex", "i8.4"},
    {0xFFFFF0FF, 0xD503309F, 0xD5033F9F, "dsb", "i8.4"},
    {0xFFFFF0FF, 0xD50330BF, 0xD5033FBF, "dmb", "i8.4"},
    {0xFFFFF0FF, 0xD50330DF, 0xD5033FDF, "isb", "i8.4"},
    {0xFFF8F01F, 0xD500401F, 0xD50340DF, "msr", "i5.3+16.3 i8.4"},
    {0xFFF00000, 0xD5100000, 0xD51B4201, "msr", "i5.15 x0.5"},
    {0xFFF00000, 0xD5300000, 0xD53B4201, "mrs", "x0.5 i5.15"},
    {0xFFF80000, 0xD5080000, 0xD50B7521, "sys", "i16.3 i12.4 i8.4 i5.3 x0.5"},
    {0xFFF80000, 0xD5280000, 0xD52B7521, "sysl", "x0.5 i16.3 i12.4 i8.4 i5.3"},
};

enum { ROWS = sizeof rows / sizeof *rows };

unsigned ptl_hand_count(void) {
    return ROWS;
}

bool ptl_hand_has(uint32_t word) {
    for (unsigned k = 0; k < ROWS; k++)
        if ((word & rows[k].mask) == rows[k].value) return true;
    return false;
}

static void add_piece(ptl_a64_field* f, unsigned first, unsigned count) {
    f->pieces[f->piece_count].first = (uint8_t)first;
    f->pieces[f->piece_count].count = (uint8_t)count;
    f->piece_count++;
}

static ptl_a64_field linear(void) {
    return (ptl_a64_field){.coding = PTL_A64_LINEAR, .step = 1};
}

static const char* take_operand(const char* at, ptl_a64_operand* o) {
    char* next;
    o->list = 1;
    o->kind = *at == 'i' ? PTL_A64_IMMEDIATE : PTL_A64_REGISTER;
    o->class = *at == 'x' ? PTL_A64_X : *at == 'w' ? PTL_A64_W : PTL_A64_NO_CLASS;
    o->fields[0] = linear();
    do {
        unsigned first = (unsigned)strtoul(at + 1, &next, 10);
        add_piece(&o->fields[0], first, (unsigned)strtoul(next + 1, &next, 10));
        at = next;
    } while (*at == '+');
    return *at == ' ' ? at + 1 : at;
}

void ptl_hand_form(unsigned k, ptl_derived* out) {
    strcpy(out->mnemonic, rows[k].mnemonic);
    out->word = rows[k].sample;
    out->form.mask = rows[k].mask;
    out->form.value = rows[k].value;
    for (const char* at = rows[k].operands; *at; out->form.operand_count++)
        at = take_operand(at, &out->form.operands[out->form.operand_count]);
}

bool ptl_hand_field(uint32_t word, const ptl_shape_operand* o, ptl_a64_field* out) {
    *out = linear();
    if (o->kind != PTL_A64_IMMEDIATE) return false;
    if ((word & 0x1F800000) == 0x12000000 && !o->modifier) { /* and, orr, eor, ands */
        bool wide = word >> 31;
        out->coding = wide ? PTL_A64_BITMASK64 : PTL_A64_BITMASK32;
        add_piece(out, 10, wide ? 13 : 12);
    } else if ((word & 0xFF201FE0) == 0x1E201000 && o->modifier == PTL_A64_FLOAT) { /* fmov of scalars */
        add_piece(out, 13, 8);
    } else if ((word & 0x9FF8FC00) == 0x0F00F400) { /* fmov of vectors */
        add_piece(out, 5, 5), add_piece(out, 16, 3);
    } else if ((word & 0xBFF8FC00) == 0x2F00E400) { /* movi of 64 bits */
        out->coding = PTL_A64_BYTEMASK;
        add_piece(out, 5, 5), add_piece(out, 16, 3);
    } else if ((word & 0x1FE00000) == 0x0B200000 && o->has_amount) { /* add x, x, w, sxtw 3 */
        add_piece(out, 10, 3);
        out->last = 4;
    } else {
        return false;
    }
    return true;
}
