#include "anica/abstract.h"

#include <stdlib.h>
#include <string.h>

static size_t rounded(size_t bytes) {
    size_t unit = _Alignof(max_align_t);
    return (bytes + unit - 1) / unit * unit;
}

static size_t words_per_set(const ptl_domain* d) {
    return (d->scheme_count + 63) / 64;
}

size_t ptl_abstract_bytes(const ptl_domain* d, size_t length, size_t alias_count) {
    return rounded(sizeof(ptl_abstract)) + rounded(length * d->feature_count * sizeof(ptl_node)) +
           rounded(length * sizeof(ptl_bitset)) + rounded(length * sizeof(ptl_span)) +
           rounded(length * words_per_set(d) * sizeof(uint64_t)) + rounded(alias_count * sizeof(ptl_alias));
}

ptl_abstract* ptl_abstract_place(const ptl_domain* d, void* memory, size_t length, size_t alias_count) {
    unsigned char* at = memory;
    memset(memory, 0, ptl_abstract_bytes(d, length, alias_count));
    ptl_abstract* a = memory;
    a->length = length;
    a->alias_count = alias_count;
    at += rounded(sizeof *a);
    a->nodes = (ptl_node*)at;
    at += rounded(length * d->feature_count * sizeof(ptl_node));
    a->sets = (ptl_bitset*)at;
    at += rounded(length * sizeof(ptl_bitset));
    a->spans = (ptl_span*)at;
    at += rounded(length * sizeof(ptl_span));
    for (size_t i = 0; i < length; i++) {
        uint64_t* words = (uint64_t*)at + i * words_per_set(d);
        a->sets[i] = (ptl_bitset){.bits = d->scheme_count, .words = words};
    }
    at += rounded(length * words_per_set(d) * sizeof(uint64_t));
    a->aliases = (ptl_alias*)at;
    return a;
}

static ptl_span span_of(const ptl_bitset* set) {
    uint32_t words = (uint32_t)((set->bits + 63) / 64);
    ptl_span span = {0, words};
    while (span.from < span.to && !set->words[span.from]) span.from++;
    while (span.to > span.from && !set->words[span.to - 1]) span.to--;
    return span;
}

ptl_status ptl_abstract_finish(const ptl_domain* d, ptl_abstract* a, ptl_error* error) {
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < a->length && !status; i++) {
        status = ptl_domain_concretize(d, a->nodes + i * d->feature_count, &a->sets[i], error);
        a->spans[i] = span_of(&a->sets[i]);
    }
    return status;
}

size_t ptl_alias_represent(const ptl_instance* block, size_t length, ptl_alias* out) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        for (unsigned k = 0; k < block[i].scheme.operand_count; k++) {
            if (!ptl_operand_can_alias(&block[i].scheme, k)) continue;
            for (size_t j = i; j < length; j++) {
                for (unsigned l = j == i ? k + 1 : 0; l < block[j].scheme.operand_count; l++) {
                    if (!ptl_operands_match(&block[i].scheme, k, &block[j].scheme, l)) continue;
                    bool alias = out && ptl_operands_alias(&block[i], k, &block[j], l);
                    if (out) {
                        out[n] = (ptl_alias){.a = {(uint8_t)i, (uint8_t)k},
                                             .b = {(uint8_t)j, (uint8_t)l},
                                             .kind = alias ? PTL_MUST_ALIAS : PTL_MUST_NOT_ALIAS};
                    }
                    n++;
                }
            }
        }
    }
    return n;
}

ptl_status ptl_abstract_represent(ptl_domain* d, const ptl_instance* block, const uint32_t* schemes,
                                  ptl_abstract* out, ptl_error* error) {
    size_t row = d->feature_count;
    for (size_t i = 0; i < out->length; i++) {
        const ptl_bitset* alike = ptl_domain_alike(d, schemes[i]);
        if (!alike) return ptl_no_memory(error, "for an abstract block");
        memcpy(out->nodes + i * row, d->rows + schemes[i] * row, row * sizeof *out->nodes);
        memcpy(out->sets[i].words, alike->words, words_per_set(d) * sizeof *alike->words);
        out->spans[i] = span_of(alike);
    }
    ptl_alias_represent(block, out->length, out->aliases);
    return PTL_OK;
}

static int compare_refs(ptl_operand_ref x, ptl_operand_ref y) {
    return x.instruction != y.instruction ? x.instruction - y.instruction : x.operand - y.operand;
}

const ptl_alias* ptl_abstract_alias(const ptl_abstract* a, ptl_operand_ref x, ptl_operand_ref y) {
    bool swapped = compare_refs(x, y) > 0;
    ptl_operand_ref first = swapped ? y : x, second = swapped ? x : y;
    size_t low = 0, high = a->alias_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const ptl_alias* at = &a->aliases[middle];
        int order = compare_refs(at->a, first);
        if (order == 0) order = compare_refs(at->b, second);
        if (order == 0) return at;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Every constraint of b is one of a. */
static bool aliasing_leq(const ptl_abstract* a, const ptl_abstract* b) {
    if (b->alias_count > a->alias_count) return false;
    for (size_t k = 0; k < b->alias_count; k++) {
        const ptl_alias* mine = ptl_abstract_alias(a, b->aliases[k].a, b->aliases[k].b);
        if (!mine || mine->kind != b->aliases[k].kind) return false;
    }
    return true;
}

bool ptl_abstract_leq(const ptl_domain* d, const ptl_abstract* a, const ptl_abstract* b) {
    if (a->length != b->length || !aliasing_leq(a, b)) return false;
    for (size_t i = 0; i < a->length; i++)
        if (!ptl_domain_leq(d, a->nodes + i * d->feature_count, b->nodes + i * d->feature_count))
            return false;
    return true;
}

bool ptl_abstract_equal(const ptl_domain* d, const ptl_abstract* a, const ptl_abstract* b) {
    return a->length == b->length && a->alias_count == b->alias_count && aliasing_leq(a, b) &&
           memcmp(a->nodes, b->nodes, a->length * d->feature_count * sizeof *a->nodes) == 0;
}

bool ptl_abstract_contains(const ptl_abstract* a, const ptl_instance* block, const uint32_t* schemes,
                           size_t length) {
    if (length != a->length) return false;
    for (size_t i = 0; i < length; i++)
        if (schemes[i] == PTL_NO_NAME || !ptl_bitset_has(&a->sets[i], schemes[i])) return false;
    for (size_t k = 0; k < a->alias_count; k++)
        if (!ptl_alias_holds(&a->aliases[k], block, length)) return false;
    return true;
}

size_t ptl_abstract_generality(const ptl_abstract* a) {
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < a->length; i++) {
        size_t n = ptl_bitset_count(&a->sets[i]);
        if (n < least) least = n;
    }
    return a->length ? least : 0;
}
