/* Every scheme of 64-bit mode, by decoding the opcode space. */
#include <stdlib.h>

#include "isa/x86_64/opcode_space.h"
#include "isa/x86_64/x86_64.h"
#include "isa/x86_64/x86_scheme.h"

/* A table of the instruction forms that were met. */
typedef struct slots {
    uint64_t* keys; /* 0: free */
    size_t size;    /* a power of two */
    size_t used;
} slots;

typedef struct walk {
    ptl_scheme_visit* visit;
    void* context;
    ZydisDecoder decoder;
    slots forms;
    unsigned sets;
    bool stopped;
} walk;

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
    return x ^ (x >> 29);
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
    case ZYDIS_INSTRUCTION_ENCODING_3DNOW: return (sets & PTL_X86_LEGACY) != 0;
    case ZYDIS_INSTRUCTION_ENCODING_VEX:
    case ZYDIS_INSTRUCTION_ENCODING_XOP: return (sets & PTL_X86_VEX) != 0;
    case ZYDIS_INSTRUCTION_ENCODING_EVEX: return (sets & PTL_X86_EVEX) != 0;
    default: return false;
    }
}

static bool visit_code(void* context, const uint8_t* bytes, size_t size) {
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
        w->stopped = true;
    else if (ZYAN_SUCCESS(
                 ZydisDecoderDecodeOperands(&w->decoder, &decoder_context, &i, operands, i.operand_count)) &&
             ptl_scheme_from_decoded(&i, operands, &s))
        w->stopped = !w->visit(w->context, &s);
    return !w->stopped;
}

bool ptl_x86_each_scheme(unsigned sets, ptl_scheme_visit* visit, void* context) {
    walk w = {.visit = visit, .context = context, .sets = sets};
    ZydisDecoderInit(&w.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (sets & PTL_X86_LEGACY) ptl_walk_legacy(visit_code, &w);
    if ((sets & PTL_X86_VEX) && !w.stopped) ptl_walk_vex(visit_code, &w);
    if ((sets & PTL_X86_EVEX) && !w.stopped) ptl_walk_evex(visit_code, &w);
    free(w.forms.keys);
    return !w.stopped;
}
