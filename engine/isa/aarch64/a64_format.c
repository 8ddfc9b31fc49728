/* One instruction of A64 as text that the assembler reads back. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "isa/aarch64/aarch64.h"
#include "isa/aarch64/field.h"
#include "isa/aarch64/lookup.h"
#include "isa/aarch64/text_writer.h"
#include "isa/aarch64/words.h"

static void put_register(ptl_a64_writer* w, const ptl_a64_operand* o, unsigned number, bool is_element) {
    if (o->is_braced) ptl_a64_put(w, "{");
    for (unsigned k = 0; k < o->list; k++) {
        ptl_a64_put(w, "%s%s", k ? ", " : "", ptl_a64_register_text(o->class, (number + k) % 32));
        if (o->class != PTL_A64_V) continue;
        if (is_element)
            ptl_a64_put(w, ".%c", ptl_a64_element_letter(o->element_width));
        else
            ptl_a64_put(w, ".%u%c", o->width / o->element_width, ptl_a64_element_letter(o->element_width));
    }
    if (o->is_braced) ptl_a64_put(w, "}");
}

static void put_memory(ptl_a64_writer* w, const ptl_a64_operand* o, uint32_t word) {
    const ptl_a64_field* number = &o->fields[PTL_A64_VALUE];
    int64_t value = 0;
    if (number->coding) ptl_a64_field_read(number, word, &value);
    if (o->is_literal) {
        ptl_a64_put(w, "#%" PRId64, value);
        return;
    }
    ptl_a64_put(w, "[%s",
                ptl_a64_register_text(PTL_A64_XSP, ptl_a64_field_bits(&o->fields[PTL_A64_BASE], word)));
    if (o->class)
        ptl_a64_put(w, ", %s",
                    ptl_a64_register_text(o->class, ptl_a64_field_bits(&o->fields[PTL_A64_INDEX], word)));
    if (o->modifier) ptl_a64_put(w, ", %s", ptl_a64_modifier_text(o->modifier));
    if (o->has_amount) ptl_a64_put(w, " #%d", o->constant);
    if (value || (number->coding && o->writeback)) ptl_a64_put(w, ", #%" PRId64, value);
    ptl_a64_put(w, o->writeback == PTL_A64_PRE_INDEX ? "]!" : "]");
}

/* Returns the number that imm8 of fmov stands for. */
static double float_of(unsigned code) {
    int exponent = (int)(code >> 4 & 7);
    double magnitude = ldexp(1 + (code & 15) / 16.0, exponent < 4 ? exponent + 1 : exponent - 7);
    return code & 128 ? -magnitude : magnitude;
}

static void put_immediate(ptl_a64_writer* w, const ptl_a64_operand* o, int64_t value) {
    const char* prefetch;
    switch ((ptl_a64_modifier)o->modifier) {
    case PTL_A64_LANE: ptl_a64_put(w, "[%" PRId64 "]", value); return;
    case PTL_A64_COND: ptl_a64_put(w, "%s", ptl_a64_condition_text((unsigned)value)); return;
    case PTL_A64_FLOAT:
        if (o->has_constant)
            ptl_a64_put(w, "#0.0");
        else
            ptl_a64_put(w, "#%#.9g", float_of((unsigned)value));
        return;
    case PTL_A64_PREFETCH:
        prefetch = ptl_a64_prefetch_text((unsigned)value);
        if (!prefetch) break;
        ptl_a64_put(w, "%s", prefetch);
        return;
    case PTL_A64_BITMASK:
    case PTL_A64_BYTES: ptl_a64_put(w, "#0x%" PRIx64, (uint64_t)value); return;
    default: break;
    }
    const char* shift = ptl_a64_modifier_text(o->modifier);
    ptl_a64_put(w, "%s", shift);
    if (*shift && o->has_constant && value == 0) return; /* sxtw */
    ptl_a64_put(w, "%s#%" PRId64, *shift ? " " : "", value);
}

static void put_operand(ptl_a64_writer* w, const ptl_a64_form* f, unsigned k, uint32_t word) {
    const ptl_a64_operand* o = &f->operands[k];
    const ptl_a64_field* field = &o->fields[PTL_A64_VALUE];
    bool is_element = k + 1 < f->operand_count && f->operands[k + 1].modifier == PTL_A64_LANE;
    int64_t value = o->constant;
    switch ((ptl_a64_kind)o->kind) {
    case PTL_A64_REGISTER: put_register(w, o, ptl_a64_field_bits(field, word), is_element); return;
    case PTL_A64_MEMORY: put_memory(w, o, word); return;
    case PTL_A64_RELATIVE: /* from the instruction on, as assemblers have it */
        ptl_a64_field_read(field, word, &value);
        ptl_a64_put(w, "#%" PRId64, value + 4);
        return;
    default:
        if (!o->has_constant) ptl_a64_field_read(field, word, &value);
        put_immediate(w, o, value);
    }
}

ptl_status ptl_a64_format(const uint8_t* bytes, size_t size, char out[PTL_TEXT_SIZE], ptl_error* error) {
    ptl_a64_writer w = {out, PTL_TEXT_SIZE, 0};
    ptl_instance instance;
    size_t n;
    ptl_status status = ptl_a64_decode(bytes, size, &instance, &n, error);
    if (status) return status;
    uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    const ptl_a64_form* f = ptl_a64_form_of_scheme(&instance.scheme);
    const char* mnemonic = ptl_a64_mnemonics[f->mnemonic];
    unsigned first = 0;
    if (!strcmp(mnemonic, "b.cond")) {
        ptl_a64_put(&w, "b.%s", ptl_a64_condition_text((unsigned)instance.values[0].number));
        first = 1;
    } else {
        ptl_a64_put(&w, "%s", mnemonic);
    }
    for (unsigned k = first; k < f->operand_count; k++) {
        if (f->operands[k].modifier != PTL_A64_LANE) ptl_a64_put(&w, "%s", k == first ? " " : ", ");
        put_operand(&w, f, k, word);
    }
    return PTL_OK;
}
