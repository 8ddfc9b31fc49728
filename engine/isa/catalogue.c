#include "isa/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "isa/opcode_space.h"

/* A table of what was met: of instruction forms while walking, of names at the end. */
typedef struct slots {
    uint64_t* keys; /* 0: free */
    size_t size;    /* a power of two */
    size_t used;
} slots;

struct ptl_catalogue {
    ptl_scheme* schemes;
    size_t count, capacity;
    uint32_t* index; /* hash of the name -> position + 1; 0: free */
    size_t index_size;
    size_t conflicts;
};

typedef struct walk {
    ptl_catalogue* catalogue;
    ZydisDecoder decoder;
    slots forms;
    unsigned sets;
    bool out_of_memory;
} walk;

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
    return x ^ (x >> 29);
}

static uint64_t hash_name(const char* name) {
    uint64_t h = 0xCBF29CE484222325u;
    for (; *name; name++) h = (h ^ (uint8_t)*name) * 0x100000001B3u;
    return mix(h);
}

static bool slots_grow(slots* s) {
    slots bigger = {.size = s->size ? 2 * s->size : 1u << 14};
    bigger.keys = calloc(bigger.size, sizeof *bigger.keys);
    if (!bigger.keys) return false;
    for (size_t k = 0; k < s->size; k++) {
        if (!s->keys[k]) continue;
        size_t at = s->keys[k] & (bigger.size - 1);
        while (bigger.keys[at]) at = (at + 1) & (bigger.size - 1);
        bigger.keys[at] = s->keys[k];
    }
    bigger.used = s->used;
    free(s->keys);
    *s = bigger;
    return true;
}

/* 1: new, 0: known, -1: no memory. */
static int slots_add(slots* s, uint64_t key) {
    if (2 * s->used >= s->size && !slots_grow(s)) return -1;
    size_t at = key & (s->size - 1);
    while (s->keys[at]) {
        if (s->keys[at] == key) return 0;
        at = (at + 1) & (s->size - 1);
    }
    s->keys[at] = key;
    s->used++;
    return 1;
}

/* Everything that can make two decoded instructions different schemes. The decoder's definition of the
 * instruction (a pointer that is only compared here) settles all but what prefixes and EVEX bits add; with it
 * the walk needs to decode operands only once per form. */
static uint64_t form_key(const ZydisDecoderContext* context, const ZydisDecodedInstruction* i) {
    const ZydisInstructionAttributes prefixes =
        ZYDIS_ATTRIB_HAS_LOCK | ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
    uint64_t h = mix((uint64_t)(uintptr_t)context->definition);
    h = mix(h + (i->attributes & prefixes));
    h = mix(h + ((uint64_t)i->operand_width << 40 | (uint64_t)i->avx.vector_length << 24 |
                 (uint64_t)i->avx.mask.mode << 16 | (uint64_t)i->avx.broadcast.mode << 8 |
                 (uint64_t)(i->avx.rounding.mode != 0) << 1 | (uint64_t)(i->avx.has_sae != 0)));
    return h ? h : 1;
}

static bool is_wanted(const ZydisDecodedInstruction* i, unsigned sets) {
    /* Hints that may stand before an instruction without changing what it computes make no schemes of the
     * catalogue. */
    if (i->attributes & (ZYDIS_ATTRIB_HAS_BND | ZYDIS_ATTRIB_HAS_NOTRACK | ZYDIS_ATTRIB_HAS_XACQUIRE |
                         ZYDIS_ATTRIB_HAS_XRELEASE))
        return false;
    switch (i->encoding) {
    case ZYDIS_INSTRUCTION_ENCODING_LEGACY:
    case ZYDIS_INSTRUCTION_ENCODING_3DNOW: return (sets & PTL_SET_LEGACY) != 0;
    case ZYDIS_INSTRUCTION_ENCODING_VEX:
    case ZYDIS_INSTRUCTION_ENCODING_XOP: return (sets & PTL_SET_VEX) != 0;
    case ZYDIS_INSTRUCTION_ENCODING_EVEX: return (sets & PTL_SET_EVEX) != 0;
    default: return false;
    }
}

