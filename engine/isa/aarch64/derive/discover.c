#include "isa/aarch64/derive/discover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/aarch64/derive/hand.h"
#include "isa/aarch64/field.h"

enum { SLOTS = PTL_A64_OPERANDS_MAX * PTL_A64_PARTS, NOBODY = -1, OPCODE = -2, SEVERAL = -3 };

typedef struct variants {
    ptl_probe* probe;
    uint32_t word;
    ptl_shape shape;
    int owner[32];      /* slot whose value the bit changes, or NOBODY, OPCODE */
    int64_t weight[32]; /* by how much, if the bit is set */
    bool by_hand[SLOTS];
    ptl_a64_field fields[SLOTS];
} variants;

static int64_t slot_value(const ptl_shape* s, int slot) {
    return s->operands[slot / PTL_A64_PARTS].values[slot % PTL_A64_PARTS];
}

/* Fields that are known, and the bits that belong to them. */
static uint32_t take_fields_by_hand(variants* v) {
    uint32_t taken = 0;
    for (unsigned k = 0; k < v->shape.count; k++) {
        int slot = (int)k * PTL_A64_PARTS;
        v->by_hand[slot] = ptl_hand_field(v->word, &v->shape.operands[k], &v->fields[slot]);
        if (v->by_hand[slot]) taken |= ptl_a64_field_mask(&v->fields[slot]);
    }
    return taken;
}

static int changed_slot(const ptl_shape* a, const ptl_shape* b) {
    int changed = NOBODY;
    for (int slot = 0; slot < a->count * PTL_A64_PARTS; slot++) {
        if (slot_value(a, slot) == slot_value(b, slot)) continue;
        if (changed != NOBODY) return SEVERAL;
        changed = slot;
    }
    return changed;
}

static void flip_bits(variants* v, uint32_t taken) {
    for (unsigned bit = 0; bit < 32; bit++) {
        ptl_shape other;
        uint32_t flag = UINT32_C(1) << bit;
        v->owner[bit] = OPCODE;
        if (taken & flag) continue;
        if (!ptl_probe_shape(v->probe, v->word ^ flag, &other) || !ptl_shape_same(&v->shape, &other))
            continue;
        int slot = changed_slot(&v->shape, &other);
        v->owner[bit] = slot == SEVERAL ? OPCODE : slot;
        if (slot < 0 || v->by_hand[slot]) continue;
        int64_t delta = slot_value(&other, slot) - slot_value(&v->shape, slot);
        v->weight[bit] = v->word & flag ? -delta : delta;
    }
}

/* The bits of one slot, those with the least weight first. */
static unsigned bits_of_slot(const variants* v, int slot, unsigned out[32]) {
    unsigned count = 0;
    for (unsigned bit = 0; bit < 32; bit++) {
        if (v->owner[bit] != slot) continue;
        unsigned at = count++;
        while (at > 0 && llabs(v->weight[out[at - 1]]) > llabs(v->weight[bit])) {
            out[at] = out[at - 1];
            at--;
        }
        out[at] = bit;
    }
    return count;
}

/* A line: weights step, 2 step, 4 step, ...; the last one negative if the field is signed. */
static bool fit_line(const variants* v, int slot, ptl_a64_field* f) {
    unsigned bits[32], count = bits_of_slot(v, slot, bits);
    memset(f, 0, sizeof *f);
    if (count == 0) return true;
    int64_t step = v->weight[bits[0]], value = slot_value(&v->shape, slot);
    if (count == 1 && step == -1) step = -1;
    f->coding = PTL_A64_LINEAR;
    for (unsigned k = 0; k < count; k++) {
        int64_t expected = step * (INT64_C(1) << k);
        bool is_sign = k > 0 && k + 1 == count && v->weight[bits[k]] == -expected;
        if (!is_sign && v->weight[bits[k]] != expected) return false;
        if (is_sign) f->is_signed = true;
        if (v->word >> bits[k] & 1) value -= v->weight[bits[k]];
        ptl_a64_piece* last = f->piece_count ? &f->pieces[f->piece_count - 1] : NULL;
        if (last && last->first + last->count == (int)bits[k]) {
            last->count++;
        } else {
            if (f->piece_count == PTL_A64_PIECES_MAX) return false;
            f->pieces[f->piece_count++] = (ptl_a64_piece){(uint8_t)bits[k], 1};
        }
    }
    f->step = (int16_t)step;
    f->bias = (int16_t)value;
    return f->step == step && f->bias == value;
}

static bool fit_lines(variants* v) {
    for (int slot = 0; slot < v->shape.count * PTL_A64_PARTS; slot++)
        if (!v->by_hand[slot] && !fit_line(v, slot, &v->fields[slot])) return false;
    return true;
}

static bool is_register_slot(const ptl_shape* s, int slot) {
    return s->operands[slot / PTL_A64_PARTS].kind == PTL_A64_REGISTER ||
           slot % PTL_A64_PARTS != PTL_A64_VALUE;
}

/* An instruction from which no flip leads to an alias: registers that differ in two bits at least, two bits
 * of every immediate set. */
