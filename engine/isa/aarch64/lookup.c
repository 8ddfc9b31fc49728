#include "isa/aarch64/lookup.h"

#include <string.h>

#include "isa/aarch64/field.h"
#include "isa/aarch64/groups.h"

static bool fields_are_valid(const ptl_a64_form* f, uint32_t word) {
    int64_t value;
    for (unsigned k = 0; k < f->operand_count; k++)
        for (unsigned part = 0; part < PTL_A64_PARTS; part++) {
            const ptl_a64_field* field = &f->operands[k].fields[part];
            if ((field->coding != PTL_A64_LINEAR || field->last) && field->coding &&
                !ptl_a64_field_read(field, word, &value))
                return false;
        }
    return true;
}

static unsigned register_at(const ptl_a64_form* f, unsigned k, unsigned part, uint32_t word) {
    return ptl_a64_field_bits(&f->operands[k].fields[part], word);
}

static bool is_general(const ptl_a64_operand* o) {
    return o->kind == PTL_A64_REGISTER && o->class && o->class <= PTL_A64_WSP;
}

/* Registers that the manual forbids to be the same: what is loaded and the base that is written back; both
 * registers of a loaded pair; the outcome of an exclusive store and what it stores, or where. */
static bool is_unpredictable(const ptl_a64_form* f, uint32_t word) {
    if (f->category != PTL_A64_CATEGORY_LOAD && f->category != PTL_A64_CATEGORY_STORE) return false;
    unsigned memory = 0;
    while (memory < f->operand_count && f->operands[memory].kind != PTL_A64_MEMORY) memory++;
    if (memory == f->operand_count || f->operands[memory].is_literal) return false;
    unsigned base = register_at(f, memory, PTL_A64_BASE, word);
    bool is_load = f->category == PTL_A64_CATEGORY_LOAD;
    bool has_status = !is_load && (f->operands[0].access & PTL_A64_WRITES);
    for (unsigned k = 0; k < memory; k++) {
        const ptl_a64_operand* o = &f->operands[k];
        if (o->kind != PTL_A64_REGISTER) continue;
        unsigned number = register_at(f, k, PTL_A64_VALUE, word);
        if (is_general(o) && f->operands[memory].writeback && number == base && base != 31) return true;
        if (has_status && k == 0 && number == base && base != 31) return true;
        if (k == 0 || o->list > 1) continue;
        bool is_same = number == register_at(f, 0, PTL_A64_VALUE, word);
        if (is_same && (has_status || is_load) && f->operands[0].kind == PTL_A64_REGISTER) return true;
    }
    return false;
}

const ptl_a64_form* ptl_a64_form_of(uint32_t word) {
    uint32_t bucket = word >> 21;
    for (uint32_t k = ptl_a64_buckets[bucket]; k < ptl_a64_buckets[bucket + 1]; k++) {
        const ptl_a64_form* f = &ptl_a64_forms[ptl_a64_bucket_forms[k]];
        if ((word & f->mask) == f->value && fields_are_valid(f, word))
            return is_unpredictable(f, word) ? NULL : f;
    }
    return NULL;
}

const ptl_a64_form* ptl_a64_form_named(const char* name) {
    unsigned low = 0, high = ptl_a64_form_count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        int order = strcmp(name, ptl_a64_forms[middle].name);
        if (order == 0) return &ptl_a64_forms[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

unsigned ptl_a64_mnemonic_of(const char* name, size_t length) {
    unsigned low = 1, high = ptl_a64_mnemonic_count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        const char* other = ptl_a64_mnemonics[middle];
        int order = strncmp(name, other, length);
        if (order == 0 && other[length]) order = -1;
        if (order == 0) return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
