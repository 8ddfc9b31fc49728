#include "algebra/distinguish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/distinguish_lp.h"
#include "base/interrupt.h"

#define PAIRS_MAX (1u << 20)

/* A set of schemes as the search sees it: the ports that it uses under a and under b. */
typedef struct unions {
    ptl_ports a, b;
    uint32_t parent; /* the set without its last scheme; itself for single schemes */
    uint32_t scheme; /* the last one, as an index into the pairs */
} unions;

typedef struct search {
    const ptl_pairs* p;
    double threshold; /* 2 epsilon */
    double floor_a, floor_b;
    unions* nodes;
    uint32_t count, capacity;
    uint32_t singles; /* the first nodes: one for each distinct pair of port sets */
    uint32_t* table;  /* open addressing: index + 1 into nodes */
    size_t slots;
    bool cut;
    uint32_t best;
    double best_gap;
} search;

bool ptl_pairs_two_level(const ptl_pairs* p) {
    for (size_t i = 0; i < p->count; i++) {
        const ptl_usage* both[] = {&p->a->schemes[p->in_a[i]], &p->b->schemes[p->in_b[i]]};
        for (int m = 0; m < 2; m++)
            if (both[m]->uop_count != 1 || both[m]->uops[0].count != 1 || both[m]->slots != 1 ||
                both[m]->unit)
                return false;
    }
    return true;
}

/* v_M(S) for a set with that union. */
static double value(ptl_ports ports, double rmax) {
    double v = 1.0 / ptl_ports_count(ports);
    return rmax > 0 && v < 1 / rmax ? 1 / rmax : v;
}

/* v only falls when S grows, but never below its value for all schemes: a set from which no gap can be
 * reached any more is not continued. */
static bool hopeless(const search* s, ptl_ports a, ptl_ports b) {
    double va = value(a, s->p->a->rmax), vb = value(b, s->p->b->rmax);
    return fmax(va - s->floor_b, vb - s->floor_a) <= s->threshold;
}

static double gap(const search* s, const unions* u) {
    return fabs(value(u->a, s->p->a->rmax) - value(u->b, s->p->b->rmax));
}

static size_t place(const search* s, ptl_ports a, ptl_ports b) {
    uint64_t h = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(h >> 20) & (s->slots - 1);
    while (s->table[i] && (s->nodes[s->table[i] - 1].a != a || s->nodes[s->table[i] - 1].b != b))
        i = (i + 1) & (s->slots - 1);
    return i;
}

static bool grow(search* s) {
    uint32_t capacity = s->capacity ? s->capacity * 2 : 1024;
    if (capacity > PAIRS_MAX) {
        s->cut = true;
        return true;
    }
    unions* nodes = realloc(s->nodes, capacity * sizeof *nodes);
    if (!nodes) return false;
    s->nodes = nodes;
    uint32_t* table = calloc((size_t)capacity * 2, sizeof *table);
    if (!table) return false;
    free(s->table);
    s->table = table;
    s->slots = (size_t)capacity * 2;
    s->capacity = capacity;
    for (uint32_t i = 0; i < s->count; i++) s->table[place(s, nodes[i].a, nodes[i].b)] = i + 1;
    return true;
}

/* Enters a set unless its unions are known. False: no memory. */
static bool enter(search* s, unions u) {
    if (s->count == s->capacity && !grow(s)) return false;
    if (s->count == s->capacity) return true; /* cut */
    size_t i = place(s, u.a, u.b);
    if (s->table[i]) return true;
    if (u.parent == UINT32_MAX) u.parent = s->count;
    s->nodes[s->count] = u;
    s->table[i] = ++s->count;
    double g = gap(s, &u);
    if (g > s->best_gap) s->best_gap = g, s->best = s->count - 1;
    return true;
}

