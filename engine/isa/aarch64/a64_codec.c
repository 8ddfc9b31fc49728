/* Instances of A64 to words and back: values are put into fields and taken out of them. */
#include <string.h>

#include "isa/aarch64/aarch64.h"
#include "isa/aarch64/field.h"
#include "isa/aarch64/lookup.h"

/* ---- decoding */

static void take_memory(const ptl_a64_operand* o, uint32_t word, ptl_value* v) {
    int64_t number;
    if (o->is_literal)
        v->base = (uint16_t)ptl_a64_pc();
    else
        v->base = ptl_a64_register(PTL_A64_XSP, ptl_a64_field_bits(&o->fields[PTL_A64_BASE], word));
    if (o->class) {
        v->index = ptl_a64_register(o->class, ptl_a64_field_bits(&o->fields[PTL_A64_INDEX], word));
        v->scale = (uint8_t)(1u << (o->has_amount ? o->constant : 0));
    }
    if (ptl_a64_field_read(&o->fields[PTL_A64_VALUE], word, &number)) v->number = number;
}

static void take_value(const ptl_a64_operand* o, uint32_t word, ptl_value* v) {
    const ptl_a64_field* f = &o->fields[PTL_A64_VALUE];
    if (o->kind == PTL_A64_REGISTER)
        v->reg = ptl_a64_register(o->class, ptl_a64_field_bits(f, word));
    else if (o->kind == PTL_A64_MEMORY)
        take_memory(o, word, v);
    else if (o->has_constant)
        v->number = o->constant;
    else
        ptl_a64_field_read(f, word, &v->number);
}

ptl_status ptl_a64_decode(const uint8_t* bytes, size_t size, ptl_instance* out, size_t* n, ptl_error* error) {
    if (size < 4)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "append the missing bytes",
                        "the last instruction is cut short");
    uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    const ptl_a64_form* f = ptl_a64_form_of(word);
    if (!f)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "%08x is no instruction of A64 that Portolan knows",
                        word);
    ptl_a64_scheme(f, &out->scheme);
    out->rounding = 0;
    memset(out->values, 0, sizeof out->values);
    for (unsigned k = 0; k < f->operand_count; k++) take_value(&f->operands[k], word, &out->values[k]);
    *n = 4;
    return PTL_OK;
}

/* ---- encoding */

static bool put_register(const ptl_a64_field* f, unsigned class, unsigned r, uint32_t* word) {
    unsigned number;
    return ptl_a64_register_in_word(class, r, &number) && ptl_a64_field_write(f, number, word);
}

static bool put_memory(const ptl_a64_operand* o, const ptl_value* v, uint32_t* word) {
    const ptl_a64_field* number = &o->fields[PTL_A64_VALUE];
    if (v->segment) return false;
    if (o->is_literal)
        return v->base == ptl_a64_pc() && !v->index && ptl_a64_field_write(number, v->number, word);
    if (!put_register(&o->fields[PTL_A64_BASE], PTL_A64_XSP, v->base, word)) return false;
    if (o->class) {
        unsigned scale = 1u << (o->has_amount ? o->constant : 0);
        if (v->scale != scale || !put_register(&o->fields[PTL_A64_INDEX], o->class, v->index, word))
            return false;
    } else if (v->index) {
        return false;
    }
    return number->coding ? ptl_a64_field_write(number, v->number, word) : v->number == 0;
}

static bool put_value(const ptl_a64_operand* o, const ptl_value* v, uint32_t* word) {
    const ptl_a64_field* f = &o->fields[PTL_A64_VALUE];
    if (o->kind == PTL_A64_REGISTER) return put_register(f, o->class, v->reg, word);
    if (o->kind == PTL_A64_MEMORY) return put_memory(o, v, word);
    return o->has_constant || ptl_a64_field_write(f, v->number, word);
}

/* The word alone; on failure `operand` tells which one does not fit (from 0 on), or operand_count: the
 * registers cannot go together, or the values belong to another scheme. */
static bool encode_word(const ptl_instance* instance, uint32_t* word, unsigned* operand) {
    const ptl_a64_form* f = ptl_a64_form_of_scheme(&instance->scheme);
    *word = f->value;
    for (*operand = 0; *operand < f->operand_count; ++*operand)
        if (!put_value(&f->operands[*operand], &instance->values[*operand], word)) return false;
    return ptl_a64_form_of(*word) == f;
}

ptl_status ptl_a64_encode(const ptl_instance* instance, uint8_t out[PTL_INSTRUCTION_MAX], size_t* n,
                          ptl_error* error) {
    const ptl_scheme* s = &instance->scheme;
    uint32_t word;
    unsigned operand;
    if (!encode_word(instance, &word, &operand)) {
        if (operand < s->visible_count)
            return ptl_fail(error, PTL_BAD_INPUT, s->name,
                            "see docs/scheme-names.md for what its fields can hold",
                            "operand %u does not fit the scheme", operand + 1);
        return ptl_fail(error, PTL_BAD_INPUT, s->name,
                        "take other registers; mind that a shift by 0 belongs to another scheme",
                        "the operands do not go together");
    }
    for (unsigned k = 0; k < 4; k++) out[k] = (uint8_t)(word >> 8 * k);
    *n = 4;
    return PTL_OK;
}

/* ---- samples */

/* Registers that are distinct within an instance for any variant: x0 to x25, v0 to v30 in steps that leave
 * room for lists. */
static unsigned sample_number(const ptl_a64_operand* o, unsigned part, unsigned k, unsigned variant) {
    bool is_vector = o->class >= PTL_A64_B && part == PTL_A64_VALUE;
    unsigned width = ptl_a64_field_width(&o->fields[part]);
    unsigned limit = width < 5 ? 1u << width : is_vector ? 31 : 26;
    return (variant + 5 * (k + 2 * part)) % limit;
}

static void sample_value(const ptl_scheme* s, unsigned k, unsigned variant, ptl_value* v) {
    const ptl_a64_operand* o = &ptl_a64_form_of_scheme(s)->operands[k];
    const ptl_a64_field* number = &o->fields[PTL_A64_VALUE];
    if (o->kind == PTL_A64_REGISTER) {
        v->reg = ptl_a64_register(o->class, sample_number(o, PTL_A64_VALUE, k, variant));
    } else if (o->kind != PTL_A64_MEMORY) {
        v->number = o->has_constant ? o->constant : ptl_a64_immediate_variant(s, &s->operands[k], variant);
    } else if (o->is_literal) {
        v->base = (uint16_t)ptl_a64_pc();
        v->number = number->step * (16 + (int64_t)variant);
    } else {
        v->base = ptl_a64_register(PTL_A64_XSP, 28);
        if (o->class) {
            v->index = ptl_a64_register(o->class, sample_number(o, PTL_A64_INDEX, k, variant));
            v->scale = (uint8_t)(1u << (o->has_amount ? o->constant : 0));
        }
        if (number->coding) v->number = number->step * (1 + (int64_t)variant % 30);
    }
}

void ptl_a64_sample(const ptl_scheme* scheme, unsigned variant, ptl_instance* out) {
    if (&out->scheme != scheme) out->scheme = *scheme;
    memset(out->values, 0, sizeof out->values);
    out->rounding = 0;
    for (unsigned k = 0; k < scheme->visible_count; k++)
        sample_value(&out->scheme, k, variant, &out->values[k]);
}
