#include "algebra/congruence.h"

#include <stdlib.h>
#include <string.h>

/* A scheme while sorting. */
typedef struct entry {
    const ptl_usage* usage;
    uint32_t index;
    uint32_t slots; /* 0 where they do not matter */
} entry;

static int by_name(const void* a, const void* b) {
    return strcmp(((const entry*)a)->usage->name, ((const entry*)b)->usage->name);
}

static int by_usage(const entry* x, const entry* y) {
    const ptl_usage *u = x->usage, *v = y->usage;
    if (x->slots != y->slots) return x->slots < y->slots ? -1 : 1;
    if (u->unit != v->unit) return u->unit < v->unit ? -1 : 1;
    if (u->busy != v->busy) return u->busy < v->busy ? -1 : 1;
    if (u->uop_count != v->uop_count) return u->uop_count < v->uop_count ? -1 : 1;
    for (uint32_t j = 0; j < u->uop_count; j++) {
        if (u->uops[j].ports != v->uops[j].ports) return u->uops[j].ports < v->uops[j].ports ? -1 : 1;
        if (u->uops[j].count != v->uops[j].count) return u->uops[j].count < v->uops[j].count ? -1 : 1;
    }
    return 0;
}

static int by_usage_then_name(const void* a, const void* b) {
    int order = by_usage(a, b);
    return order ? order : by_name(a, b);
}

/* Numbers the classes in the order in which the names meet them. leader: per scheme the first of its class.
 */
static void number(ptl_congruence* c, const uint32_t* leader) {
    for (size_t i = 0; i < c->known; i++) {
        uint32_t scheme = c->by_name[i], first = leader[scheme];
        if (first == scheme) {
            c->first[c->count] = scheme;
            c->class_of[scheme] = c->count++;
        } else {
            c->class_of[scheme] = c->class_of[first]; /* a class's first scheme comes first by name */
        }
    }
}

ptl_status ptl_congruence_find(const ptl_mapping* m, bool slots, ptl_arena* arena, ptl_congruence* out,
                               ptl_error* error) {
    size_t n = m->scheme_count + 1;
    entry* list = ptl_arena_array(arena, n, sizeof *list);
    uint32_t* leader = ptl_arena_array(arena, n, sizeof *leader);
    *out = (ptl_congruence){.by_name = ptl_arena_array(arena, n, sizeof *out->by_name),
                            .class_of = ptl_arena_array(arena, n, sizeof *out->class_of),
                            .first = ptl_arena_array(arena, n, sizeof *out->first)};
    if (!list || !leader || !out->by_name || !out->class_of || !out->first)
        return ptl_no_memory(error, "to find congruent schemes");
    for (uint32_t i = 0; i < m->scheme_count; i++) {
        out->class_of[i] = PTL_NO_CLASS;
        if (m->schemes[i].known)
            list[out->known++] = (entry){&m->schemes[i], i, slots ? m->schemes[i].slots : 0};
    }
    if (out->known > 1) qsort(list, out->known, sizeof *list, by_name);
    for (size_t i = 0; i < out->known; i++) out->by_name[i] = list[i].index;
    if (out->known > 1) qsort(list, out->known, sizeof *list, by_usage_then_name);
    for (size_t i = 0; i < out->known; i++)
        leader[list[i].index] =
            i && !by_usage(&list[i - 1], &list[i]) ? leader[list[i - 1].index] : list[i].index;
    number(out, leader);
    return PTL_OK;
}
