#include "isa/aarch64/recipe.h"

#include <string.h>

/* ---- operands */

static bool is_general(const ptl_shape_operand* o) {
    return o->kind == PTL_A64_REGISTER && (o->class == PTL_A64_X || o->class == PTL_A64_W);
}

static unsigned width_of(const ptl_shape_operand* o) {
    return o->class == PTL_A64_W ? 32 : 64;
}

static bool is_immediate(const ptl_shape_operand* o, unsigned modifier) {
    return o->kind == PTL_A64_IMMEDIATE && o->modifier == modifier;
}

static ptl_shape_operand modified(uint8_t modifier, int64_t value) {
    return (ptl_shape_operand){.kind = PTL_A64_IMMEDIATE, .modifier = modifier, .values = {value}};
}

static ptl_shape_operand number(int64_t value) {
    return modified(PTL_A64_PLAIN, value);
}

static ptl_shape_operand zero_like(const ptl_shape_operand* o, bool wide) {
    return (ptl_shape_operand){
        .kind = PTL_A64_REGISTER, .class = wide ? PTL_A64_X : o->class, .list = 1, .values = {31}};
}

/* Puts an operand ahead of number `at`; false if there are too many. */
static bool insert(ptl_shape* s, unsigned at, ptl_shape_operand operand) {
    if (s->count == PTL_SHAPE_OPERANDS_MAX || at > s->count) return false;
    memmove(&s->operands[at + 1], &s->operands[at], (s->count - at) * sizeof operand);
    s->operands[at] = operand;
    s->count++;
    return true;
}

static bool append(ptl_shape* s, ptl_shape_operand operand) {
    return insert(s, s->count, operand);
}

/* ---- recipes */

/* A number of 16 bits at a multiple of 16. */
static bool take_halfword(ptl_shape* s, bool inverted) {
    ptl_shape_operand* o = s->operands;
    if (s->count != 2 || !is_general(&o[0]) || !is_immediate(&o[1], PTL_A64_PLAIN)) return false;
    unsigned width = width_of(&o[0]);
    uint64_t value = (uint64_t)o[1].values[0];
    if (width == 32) {
        if (value >> 32 && value >> 31 != UINT64_C(0x1FFFFFFFF)) return false;
        value &= UINT32_MAX;
    }
    if (inverted) value = ~value & (width == 32 ? UINT32_MAX : UINT64_MAX);
    unsigned shift = 0;
    while (shift + 16 < width && (value >> shift & 0xFFFF) == 0) shift += 16;
    if (value == 0) shift = 0;
    if (value >> shift >> 16) return false;
    o[1].values[0] = (int64_t)(value >> shift);
    return shift == 0 || append(s, modified(PTL_A64_LSL, shift));
}

static bool copy_vector(ptl_shape* s) {
    if (s->count != 2 || s->operands[0].class != PTL_A64_V || s->operands[1].class != PTL_A64_V) return false;
    for (unsigned k = 0; k < 2; k++) s->operands[k].element_width = 8;
    return append(s, s->operands[1]);
}

static bool shift_by_number(ptl_shape* s, ptl_a64_recipe r) {
    ptl_shape_operand* o = s->operands;
    if (s->count != 3 || !is_general(&o[0]) || !is_immediate(&o[2], PTL_A64_PLAIN)) return false;
    int64_t width = width_of(&o[0]), n = o[2].values[0];
    if (n < 0 || n >= width) return false;
    if (r == PTL_RECIPE_ROTATE) return insert(s, 2, o[1]);
    if (r == PTL_RECIPE_SHIFT_LEFT) o[2].values[0] = (width - n) % width;
    return append(s, number(r == PTL_RECIPE_SHIFT_LEFT ? width - 1 - n : width - 1));
}

static bool extend(ptl_shape* s, unsigned bits) {
    ptl_shape_operand* o = s->operands;
    if (s->count != 2 || !is_general(&o[0]) || !is_general(&o[1])) return false;
    if (width_of(&o[1]) > width_of(&o[0])) return false;
    o[1].class = o[0].class; /* sxtw x0, w1 */
    return append(s, number(0)) && append(s, number(bits - 1));
}

static bool bit_field(ptl_shape* s, bool inserts) {
    ptl_shape_operand* o = s->operands;
    if (s->count != 4 || !is_general(&o[0]) || !is_immediate(&o[2], 0) || !is_immediate(&o[3], 0))
        return false;
    int64_t width = width_of(&o[0]), lsb = o[2].values[0], n = o[3].values[0];
    if (lsb < 0 || n < 1 || lsb + n > width) return false;
    o[2].values[0] = inserts ? (width - lsb) % width : lsb;
    o[3].values[0] = inserts ? n - 1 : lsb + n - 1;
    return true;
}