/* The largest gap among the smallest sets that have one above the threshold. */
static ptl_status run(search* s, ptl_error* error) {
    const ptl_pairs* p = s->p;
    for (uint32_t i = 0; i < p->count; i++) {
        unions u = {p->a->schemes[p->in_a[i]].uops[0].ports, p->b->schemes[p->in_b[i]].uops[0].ports,
                    UINT32_MAX, i};
        if (!enter(s, u)) return ptl_no_memory(error, "to compare");
    }
    s->singles = s->count;
    uint32_t from = 0, to = s->count;
    while (from < to && s->best_gap <= s->threshold) {
        for (uint32_t i = from; i < to; i++) {
            if (ptl_interrupted()) return ptl_fail(error, PTL_INTERRUPTED, NULL, NULL, "interrupted");
            if (hopeless(s, s->nodes[i].a, s->nodes[i].b)) continue;
            for (uint32_t j = 0; j < s->singles; j++) {
                unions u = {s->nodes[i].a | s->nodes[j].a, s->nodes[i].b | s->nodes[j].b, i,
                            s->nodes[j].scheme};
                if (!enter(s, u)) return ptl_no_memory(error, "to compare");
            }
        }
        from = to;
        to = s->count;
    }
    return PTL_OK;
}

/* The base point of the best set under the mapping with the smaller v. */
static ptl_status base_point(const search* s, ptl_arena* arena, ptl_experiment* e, ptl_error* error) {
    const unions* end = &s->nodes[s->best];
    bool under_a = value(end->a, s->p->a->rmax) < value(end->b, s->p->b->rmax);
    e->size = 0;
    e->terms = ptl_arena_array(arena, PTL_PORTS_MAX, sizeof *e->terms);
    if (!e->terms) return ptl_no_memory(error, "to compare");
    ptl_ports seen = 0;
    for (uint32_t i = s->best;; i = s->nodes[i].parent) {
        uint32_t scheme = s->nodes[i].scheme;
        ptl_ports ports = under_a ? s->p->a->schemes[s->p->in_a[scheme]].uops[0].ports
                                  : s->p->b->schemes[s->p->in_b[scheme]].uops[0].ports;
        unsigned adds = ptl_ports_count(ports & ~seen);
        if (adds) e->terms[e->size++] = (ptl_term){s->p->in_a[scheme], adds};
        seen |= ports;
        if (s->nodes[i].parent == i) break;
    }
    ptl_experiment_canonical(e);
    return PTL_OK;
}

ptl_status ptl_distinguish_two_level(const ptl_pairs* p, double epsilon, ptl_arena* arena,
                                     ptl_distinction* out, ptl_error* error) {
    *out = (ptl_distinction){0};
    search s = {.p = p, .threshold = 2 * epsilon + PTL_CPI_ROUNDING};
    ptl_ports all_a = 0, all_b = 0;
    for (size_t i = 0; i < p->count; i++) {
        all_a |= p->a->schemes[p->in_a[i]].uops[0].ports;
        all_b |= p->b->schemes[p->in_b[i]].uops[0].ports;
    }
    s.floor_a = value(all_a, p->a->rmax);
    s.floor_b = value(all_b, p->b->rmax);
    ptl_status status = run(&s, error);
    out->examined = s.count;
    out->found = s.best_gap > s.threshold;
    out->complete = !status && (out->found || !s.cut);
    if (out->found && (!status || status == PTL_INTERRUPTED)) {
        status = base_point(&s, arena, &out->experiment, error);
        if (!status) status = ptl_both_cycles(p, &out->experiment, &out->cycles_a, &out->cycles_b, error);
    }
    free(s.nodes);
    free(s.table);
    return status;
}

ptl_status ptl_distinguish(const ptl_pairs* p, double epsilon, uint64_t seed, ptl_arena* arena,
                           ptl_distinction* out, ptl_error* error) {
    ptl_status s = ptl_pairs_two_level(p) ? ptl_distinguish_two_level(p, epsilon, arena, out, error)
                                          : ptl_distinguish_by_sampling(p, epsilon, seed, arena, out, error);
    if (s || out->complete) return s;
    uint64_t before = out->examined;
    s = ptl_distinguish_by_lp(p, epsilon, arena, out, error);
    out->examined += before;
    return s;
}
