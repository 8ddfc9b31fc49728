/* Words with places for registers and displacements (isa/template.h). */
#include <string.h>

#include "isa/aarch64/aarch64.h"
#include "isa/aarch64/field.h"

enum { NO_OPERAND = 0xFF };

typedef struct a64_template {
    const ptl_a64_form* form;
    uint32_t word; /* without the fields that values are put into */
    uint8_t count; /* of free registers */
    uint8_t registers[PTL_A64_OPERANDS_MAX];
    uint8_t memory; /* operand, or NO_OPERAND */
} a64_template;

_Static_assert(sizeof(a64_template) <= sizeof(ptl_template), "a template has room for it");

static uint32_t word_of(const uint8_t* bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

bool ptl_a64_template_make(const ptl_instance* instance, const uint8_t* bytes, size_t size,
                           ptl_template* out) {
    a64_template t = {.form = ptl_a64_form_of_scheme(&instance->scheme), .memory = NO_OPERAND};
    if (size != 4) return false;
    t.word = word_of(bytes);
    for (unsigned k = 0; k < t.form->operand_count; k++) {
        const ptl_a64_operand* o = &t.form->operands[k];
        if (!ptl_operand_is_free(&instance->scheme.operands[k])) continue;
        if (o->kind == PTL_A64_REGISTER) t.registers[t.count++] = (uint8_t)k;
        if (o->kind == PTL_A64_MEMORY && (o->is_literal || t.memory != NO_OPERAND)) return false;
        if (o->kind == PTL_A64_MEMORY) t.memory = (uint8_t)k;
        if (o->kind == PTL_A64_REGISTER || o->kind == PTL_A64_MEMORY)
            t.word &= ~ptl_a64_field_mask(&o->fields[PTL_A64_VALUE]);
    }
    memset(out, 0, sizeof *out);
    memcpy(out->own, &t, sizeof t);
    return true;
}

/* [memory base + slot], or [register]. */
static bool put_address(const a64_template* t, unsigned value, unsigned slot_shift, uint32_t* word) {
    const ptl_a64_field* fields = t->form->operands[t->memory].fields;
    int64_t displacement = value < PTL_SLOTS ? (int64_t)value << slot_shift : 0;
    if (value >= PTL_AT_REGISTER)
        *word = ptl_a64_field_put_bits(&fields[PTL_A64_BASE], *word, value - PTL_AT_REGISTER);
    if (!fields[PTL_A64_VALUE].coding) return displacement == 0;
    return ptl_a64_field_write(&fields[PTL_A64_VALUE], displacement, word);
}

size_t ptl_a64_template_write(const ptl_template* template, const uint8_t* values, unsigned slot_shift,
                              uint8_t out[PTL_INSTRUCTION_MAX]) {
    a64_template t;
    memcpy(&t, template->own, sizeof t);
    uint32_t word = t.word;
    for (unsigned k = 0; k < t.count; k++) {
        const ptl_a64_field* field = &t.form->operands[t.registers[k]].fields[PTL_A64_VALUE];
        word = ptl_a64_field_put_bits(field, word, values[t.registers[k]]);
    }
    if (t.memory != NO_OPERAND && !put_address(&t, values[t.memory], slot_shift, &word)) return 0;
    for (unsigned k = 0; k < 4; k++) out[k] = (uint8_t)(word >> 8 * k);
    return 4;
}
