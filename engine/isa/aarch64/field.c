#include "isa/aarch64/field.h"

uint32_t ptl_a64_field_mask(const ptl_a64_field* f) {
    uint32_t mask = 0;
    for (unsigned p = 0; p < f->piece_count; p++)
        mask |= ((UINT32_C(1) << f->pieces[p].count) - 1) << f->pieces[p].first;
    return mask;
}

unsigned ptl_a64_field_width(const ptl_a64_field* f) {
    unsigned width = 0;
    for (unsigned p = 0; p < f->piece_count; p++) width += f->pieces[p].count;
    return width;
}

uint32_t ptl_a64_field_bits(const ptl_a64_field* f, uint32_t word) {
    uint32_t bits = 0;
    unsigned at = 0;
    for (unsigned p = 0; p < f->piece_count; p++) {
        uint32_t ones = (UINT32_C(1) << f->pieces[p].count) - 1;
        bits |= (word >> f->pieces[p].first & ones) << at;
        at += f->pieces[p].count;
    }
    return bits;
}

uint32_t ptl_a64_field_put_bits(const ptl_a64_field* f, uint32_t word, uint32_t bits) {
    for (unsigned p = 0; p < f->piece_count; p++) {
        uint32_t ones = (UINT32_C(1) << f->pieces[p].count) - 1;
        word = (word & ~(ones << f->pieces[p].first)) | (bits & ones) << f->pieces[p].first;
        bits >>= f->pieces[p].count;
    }
    return word;
}

/* ---- logical immediates: N:immr:imms, or immr:imms with N = 0 */

static uint64_t ones(unsigned count) {
    return count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}

static uint64_t rotate_right(uint64_t x, unsigned by, unsigned size) {
    if (by == 0) return x;
    return ((x >> by) | (x << (size - by))) & ones(size);
}

/* An element of 2, 4, ... 64 bits holds a run of `run` ones, rotated; it is repeated over the register. */
static bool read_bitmask(uint32_t bits, unsigned width, int64_t* value) {
    unsigned n = bits >> 12 & 1, rotation = bits >> 6 & 63, imms = bits & 63;
    unsigned code = n << 6 | (~imms & 63), size = 64;
    while (size > 1 && !(code & size)) size >>= 1;
    if (size < 2) return false;
    unsigned run = (imms & (size - 1)) + 1;
    if (run == size || (size == 64 && width == 32)) return false;
    uint64_t element = rotate_right(ones(run), rotation & (size - 1), size), all = 0;
    for (unsigned at = 0; at < width; at += size) all |= element << at;
    *value = (int64_t)all;
    return true;
}

static bool write_bitmask(int64_t value, unsigned width, uint32_t* bits) {
    uint64_t all = (uint64_t)value;
    if (width == 32) {
        if (all >> 32 && all >> 31 != ones(33)) return false;
        all &= ones(32);
    }
    unsigned size = width;
    while (size > 2 && (all & ones(size / 2)) == (all >> (size / 2) & ones(size / 2))) size /= 2;
    uint64_t element = all & ones(size);
    unsigned run = (unsigned)__builtin_popcountll(element);
    if (run == 0 || run == size) return false;
    unsigned rotation = 0;
    while (rotation < size && rotate_right(ones(run), rotation, size) != element) rotation++;
    if (rotation == size) return false; /* more than one run */
    unsigned imms = (~(2 * size - 1) & 63) | (run - 1);
    *bits = (size == 64 ? 1u << 12 : 0) | rotation << 6 | imms;
    return true;
}

/* ---- masks of bytes */

static int64_t read_bytes(uint32_t bits) {
    uint64_t all = 0;
    for (unsigned k = 0; k < 8; k++)
        if (bits >> k & 1) all |= UINT64_C(0xFF) << 8 * k;
    return (int64_t)all;
}

static bool write_bytes(int64_t value, uint32_t* bits) {
    *bits = 0;
    for (unsigned k = 0; k < 8; k++) *bits |= (uint32_t)((uint64_t)value >> 8 * k & 1) << k;
    return read_bytes(*bits) == value;
}

/* ---- all of them */

bool ptl_a64_field_read(const ptl_a64_field* f, uint32_t word, int64_t* value) {
    uint32_t bits = ptl_a64_field_bits(f, word);
    int64_t number = bits;
    switch ((ptl_a64_coding)f->coding) {
    case PTL_A64_BITMASK32: return read_bitmask(bits, 32, value);
    case PTL_A64_BITMASK64: return read_bitmask(bits, 64, value);
    case PTL_A64_BYTEMASK: *value = read_bytes(bits); return true;
    case PTL_A64_LINEAR: break;
    default: return false;
    }
    unsigned width = ptl_a64_field_width(f);
    if (f->last && bits > f->last) return false;
    if (f->is_signed && bits >> (width - 1)) number -= INT64_C(1) << width;
    *value = f->bias + f->step * number;
    return true;
}

static bool linear_bits(const ptl_a64_field* f, int64_t value, uint32_t* bits) {
    const int64_t most = INT64_C(1) << 40; /* more than any field holds; INT64_MIN / -1 has no result */
    if (value < -most || value > most) return false;
    int64_t above = value - f->bias, number, size = INT64_C(1) << ptl_a64_field_width(f);
    if (above % f->step != 0) return false;
    number = above / f->step;
    if (f->is_signed ? number < -size / 2 || number >= size / 2 : number < 0 || number >= size) return false;
    if (f->last && number > f->last) return false;
    *bits = (uint32_t)(number & (size - 1));
    return true;
}

bool ptl_a64_field_write(const ptl_a64_field* f, int64_t value, uint32_t* word) {
    uint32_t bits;
    bool fits;
    switch ((ptl_a64_coding)f->coding) {
    case PTL_A64_BITMASK32: fits = write_bitmask(value, 32, &bits); break;
    case PTL_A64_BITMASK64: fits = write_bitmask(value, 64, &bits); break;
    case PTL_A64_BYTEMASK: fits = write_bytes(value, &bits); break;
    case PTL_A64_LINEAR: fits = linear_bits(f, value, &bits); break;
    default: return false;
    }
    if (fits) *word = ptl_a64_field_put_bits(f, *word, bits);
    return fits;
}
