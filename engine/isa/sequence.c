#include "isa/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "isa/architecture.h"

size_t ptl_experiment_copies(size_t length, size_t target) {
    size_t copies = length ? (target + length / 2) / length : 1;
    return copies ? copies : 1;
}

/* Instruction k of the m of one scheme belongs at (k + 1/2) / m of the body. */
typedef struct place {
    uint32_t numerator, denominator; /* (2k + 1) / 2m */
    uint16_t scheme;
} place;

static int by_position(const void* a, const void* b) {
    const place *x = a, *y = b;
    uint64_t left = (uint64_t)x->numerator * y->denominator;
    uint64_t right = (uint64_t)y->numerator * x->denominator;
    if (left != right) return left < right ? -1 : 1;
    return x->scheme < y->scheme ? -1 : x->scheme > y->scheme; /* two of one scheme never share a place */
}

ptl_status ptl_experiment_sequence(const unsigned* counts, size_t n, size_t copies, uint16_t* order,
                                   ptl_error* error) {
    uint64_t total = 0;
    for (size_t i = 0; i < n && total <= PTL_SEQUENCE_MAX; i++) total += (uint64_t)counts[i] * copies;
    if (n > UINT16_MAX || copies > PTL_SEQUENCE_MAX || total > PTL_SEQUENCE_MAX) {
        return ptl_fail(error, PTL_LIMIT, NULL, "use smaller counts",
                        "more than %d instructions in one loop body", PTL_SEQUENCE_MAX);
    }
    place* places = malloc((size_t)(total ? total : 1) * sizeof *places);
    if (!places) return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "out of memory");
    size_t next = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t m = (uint32_t)(counts[i] * copies);
        for (uint32_t k = 0; k < m; k++) places[next++] = (place){2 * k + 1, 2 * m, (uint16_t)i};
    }
    qsort(places, next, sizeof *places, by_position);
    for (size_t j = 0; j < next; j++) order[j] = places[j].scheme;
    free(places);
    return PTL_OK;
}

/* A loop body repeats a few instances again and again (the registers rotate): remember their code. Only
 * instances that are equal in scheme and all values share an entry. */
#define CACHE 256

typedef struct code_cache {
    const ptl_instance* instance[CACHE];
    uint32_t offset[CACHE];
    uint8_t length[CACHE];
} code_cache;

static size_t cache_place(const ptl_instance* instance) {
    uint64_t hash = (uint64_t)instance->scheme.mnemonic * 0x9E3779B97F4A7C15u;
    for (unsigned i = 0; i < instance->scheme.visible_count; i++) {
        const ptl_value* v = &instance->values[i];
        hash = (hash ^ v->reg ^ (uint64_t)v->number << 16) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return (size_t)(hash % CACHE);
}

static bool same_value(const ptl_value* a, const ptl_value* b) {
    return a->reg == b->reg && a->number == b->number && a->base == b->base && a->index == b->index &&
           a->segment == b->segment && a->scale == b->scale;
}

static bool same_instance(const ptl_instance* a, const ptl_instance* b) {
    if (a->rounding != b->rounding || strcmp(a->scheme.name, b->scheme.name) != 0) return false;
    for (unsigned i = 0; i < a->scheme.visible_count; i++) {
        if (!same_value(&a->values[i], &b->values[i])) return false;
    }
    return true;
}

/* The code of an instance: the instruction, and what stands around it if there is a policy. */
static ptl_status encode_whole(const ptl_instance* instance, const ptl_policy* policy,
                               uint8_t code[PTL_INSTANCE_SIZE], size_t* length, ptl_error* error) {
    size_t ahead = policy ? ptl_write_breakers(&instance->scheme, policy, code) : 0;
    if (policy) ahead += ptl_write_companions(&instance->scheme, policy, false, code + ahead);
    ptl_status status = ptl_encode(instance, code + ahead, length, error);
    *length += ahead;
    if (policy) *length += ptl_write_companions(&instance->scheme, policy, true, code + *length);
    return status;
}

ptl_status ptl_assemble_instances(const ptl_instance* instances, size_t n, const ptl_policy* policy,
                                  uint8_t* out, size_t capacity, size_t* size, uint32_t* offsets,
                                  ptl_error* error) {
    code_cache cache = {{0}, {0}, {0}};
    size_t used = 0, length = 0;
    for (size_t i = 0; i < n; i++, used += length) {
        uint8_t code[PTL_INSTANCE_SIZE];
        size_t at = cache_place(&instances[i]);
        const ptl_instance* known = cache.instance[at];
        const uint8_t* source = code;
        if (known && same_instance(known, &instances[i])) {
            source = out + cache.offset[at];
            length = cache.length[at];
        } else {
            ptl_status status = encode_whole(&instances[i], policy, code, &length, error);
            if (status) return status;
        }
        if (length > capacity - used || used > UINT32_MAX - PTL_INSTANCE_SIZE) {
            return ptl_fail(error, PTL_LIMIT, NULL, "use fewer instructions",
                            "the machine code exceeds %zu bytes", capacity);
        }
        memcpy(out + used, source, length);
        cache.instance[at] = &instances[i];
        cache.offset[at] = (uint32_t)used;
        cache.length[at] = (uint8_t)length;
        if (offsets) offsets[i] = (uint32_t)used;
    }
    if (offsets) offsets[n] = (uint32_t)used;
    *size = used;
    return PTL_OK;
}

ptl_status ptl_setup_instances(const ptl_instance* instances, size_t n, const ptl_policy* policy,
                               unsigned layout, uint8_t* out, size_t capacity, size_t* size,
                               ptl_error* error) {
    *size = 0;
    if (!policy->architecture->setup) return PTL_OK;
    return policy->architecture->setup(instances, n, policy, layout, out, capacity, size, error);
}

ptl_status ptl_restore_instances(const ptl_instance* instances, size_t n, const ptl_policy* policy,
                                 unsigned layout, uint8_t* out, size_t capacity, size_t* size,
                                 ptl_error* error) {
    *size = 0;
    if (!policy->architecture->restore) return PTL_OK;
    return policy->architecture->restore(instances, n, policy, layout, out, capacity, size, error);
}

unsigned ptl_instances_vector_bits(const ptl_instance* instances, size_t n) {
    unsigned bits = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned width = ptl_scheme_vector_bits(&instances[i].scheme);
        if (width > bits) bits = width;
    }
    return bits;
}
