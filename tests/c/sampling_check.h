/* Random abstract blocks, and what is wrong with a drawn block, found out by decoding it: shared by the test
 * and the benchmark of the sampler. */
#ifndef SAMPLING_CHECK_H
#define SAMPLING_CHECK_H

#include <string.h>

#include "anica/sampler.h"
#include "isa/architecture.h"

#define SAMPLING_ALIASES 2048
#define SAMPLING_SCHEMES 24

/* Of two memory operands that can be chosen: the same address, or no byte in common. */
static inline const char* sampling_memory_fault(const ptl_instance* a, unsigned k, const ptl_instance* b,
                                                unsigned l) {
    const ptl_operand *x = &a->scheme.operands[k], *y = &b->scheme.operands[l];
    if (x->kind != PTL_MEMORY || y->kind != PTL_MEMORY || ptl_operands_alias(a, k, b, l)) return NULL;
    ptl_value v = ptl_operand_address(a, k), w = ptl_operand_address(b, l);
    if (v.base != w.base || x->visibility == PTL_HIDDEN || y->visibility == PTL_HIDDEN) return NULL;
    int64_t v_end = v.number + (x->width + 7) / 8, w_end = w.number + (y->width + 7) / 8;
    return v.number < w_end && w.number < v_end ? "different memory operands overlap" : NULL;
}

/* Of one operand: what it must not be whatever the constraints. */
static inline const char* sampling_operand_fault(const ptl_policy* policy, const ptl_instance* i,
                                                 unsigned k) {
    const ptl_operand* o = &i->scheme.operands[k];
    const ptl_value* v = &i->values[k];
    const ptl_architecture* a = policy->architecture;
    unsigned number;
    if (!ptl_operand_is_free(o)) return NULL;
    if (o->kind == PTL_REGISTER) {
        ptl_file file = ptl_register_place(a, v->reg, &number);
        if (file == PTL_FILES || policy->reserved[file] >> number & 1) return "a reserved register is named";
        if (a->stays(v->reg)) return "a high byte, or the stack pointer, is named";
        if (o->is_mask && number == 0) return "k0 is a write mask";
    }
    if (o->kind == PTL_MEMORY || o->kind == PTL_ADDRESS) {
        bool based = ptl_register_place(a, v->base, &number) == PTL_FILE_GPR && number == policy->memory_base;
        if (v->segment || (based && (v->number < 0 || v->number + o->width / 8 > policy->memory_bytes)))
            return "memory is out of bounds";
        if (!based && (v->number || v->index)) return "memory is at a register that is not reserved";
        ptl_file file = v->index ? ptl_register_place(a, v->index, &number) : PTL_FILES;
        if (file == PTL_FILE_GPR ||
            (file == PTL_FILE_VECTOR && (number != policy->vector_index || v->scale != 1)))
            return "the index is not the reserved one"; /* in no file: the zero register */
    }
    return NULL;
}

/* The block taken from its bytes alone. NULL, or what is wrong. */
static inline const char* sampling_decode(const ptl_scheme* universe, const ptl_block* b, ptl_instance* out) {
    const ptl_architecture* a = universe->architecture;
    size_t at = 0, n;
    for (unsigned i = 0; i < b->length; i++) {
        if (ptl_decode(a, b->bytes + at, b->size - at, &out[i], &n, NULL) != PTL_OK)
            return "it does not decode";
        if (memcmp(&out[i].scheme, &universe[b->schemes[i]], sizeof out[i].scheme) != 0)
            return "it decodes to another scheme";
        at += n;
        if (at != b->ends[i]) return "an instruction ends elsewhere";
    }
    return at == b->size ? NULL : "it goes on behind the last instruction";
}

