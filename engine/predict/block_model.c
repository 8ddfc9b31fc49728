#include "predict/block_model.h"

#include <string.h>

typedef struct ptl_block_name {
    const char* text;
    uint32_t scheme;
} ptl_block_name;

static uint32_t hash(const char* text) { /* FNV-1a */
    uint32_t h = UINT32_C(2166136261);
    for (; *text; text++) h = (h ^ (uint8_t)*text) * UINT32_C(16777619);
    return h;
}

/* Returns the slot where the name is in the table, or would be. */
static uint32_t* slot_of(const ptl_block_model* m, const char* name) {
    uint32_t at = hash(name) & m->slot_mask;
    while (m->slots[at] != PTL_NO_SCHEME && strcmp(m->names[m->slots[at]].text, name))
        at = (at + 1) & m->slot_mask;
    return &m->slots[at];
}

static void enter(ptl_block_model* m, const char* name, uint32_t scheme) {
    uint32_t* slot = slot_of(m, name);
    if (*slot != PTL_NO_SCHEME || m->name_count == m->name_capacity) return;
    m->names[m->name_count] = (ptl_block_name){name, scheme};
    *slot = m->name_count++;
}

/* Of the first scheme that is one of an architecture's; names may be anybody's. */
static const ptl_architecture* architecture_of(const ptl_mapping* mapping) {
    ptl_scheme scheme;
    for (uint32_t i = 0; i < mapping->scheme_count; i++)
        if (!ptl_scheme_from_name(mapping->schemes[i].name, &scheme, NULL)) return scheme.architecture;
    return ptl_architecture_default();
}

ptl_status ptl_block_model_new(ptl_block_model* m, const ptl_mapping* mapping, size_t further_names,
                               ptl_error* error) {
    *m = (ptl_block_model){.mapping = mapping, .architecture = architecture_of(mapping)};
    size_t names = mapping->scheme_count + further_names, slots = 16;
    if (names > UINT32_MAX / 4) return ptl_no_memory(error, "for so many schemes");
    while (slots < 2 * names) slots *= 2;
    m->facts = ptl_arena_array(&m->arena, mapping->scheme_count + 1, sizeof *m->facts);
    m->names = ptl_arena_array(&m->arena, names + 1, sizeof *m->names);
    m->slots = ptl_arena_array(&m->arena, slots, sizeof *m->slots);
    if (!m->facts || !m->names || !m->slots) {
        ptl_block_model_free(m);
        return ptl_no_memory(error, "for a model of blocks");
    }
    for (ptl_shape k = 0; k < PTL_SHAPES; k++) m->shapes[k] = (ptl_shape_cost){.unit = PTL_NO_UNIT};
    m->awaited = (ptl_shape_cost){.unit = PTL_NO_UNIT};
    for (int k = 0; k < PTL_CODE_KINDS; k++) m->renaming[k] = PTL_MEMORY_RENAMED;
    m->slot_mask = (uint32_t)slots - 1;
    m->name_capacity = (uint32_t)names;
    memset(m->slots, 0xFF, slots * sizeof *m->slots);
    for (uint32_t i = 0; i < mapping->scheme_count; i++) {
        m->facts[i] = PTL_BLOCK_FACTS_NONE;
        enter(m, mapping->schemes[i].name, i);
    }
    return PTL_OK;
}

static bool in_range(double cycles) {
    return cycles >= 0 && cycles <= PTL_LATENCY_MAX;
}

static bool are_latencies(const ptl_block_facts* f) {
    for (uint32_t i = 0; i < f->latency_count; i++) {
        const ptl_latency* l = &f->latencies[i];
        if (l->from >= PTL_NO_PLACE || l->to >= PTL_NO_PLACE || !in_range(l->cycles)) return false;
        if (l->has_same && !in_range(l->same)) return false;
    }
    return true;
}

static ptl_status check(const ptl_block_model* m, const char* name, const ptl_block_facts* f,
                        ptl_error* error) {
    if (f->latency_count > PTL_LATENCIES_MAX || f->fused_count > PTL_FUSED_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, name, NULL, "more than %d latencies, or %d jumps",
                        PTL_LATENCIES_MAX, PTL_FUSED_MAX);
    bool right = are_latencies(f) && f->other_value <= PTL_LATENCY_MAX && f->other_address <= PTL_LATENCY_MAX;
    if (!right)
        return ptl_fail(error, PTL_BAD_INPUT, name, NULL,
                        "latencies are from 0 to %.0f cycles between places", PTL_LATENCY_MAX);
    if (f->other_form != PTL_NO_SCHEME && f->other_form >= m->mapping->scheme_count)
        return ptl_fail(error, PTL_BAD_INPUT, name, NULL, "no such scheme for its other form");
    if (f->unit != PTL_NO_UNIT && (f->unit >= m->unit_count || !in_range(f->unit_cycles)))
        return ptl_fail(error, PTL_BAD_INPUT, name, NULL, "a unit is busy for 0 to %.0f cycles",
                        PTL_LATENCY_MAX);
    return PTL_OK;
}

static const char* const* copy_words(ptl_block_model* m, const char* const* words, uint32_t count) {
    const char** copy = ptl_arena_array(&m->arena, count + 1, sizeof *copy);
    for (uint32_t i = 0; copy && i < count; i++) {
        copy[i] = ptl_arena_string(&m->arena, words[i]);
        if (!copy[i]) return NULL;
    }
    return copy;
}

ptl_status ptl_block_model_set(ptl_block_model* m, uint32_t scheme, const ptl_block_facts* facts,
                               ptl_error* error) {
    ptl_status s = check(m, m->mapping->schemes[scheme].name, facts, error);
    if (s) return s;
    ptl_latency* latencies = ptl_arena_array(&m->arena, facts->latency_count + 1, sizeof *latencies);
    const char* const* fused = copy_words(m, facts->fused, facts->fused_count);
    if (!latencies || !fused) return ptl_no_memory(error, "for a model of blocks");
    if (facts->latency_count) memcpy(latencies, facts->latencies, facts->latency_count * sizeof *latencies);
    m->facts[scheme] = *facts;
    m->facts[scheme].latencies = latencies;
    m->facts[scheme].fused = fused;
    return PTL_OK;
}

ptl_status ptl_block_model_stand_in(ptl_block_model* m, const char* name, uint32_t scheme, ptl_error* error) {
    const char* copy = ptl_arena_string(&m->arena, name);
    if (!copy) return ptl_no_memory(error, "for a model of blocks");
    enter(m, copy, scheme);
    return PTL_OK;
}

uint32_t ptl_block_model_find(const ptl_block_model* m, const char* name) {
    uint32_t at = *slot_of(m, name);
    return at == PTL_NO_SCHEME ? PTL_NO_SCHEME : m->names[at].scheme;
}

double ptl_block_latency(const ptl_block_facts* f, uint8_t from, uint8_t to, bool same, bool* waits) {
    bool address = ptl_place_is_address(from);
    if (waits) *waits = true;
    if (same && f->idiom && !address) {
        if (waits) *waits = false;
        return 0;
    }
    for (uint32_t i = 0; i < f->latency_count; i++) {
        const ptl_latency* l = &f->latencies[i];
        if (l->from != from || l->to != to) continue;
        bool by_same = same && l->has_same && !address;
        if (waits) *waits = by_same ? l->same > 0 : !l->independent;
        return by_same ? l->same : l->cycles;
    }
    return address ? f->other_address : f->other_value;
}

void ptl_block_model_free(ptl_block_model* m) {
    ptl_arena_release(&m->arena);
    *m = (ptl_block_model){0};
}
