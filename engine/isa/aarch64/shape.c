#include "isa/aarch64/shape.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isa/aarch64/system_words.h"
#include "isa/aarch64/words.h"

/* ---- reading tokens */

typedef struct reader {
    const char* at;
} reader;

static void skip_spaces(reader* r) {
    while (*r->at == ' ') r->at++;
}

static bool take(reader* r, char c) {
    skip_spaces(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t take_word(reader* r, char out[24]) {
    size_t n = 0;
    skip_spaces(r);
    while (is_word(*r->at) && n < 23) out[n++] = *r->at++;
    out[n] = 0;
    return n;
}

/* Sign, three bits of exponent, four of fraction. */
int64_t ptl_shape_float_code(double value) {
    for (unsigned code = 0; code < 256; code++) {
        int exponent = (int)(code >> 4 & 7);
        double magnitude = ldexp(1 + (code & 15) / 16.0, exponent < 4 ? exponent + 1 : exponent - 7);
        if (value == (code & 128 ? -magnitude : magnitude)) return code;
    }
    return value == 0 && !signbit(value) ? PTL_SHAPE_ZERO_FLOAT : PTL_SHAPE_OTHER_FLOAT;
}

/* "#-0x10", "#12", "1.5e-1". */
static bool take_number(reader* r, int64_t* number, bool* is_float) {
    skip_spaces(r);
    const char* begin = r->at;
    if (*r->at == '#') r->at++;
    bool negative = *r->at == '-';
    if (negative) r->at++;
    char* end;
    bool is_hexadecimal = !strncmp(r->at, "0x", 2);
    const char* digits = r->at;
    errno = 0;
    uint64_t magnitude =
        *digits >= '0' && *digits <= '9' ? strtoull(digits, &end, is_hexadecimal ? 16 : 10) : 0;
    bool is_cut = errno == ERANGE;
    bool is_octal = magnitude && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'; /* elsewhere */
    if (*digits < '0' || *digits > '9' || is_cut || is_octal) {
        r->at = begin;
        return false;
    }
    *is_float = !is_hexadecimal && (*end == '.' || *end == 'e');
    *number = (int64_t)(negative ? 0 - magnitude : magnitude);
    if (*is_float) {
        double value = strtod(digits, &end);
        *number = ptl_shape_float_code(negative ? -value : value);
    }
    r->at = end;
    return true;
}

static bool take_integer(reader* r, int64_t* number) {
    bool is_float;
    return take_number(r, number, &is_float) && !is_float;
}

/* ---- operands */

static bool take_register_word(const char* word, ptl_shape_operand* o) {
    unsigned number, class;
    if (!ptl_a64_read_register(word, &class, &number)) return false;
    o->kind = PTL_A64_REGISTER;
    o->list = 1;
    o->is_sp = class == PTL_A64_XSP || class == PTL_A64_WSP;
    o->class = (uint8_t)(class == PTL_A64_XSP ? PTL_A64_X : class == PTL_A64_WSP ? PTL_A64_W : class);
    o->values[PTL_A64_VALUE] = number;
    return true;
}

enum { VECTOR_BITS = 128, LIST_MAX = 4 };

/* ".4s" or ".s" behind v1. */
static bool take_arrangement(reader* r, ptl_shape_operand* o, bool* is_element) {
    char word[24];
    if (*r->at != '.') return false;
    r->at++;
    take_word(r, word);
    char* letter;
    unsigned long count = strtoul(word, &letter, 10);
    o->element_width = (uint8_t)ptl_a64_element_bits(*letter);
    *is_element = count == 0;
    if (o->element_width == 0 || letter[1] || (letter == word) != (count == 0)) return false;
    if (count > VECTOR_BITS / o->element_width) return false;
    o->vector_width = (uint8_t)(count * o->element_width);
    return true;
}

static bool add_lane(ptl_shape* s, reader* r) {
    ptl_shape_operand* lane = &s->operands[s->count];
    if (s->count == PTL_SHAPE_OPERANDS_MAX) return false;
    s->count++;
    lane->kind = PTL_A64_IMMEDIATE;
    lane->modifier = PTL_A64_LANE;
    return take_integer(r, &lane->values[0]) && take(r, ']');
}

static bool add_register(ptl_shape* s, reader* r, const char* word) {
    ptl_shape_operand* o = &s->operands[s->count];
    bool is_element = false;
    if (!take_register_word(word, o)) return false;
    s->count++;
    if (o->class != PTL_A64_V) return true;
    if (!take_arrangement(r, o, &is_element)) return false;
    return !is_element || (take(r, '[') && add_lane(s, r));
}

/* The encoding names the first register of a list alone: the others are the next ones (0 follows 31), of the
 * same arrangement. */
static bool follows(const ptl_shape_operand* first, const ptl_shape_operand* one, unsigned position) {
    return one->class == PTL_A64_V && one->element_width == first->element_width &&
           one->vector_width == first->vector_width &&
           one->values[PTL_A64_VALUE] == (first->values[PTL_A64_VALUE] + position) % 32;
}

/* One register of a list, with its arrangement. */
static bool take_listed(reader* r, ptl_shape_operand* one, bool* is_element) {
    char word[24];
    *one = (ptl_shape_operand){0};
    return take_word(r, word) && take_register_word(word, one) && take_arrangement(r, one, is_element);
}

/* Returns how many registers there are from the first to the one behind the dash: v0.4s - v3.4s; 0 if they
 * are none of one list. */
static unsigned take_range(reader* r, const ptl_shape_operand* first, bool* is_element) {
    ptl_shape_operand last;
    if (!take_listed(r, &last, is_element)) return 0;
    unsigned distance = (unsigned)(last.values[PTL_A64_VALUE] - first->values[PTL_A64_VALUE]) % 32;
    return follows(first, &last, distance) ? distance + 1 : 0;
}

static bool add_list(ptl_shape* s, reader* r) {
    ptl_shape_operand *o = &s->operands[s->count], one;
    bool is_element = false;
    if (!take_listed(r, o, &is_element)) return false;
    unsigned count = 1;
    if (take(r, '-')) count = take_range(r, o, &is_element);
    while (count && take(r, ','))
        if (!take_listed(r, &one, &is_element) || !follows(o, &one, count++)) return false;
    if (!count || count > LIST_MAX || !take(r, '}')) return false;
    o->list = (uint8_t)count;
    o->is_braced = true;
    s->count++;
    return !is_element || (take(r, '[') && add_lane(s, r));
}

enum { AMOUNT_MAX = 4 }; /* of 16 bytes */

/* The index's extension and amount: ", lsl #3", ", sxtw", ", sxtw #3". */
static bool take_extension(ptl_shape_operand* o, reader* r, const char* word) {
    int64_t amount;
    unsigned modifier = ptl_a64_find_modifier(word);
    if (!modifier) return false;
    o->modifier = (uint8_t)modifier;
    o->has_amount = take_integer(r, &amount);
    if (o->has_amount && (amount < 0 || amount > AMOUNT_MAX)) return false;
    if (o->has_amount) o->amount = (uint8_t)amount;
    return true;
}

static bool add_memory(ptl_shape* s, reader* r) {
    ptl_shape_operand* o = &s->operands[s->count++];
    ptl_shape_operand one = {0};
    char word[24];
    o->kind = PTL_A64_MEMORY;
    if (!take_word(r, word) || !take_register_word(word, &one)) return false;
    o->has_base = true;
    o->values[PTL_A64_BASE] = one.values[0];
    o->is_sp = one.is_sp;
    if (one.class != PTL_A64_X) return false;
    if (take(r, ',') && !take_integer(r, &o->values[PTL_A64_VALUE])) {
        ptl_shape_operand index = {0};
        if (!take_word(r, word) || !take_register_word(word, &index) || index.is_sp) return false;
        o->has_index = true;
        o->class = index.class;
        o->values[PTL_A64_INDEX] = index.values[0];
        if (take(r, ',') && !(take_word(r, word) && take_extension(o, r, word))) return false;
    }
    if (!take(r, ']')) return false;
    if (take(r, '!')) o->writeback = PTL_A64_PRE_INDEX;
    return true;
}

/* A word that is no register: of the system, a condition, a prefetch operation, a shift or an extension, with
 * or without amount. */
static bool add_word(ptl_shape* s, reader* r, const char* word) {
    ptl_shape_operand* o = &s->operands[s->count];
    int number;
    o->kind = PTL_A64_IMMEDIATE;
    if (ptl_a64_find_system_word(s->mnemonic, word, &o->values[0])) {
        o->modifier = PTL_A64_PLAIN;
    } else if ((number = ptl_a64_find_condition(word)) >= 0) {
        o->modifier = PTL_A64_COND;
        o->values[0] = number;
    } else if ((number = ptl_a64_find_prefetch(word)) >= 0) {
        o->modifier = PTL_A64_PREFETCH;
        o->values[0] = number;
    } else {
        unsigned modifier = ptl_a64_find_modifier(word);
        if (!modifier) return false;
        o->modifier = (uint8_t)modifier;
        o->has_amount = take_integer(r, &o->values[0]);
        if (!o->has_amount && modifier <= PTL_A64_MSL) return false; /* only extensions go without */
    }
    s->count++;
    return true;
}

static bool add_number(ptl_shape* s, reader* r) {
    ptl_shape_operand* o = &s->operands[s->count];
    bool is_float;
    if (!take_number(r, &o->values[0], &is_float)) return false;
    o->kind = PTL_A64_IMMEDIATE;
    if (is_float) o->modifier = PTL_A64_FLOAT;
    s->count++;
    return true;
}

static bool add_operand(ptl_shape* s, reader* r) {
    if (s->count == PTL_SHAPE_OPERANDS_MAX) return false;
    if (take(r, '{')) return add_list(s, r);
    if (take(r, '[')) return add_memory(s, r);
    if (*r->at == '#' || *r->at == '-' || (*r->at >= '0' && *r->at <= '9')) return add_number(s, r);
    char word[24];
    if (!take_word(r, word)) return false;
    return add_register(s, r, word) || add_word(s, r, word);
}

/* ---- what the text alone does not tell */

/* The last number of b, cbz, ... is a distance, counted from the next instruction. */
static bool is_branch(const char* m) {
    return !strcmp(m, "b") || !strcmp(m, "bl") || !strcmp(m, "cbz") || !strcmp(m, "cbnz") ||
           !strcmp(m, "tbz") || !strcmp(m, "tbnz") || !strcmp(m, "b.cond");
}

static void settle(ptl_shape* s) {
    ptl_shape_operand* last = s->count ? &s->operands[s->count - 1] : NULL;
    if (!last) return;
    if (is_branch(s->mnemonic)) {
        last->kind = PTL_A64_RELATIVE;
        last->values[0] = (int64_t)((uint64_t)last->values[0] - 4); /* wraps: no field holds that */
    } else if (last->kind == PTL_A64_IMMEDIATE && !last->modifier && s->count == 2 &&
               (!strncmp(s->mnemonic, "ldr", 3) || !strcmp(s->mnemonic, "prfm"))) {
        last->kind = PTL_A64_MEMORY;
        last->is_literal = true;
    } else if (s->count >= 2 && last[-1].kind == PTL_A64_MEMORY && !last[-1].writeback) {
        /* what follows an address is added to the base afterwards */
        last[-1].writeback = PTL_A64_POST_INDEX;
    }
    if (!strncmp(s->mnemonic, "prf", 3) && s->operands[0].kind == PTL_A64_IMMEDIATE)
        s->operands[0].modifier = PTL_A64_PREFETCH;
}

/* b.ne */
static bool take_branch_condition(const char* mnemonic, ptl_shape* out) {
    if (strncmp(mnemonic, "b.", 2) != 0) return false;
    int number = ptl_a64_find_condition(mnemonic + 2);
    if (number < 0) return false;
    strcpy(out->mnemonic, "b.cond");
    out->operands[0].kind = PTL_A64_IMMEDIATE;
    out->operands[0].modifier = PTL_A64_COND;
    out->operands[0].values[0] = number;
    out->count = 1;
    return true;
}

bool ptl_shape_read(const char* mnemonic, const char* operands, ptl_shape* out, const char** fault) {
    memset(out, 0, sizeof *out);
    reader r = {operands};
    if (fault) *fault = operands;
    if (strlen(mnemonic) >= sizeof out->mnemonic) return false;
    if (!take_branch_condition(mnemonic, out)) strcpy(out->mnemonic, mnemonic);
    skip_spaces(&r);
    while (*r.at) {
        skip_spaces(&r);
        if (fault) *fault = r.at;
        if (!add_operand(out, &r)) return false;
        skip_spaces(&r);
        if (!*r.at) break;
        if (!take(&r, ',')) return false;
        skip_spaces(&r);
        if (!*r.at) return false;
    }
    settle(out);
    return true;
}