/* NULL, or what is wrong with the block. */
static inline const char* sampling_fault(const ptl_scheme* universe, const ptl_policy* policy,
                                         const ptl_block* b, const ptl_alias* aliases, size_t alias_count) {
    ptl_instance block[PTL_BLOCK_LENGTH_MAX];
    const char* wrong = sampling_decode(universe, b, block);
    for (unsigned i = 0; i < b->length && !wrong; i++) {
        for (unsigned k = 0; k < block[i].scheme.operand_count && !wrong; k++) {
            if (k < block[i].scheme.visible_count) wrong = sampling_operand_fault(policy, &block[i], k);
            for (unsigned j = 0; j <= i && !wrong; j++)
                for (unsigned l = 0; l < block[j].scheme.operand_count && !wrong; l++)
                    wrong = sampling_memory_fault(&block[i], k, &block[j], l);
        }
    }
    for (size_t i = 0; i < alias_count && !wrong; i++)
        if (!ptl_alias_holds(&aliases[i], block, b->length)) wrong = "a constraint is violated";
    return wrong;
}

typedef struct sampling_abstract {
    ptl_sample_request request;
    ptl_scheme_list lists[PTL_BLOCK_LENGTH_MAX];
    uint32_t schemes[PTL_BLOCK_LENGTH_MAX][SAMPLING_SCHEMES];
    ptl_alias aliases[SAMPLING_ALIASES];
} sampling_abstract;

/* beta of a decoded block (eq. 8.16): each matching pair. */
static inline size_t sampling_aliases_of(const ptl_instance* block, unsigned length, ptl_alias* out) {
    size_t count = 0;
    for (unsigned i = 0; i < length; i++)
        for (unsigned k = 0; k < block[i].scheme.operand_count; k++)
            for (unsigned j = i; j < length; j++)
                for (unsigned l = j == i ? k + 1 : 0; l < block[j].scheme.operand_count; l++) {
                    if (!ptl_operands_match(&block[i].scheme, k, &block[j].scheme, l)) continue;
                    bool alias = ptl_operands_alias(&block[i], k, &block[j], l);
                    if (count < SAMPLING_ALIASES)
                        out[count++] = (ptl_alias){{(uint8_t)i, (uint8_t)k},
                                                   {(uint8_t)j, (uint8_t)l},
                                                   alias ? PTL_MUST_ALIAS : PTL_MUST_NOT_ALIAS};
                }
    return count;
}

/* The representation of a random block of these schemes. a must not be moved: it points into itself. */
static inline void sampling_representation_random(sampling_abstract* a, const ptl_sampler* s,
                                                  const ptl_scheme* universe, const uint32_t* all,
                                                  size_t count, unsigned length, ptl_rng* rng) {
    ptl_instance block[PTL_BLOCK_LENGTH_MAX];
    ptl_block b;
    ptl_sample_figures figures;
    for (unsigned i = 0; i < length; i++) a->lists[i] = (ptl_scheme_list){all, count};
    a->request = (ptl_sample_request){.instructions = a->lists, .length = length, .aliases = a->aliases};
    if (ptl_sampler_draw(s, &a->request, rng, 1, &b, &figures, NULL) != PTL_OK) return;
    if (sampling_decode(universe, &b, block)) return;
    for (unsigned i = 0; i < length; i++) {
        a->schemes[i][0] = b.schemes[i];
        a->lists[i] = (ptl_scheme_list){a->schemes[i], 1};
    }
    a->request.alias_count = sampling_aliases_of(block, length, a->aliases);
}

/* The same, generalized at random: some constraints dropped; for some instructions a few more schemes, or
 * all. */
static inline void sampling_abstract_random(sampling_abstract* a, const ptl_sampler* s,
                                            const ptl_scheme* universe, const uint32_t* all, size_t count,
                                            unsigned length, ptl_rng* rng) {
    sampling_representation_random(a, s, universe, all, count, length, rng);
    uint64_t keep = ptl_rng_below(rng, 101);
    size_t kept = 0;
    for (size_t i = 0; i < a->request.alias_count; i++)
        if (ptl_rng_below(rng, 100) < keep) a->aliases[kept++] = a->aliases[i];
    a->request.alias_count = kept;
    for (unsigned i = 0; i < length; i++) {
        uint64_t how = ptl_rng_below(rng, 3);
        if (how == 1) {
            for (unsigned k = 1; k < SAMPLING_SCHEMES; k++) a->schemes[i][k] = all[ptl_rng_below(rng, count)];
            a->lists[i].count = SAMPLING_SCHEMES;
        }
        if (how == 2) a->lists[i] = (ptl_scheme_list){all, count};
    }
}

#endif