static bool append(ptl_catalogue* c, const ptl_scheme* s) {
    if (c->count == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 4096;
        ptl_scheme* bigger = realloc(c->schemes, capacity * sizeof *bigger);
        if (!bigger) return false;
        c->schemes = bigger;
        c->capacity = capacity;
    }
    c->schemes[c->count++] = *s;
    return true;
}

static bool visit(void* context, const uint8_t* bytes, size_t size) {
    walk* w = context;
    ZydisDecoderContext decoder_context;
    ZydisDecodedInstruction i;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&w->decoder, &decoder_context, bytes, size, &i)))
        return true;
    if (!is_wanted(&i, w->sets)) return true;
    int added = slots_add(&w->forms, form_key(&decoder_context, &i));
    if (added == 0) return true;
    ptl_scheme s;
    if (added < 0)
        w->out_of_memory = true;
    else if (ZYAN_SUCCESS(
                 ZydisDecoderDecodeOperands(&w->decoder, &decoder_context, &i, operands, i.operand_count)) &&
             ptl_scheme_from_decoded(&i, operands, &s) && !append(w->catalogue, &s))
        w->out_of_memory = true;
    return !w->out_of_memory;
}

static int by_name(const void* a, const void* b) {
    return strcmp(((const ptl_scheme*)a)->name, ((const ptl_scheme*)b)->name);
}

/* Sorted, one scheme per name. */
static void merge_encodings(ptl_catalogue* c) {
    if (c->count) qsort(c->schemes, c->count, sizeof *c->schemes, by_name);
    size_t kept = 0;
    for (size_t k = 0; k < c->count; k++) {
        if (kept && !strcmp(c->schemes[kept - 1].name, c->schemes[k].name))
            c->conflicts += memcmp(&c->schemes[kept - 1], &c->schemes[k], sizeof *c->schemes) != 0;
        else
            c->schemes[kept++] = c->schemes[k];
    }
    c->count = kept;
}

static bool build_index(ptl_catalogue* c) {
    c->index_size = 1024;
    while (c->index_size < 2 * c->count) c->index_size *= 2;
    c->index = calloc(c->index_size, sizeof *c->index);
    if (!c->index) return false;
    for (size_t k = 0; k < c->count; k++) {
        size_t at = hash_name(c->schemes[k].name) & (c->index_size - 1);
        while (c->index[at]) at = (at + 1) & (c->index_size - 1);
        c->index[at] = (uint32_t)(k + 1);
    }
    return true;
}

static bool fill(ptl_catalogue* c, unsigned sets) {
    walk w = {.catalogue = c, .sets = sets};
    ZydisDecoderInit(&w.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (sets & PTL_SET_LEGACY) ptl_walk_legacy(visit, &w);
    if ((sets & PTL_SET_VEX) && !w.out_of_memory) ptl_walk_vex(visit, &w);
    if ((sets & PTL_SET_EVEX) && !w.out_of_memory) ptl_walk_evex(visit, &w);
    free(w.forms.keys);
    if (w.out_of_memory) return false;
    merge_encodings(c);
    return build_index(c);
}

ptl_status ptl_catalogue_new(ptl_catalogue** out, unsigned sets, ptl_error* error) {
    *out = NULL;
    ptl_catalogue* c = calloc(1, sizeof *c);
    if (!c || !fill(c, sets)) {
        ptl_catalogue_free(c);
        return ptl_no_memory(error, "for the catalogue of instruction schemes");
    }
    *out = c;
    return PTL_OK;
}

void ptl_catalogue_free(ptl_catalogue* c) {
    if (!c) return;
    free(c->schemes);
    free(c->index);
    free(c);
}

size_t ptl_catalogue_count(const ptl_catalogue* c) {
    return c->count;
}

const ptl_scheme* ptl_catalogue_at(const ptl_catalogue* c, size_t index) {
    return index < c->count ? &c->schemes[index] : NULL;
}

const ptl_scheme* ptl_catalogue_find(const ptl_catalogue* c, const char* name) {
    size_t at = hash_name(name) & (c->index_size - 1);
    for (; c->index[at]; at = (at + 1) & (c->index_size - 1)) {
        const ptl_scheme* s = &c->schemes[c->index[at] - 1];
        if (!strcmp(s->name, name)) return s;
    }
    return NULL;
}

size_t ptl_catalogue_conflicts(const ptl_catalogue* c) {
    return c->conflicts;
}