static uint32_t plain_word(const variants* v) {
    uint32_t word = v->word;
    unsigned number = 1;
    for (int slot = 0; slot < v->shape.count * PTL_A64_PARTS; slot++) {
        const ptl_a64_field* f = &v->fields[slot];
        if (v->by_hand[slot] || f->coding != PTL_A64_LINEAR) continue;
        if (is_register_slot(&v->shape, slot) && ptl_a64_field_width(f) == 5) {
            word = ptl_a64_field_put_bits(f, word, number);
            number = number == 16 ? 7 : number * 2;
        } else {
            word = ptl_a64_field_put_bits(f, word, ptl_a64_field_width(f) > 1 ? 3 : 1);
        }
    }
    return word;
}

/* Bits that change nothing are ones in loads, stores and integer instructions ("should be one"), zeros
 * elsewhere. */
static uint32_t settle_free_bits(const variants* v, uint32_t word) {
    bool is_vector = (word & 0x0E000000) == 0x0E000000;
    for (unsigned bit = 0; bit < 32; bit++) {
        if (v->owner[bit] != NOBODY) continue;
        uint32_t flag = UINT32_C(1) << bit;
        word = is_vector ? word & ~flag : word | flag;
    }
    return word;
}

/* Is register 31 in this place the stack pointer? */
static bool is_stack_pointer(variants* v, int slot) {
    ptl_shape shape;
    uint32_t word = ptl_a64_field_put_bits(&v->fields[slot], v->word, 31);
    if (!ptl_probe_shape(v->probe, word, &shape)) return false;
    const char* text = v->probe->instruction->op_str;
    for (const char* at = strstr(text, "sp"); at; at = strstr(at + 1, "sp")) {
        char before = at == text ? ' ' : at[-1];
        if (before == ' ' || before == 'w' || before == '[') return true;
    }
    return false;
}

static void fill_operand(variants* v, unsigned k, ptl_a64_operand* o) {
    const ptl_shape_operand* from = &v->shape.operands[k];
    int slot = (int)k * PTL_A64_PARTS;
    o->kind = from->kind;
    o->class = from->class;
    o->element_width = from->element_width;
    o->width = from->vector_width;
    o->list = from->list;
    o->is_braced = from->is_braced;
    o->modifier = from->modifier;
    o->writeback = from->writeback;
    o->is_literal = from->is_literal;
    o->has_amount = from->kind == PTL_A64_MEMORY && from->has_amount;
    for (unsigned part = 0; part < PTL_A64_PARTS; part++) o->fields[part] = v->fields[slot + (int)part];
    if (o->kind == PTL_A64_IMMEDIATE && o->fields[0].coding == PTL_A64_NO_FIELD) {
        o->has_constant = true;
        o->constant = o->modifier == PTL_A64_FLOAT ? 0 : (int16_t)from->values[0];
    }
    if (o->has_amount) o->constant = from->amount;
    unsigned coding = o->fields[0].coding;
    if (coding == PTL_A64_BITMASK32 || coding == PTL_A64_BITMASK64) o->modifier = PTL_A64_BITMASK;
    if (coding == PTL_A64_BYTEMASK) o->modifier = PTL_A64_BYTES;
    if (o->kind == PTL_A64_REGISTER && (o->class == PTL_A64_X || o->class == PTL_A64_W) &&
        is_stack_pointer(v, slot))
        o->class = o->class == PTL_A64_X ? PTL_A64_XSP : PTL_A64_WSP;
}

/* The same form with other registers in two places where the walk may have met registers that are too alike.
 */
static void spread_registers(variants* v) {
    static const struct {
        uint32_t mask, value;
    } places[] = {{UINT32_C(31) << 16, UINT32_C(4) << 16}, {UINT32_C(31) << 10, UINT32_C(24) << 10}};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        ptl_shape shape;
        uint32_t word = (v->word & ~places[k].mask) | places[k].value;
        if (!ptl_probe_shape(v->probe, word, &shape) || !ptl_shape_same(&v->shape, &shape)) continue;
        v->word = word;
        v->shape = shape;
    }
}

bool ptl_discover(ptl_probe* probe, uint32_t word, const ptl_shape* shape, ptl_derived* out, char* message,
                  size_t message_size) {
    variants v = {.probe = probe, .word = word, .shape = *shape};
    spread_registers(&v);
    for (unsigned round = 0; round < 4; round++) {
        flip_bits(&v, take_fields_by_hand(&v));
        if (!fit_lines(&v)) {
            snprintf(message, message_size, "%s: the bits of an operand are no line (word %08x)",
                     shape->mnemonic, v.word);
            return false;
        }
        uint32_t next = plain_word(&v);
        ptl_shape next_shape;
        if (!ptl_probe_shape(probe, next, &next_shape) || !ptl_shape_same(&v.shape, &next_shape)) break;
        if (next == v.word && round > 0) break;
        v.word = next;
        v.shape = next_shape;
    }
    uint32_t settled = settle_free_bits(&v, v.word), mask = UINT32_MAX;
    ptl_shape settled_shape;
    if (!ptl_probe_shape(probe, settled, &settled_shape) || !ptl_shape_same(&v.shape, &settled_shape))
        settled = v.word;
    v.word = settled;
    for (int slot = 0; slot < v.shape.count * PTL_A64_PARTS; slot++)
        mask &= ~ptl_a64_field_mask(&v.fields[slot]);
    strcpy(out->mnemonic, v.shape.mnemonic);
    out->word = settled;
    out->form.mask = mask;
    out->form.value = settled & mask;
    out->form.operand_count = v.shape.count;
    for (unsigned k = 0; k < v.shape.count; k++) fill_operand(&v, k, &out->form.operands[k]);
    return true;
}