static bool invert_condition(ptl_shape* s) {
    ptl_shape_operand* last = &s->operands[s->count - 1];
    if (!is_immediate(last, PTL_A64_COND) || last->values[0] >= 14) return false;
    last->values[0] ^= 1;
    return true;
}

/* add x0, sp, x1 is written without the extension that it has. */
static bool extend_by_stack_pointer(ptl_shape* s) {
    ptl_shape_operand* o = s->operands;
    if (s->count < 3 || !is_general(&o[0]) || !is_general(&o[1]) || !is_general(&o[2])) return false;
    if (!o[0].is_sp && !o[1].is_sp) return false;
    uint8_t modifier = o[0].class == PTL_A64_W ? PTL_A64_UXTW : PTL_A64_UXTX;
    if (s->count == 3) return append(s, modified(modifier, 0));
    if (!is_immediate(&o[3], PTL_A64_LSL)) return false;
    o[3].modifier = modifier;
    return true;
}

static bool drop_shift(ptl_shape* s) {
    ptl_shape_operand* last = &s->operands[s->count ? s->count - 1 : 0];
    if (s->count < 2 || !is_immediate(last, PTL_A64_LSL) || last->values[0]) return false;
    s->count--;
    return true;
}

static bool sum_with_number(ptl_shape* s, bool negative) {
    ptl_shape_operand* o = s->operands;
    if (s->count != 3 || !is_general(&o[1]) || !is_immediate(&o[2], PTL_A64_PLAIN)) return false;
    int64_t value = o[2].values[0];
    if (negative) {
        if (value >= 0 || value < -0xFFF000) return false;
        o[2].values[0] = -value;
        return true;
    }
    if (value < 4096 || value % 4096) return false;
    o[2].values[0] = value / 4096;
    return append(s, modified(PTL_A64_LSL, 12));
}

/* uxtw x0, w1 is mov w0, w1 to GNU's assembler, and so to gcc. */
static bool truncate(ptl_shape* s) {
    ptl_shape_operand* o = s->operands;
    if (s->count != 2 || !is_general(&o[0]) || !is_general(&o[1]) || width_of(&o[1]) != 32) return false;
    o[0].class = PTL_A64_W;
    return insert(s, 1, zero_like(&o[0], false));
}

/* tbz x0, 3 has the encoding of tbz w0, 3. */
static bool test_low_bit(ptl_shape* s) {
    ptl_shape_operand* o = s->operands;
    if (s->count < 2 || o[0].class != PTL_A64_X || !is_immediate(&o[1], PTL_A64_PLAIN)) return false;
    if (o[1].values[0] < 0 || o[1].values[0] >= 32) return false;
    o[0].class = PTL_A64_W;
    return true;
}

static bool wrap_byte(ptl_shape* s) {
    ptl_shape_operand* o = s->operands;
    if (s->count < 2 || o[0].class != PTL_A64_V || !is_immediate(&o[1], PTL_A64_PLAIN)) return false;
    if (o[1].values[0] >= 0 || o[1].values[0] < -128) return false;
    o[1].values[0] &= 255;
    return true;
}

/* No code of 8 bits is 0.0: the zero register is copied. */
static bool copy_zero(ptl_shape* s) {
    ptl_shape_operand* o = s->operands;
    bool is_scalar = o[0].class == PTL_A64_H || o[0].class == PTL_A64_S || o[0].class == PTL_A64_D;
    if (s->count != 2 || !is_scalar || !is_immediate(&o[1], PTL_A64_FLOAT)) return false;
    if (o[1].values[0] != PTL_SHAPE_ZERO_FLOAT) return false;
    o[1] = zero_like(&o[0], true);
    if (o[0].class != PTL_A64_D) o[1].class = PTL_A64_W;
    return true;
}

/* op1, CRn and CRm of what clears a whole cache: iallu, ialluis. */
enum { CODE_CACHE_HERE = 7 << 4 | 5, CODE_CACHE_EVERYWHERE = 7 << 4 | 1 };

/* The parts of an operation's number: op1, CRn, CRm, op2. */
static bool take_cache_operation(ptl_shape* s) {
    ptl_shape_operand* o = s->operands;
    if (s->count < 1 || s->count > 2 || !is_immediate(&o[0], PTL_A64_PLAIN)) return false;
    int64_t operation = o[0].values[0];
    bool is_of_all = operation >> 3 == CODE_CACHE_HERE || operation >> 3 == CODE_CACHE_EVERYWHERE;
    if (is_of_all != (s->count == 1)) return false;
    if (is_of_all && !append(s, zero_like(NULL, true))) return false;
    o[0].values[0] = operation >> 11 & 7;
    return insert(s, 1, number(operation & 7)) && insert(s, 1, number(operation >> 3 & 15)) &&
           insert(s, 1, number(operation >> 7 & 15));
}

static bool take_default(ptl_shape* s, ptl_shape_operand operand) {
    return s->count == 0 && append(s, operand);
}

/* Those of registers and numbers in their order. */
static bool apply_to_fields(ptl_a64_recipe r, ptl_shape* s) {
    bool general = s->count > 0 && is_general(&s->operands[0]);
    switch (r) {
    case PTL_RECIPE_SHIFT_LEFT:
    case PTL_RECIPE_SHIFT_RIGHT:
    case PTL_RECIPE_ROTATE: return shift_by_number(s, r);
    case PTL_RECIPE_EXTEND_8: return extend(s, 8);
    case PTL_RECIPE_EXTEND_16: return extend(s, 16);
    case PTL_RECIPE_EXTEND_32: return extend(s, 32);
    case PTL_RECIPE_TRUNCATE: return truncate(s);
    case PTL_RECIPE_EXTRACT: return bit_field(s, false);
    case PTL_RECIPE_INSERT: return bit_field(s, true);
    case PTL_RECIPE_CLEAR:
        return general && insert(s, 1, zero_like(s->operands, false)) && bit_field(s, true);
    case PTL_RECIPE_PAGES: return sum_with_number(s, false);
    case PTL_RECIPE_NEGATIVE: return sum_with_number(s, true);
    case PTL_RECIPE_LOW_BIT: return test_low_bit(s);
    case PTL_RECIPE_BYTE: return wrap_byte(s);
    case PTL_RECIPE_FLOAT_ZERO: return copy_zero(s);
    case PTL_RECIPE_CACHE: return take_cache_operation(s);
    default: return false;
    }
}

bool ptl_a64_recipe_apply(ptl_a64_recipe r, int64_t by_default, ptl_shape* s) {
    ptl_shape_operand* o = s->operands;
    bool general = s->count > 0 && is_general(&o[0]);
    bool copies = s->count == 2 && general && is_general(&o[1]);
    switch (r) {
    case PTL_RECIPE_SAME: return s->count > 0;
    case PTL_RECIPE_COPY: return copies && insert(s, 1, zero_like(&o[0], false));
    case PTL_RECIPE_COPY_SP: return copies && (o[0].is_sp || o[1].is_sp) && append(s, number(0));
    case PTL_RECIPE_COPY_VECTOR: return copy_vector(s);
    case PTL_RECIPE_NUMBER: return take_halfword(s, false);
    case PTL_RECIPE_NOT_NUMBER: return take_halfword(s, true);
    case PTL_RECIPE_MASK: return s->count == 2 && general && insert(s, 1, zero_like(&o[0], false));
    case PTL_RECIPE_COMPARE: return general && insert(s, 0, zero_like(&o[0], false));
    case PTL_RECIPE_NEGATE: return general && insert(s, 1, zero_like(&o[0], false));
    case PTL_RECIPE_MULTIPLY: return s->count == 3 && general && append(s, zero_like(&o[0], false));
    case PTL_RECIPE_SET:
        return s->count == 2 && general && insert(s, 1, zero_like(&o[0], false)) &&
               insert(s, 1, zero_like(&o[0], false)) && invert_condition(s);
    case PTL_RECIPE_CHANGE: return s->count == 3 && general && insert(s, 2, o[1]) && invert_condition(s);
    case PTL_RECIPE_LENGTHEN: return s->count == 2 && append(s, number(0));
    case PTL_RECIPE_RETURN: {
        ptl_shape_operand link = zero_like(NULL, true);
        link.values[0] = 30;
        return take_default(s, link);
    }
    case PTL_RECIPE_DEFAULT: return take_default(s, number(by_default));
    case PTL_RECIPE_NO_SHIFT: return drop_shift(s);
    case PTL_RECIPE_EXTENDED: return extend_by_stack_pointer(s);
    default: return apply_to_fields(r, s);
    }
}
