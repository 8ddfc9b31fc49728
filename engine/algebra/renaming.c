#include "algebra/renaming.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

#define STEPS_MAX 20000

/* Colours of ports. Equal colours mean: not told apart so far. */
typedef struct colours {
    uint64_t a[PTL_PORTS_MAX], b[PTL_PORTS_MAX];
} colours;

typedef struct search {
    const ptl_pairs* p;
    ptl_ports used_a, used_b;
    unsigned steps;
} search;

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* One round for one mapping: a uop is what its scheme, its multiplicity and the colours of its ports say, a
 * port what it was and the uops on it. Sums make it independent of any order, hence of names. */
static void recolour(const ptl_mapping* m, const uint32_t* schemes, size_t count, uint64_t* colour) {
    uint64_t next[PTL_PORTS_MAX];
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++) next[k] = mix(colour[k] + 1);
    for (size_t i = 0; i < count; i++) {
        const ptl_usage* u = &m->schemes[schemes[i]];
        for (uint32_t j = 0; j < u->uop_count; j++) {
            uint64_t sign = mix(i * 2654435761u + u->uops[j].count);
            for (ptl_ports s = u->uops[j].ports; s; s &= s - 1)
                sign += mix(colour[__builtin_ctz(s)] ^ 0x5bd1e995);
            for (ptl_ports s = u->uops[j].ports; s; s &= s - 1) next[__builtin_ctz(s)] += mix(sign);
        }
    }
    memcpy(colour, next, sizeof next);
}

static unsigned sorted_colours(const uint64_t* colour, ptl_ports used, uint64_t* out) {
    unsigned n = 0;
    for (; used; used &= used - 1) out[n++] = colour[__builtin_ctz(used)];
    qsort(out, n, sizeof *out, ptl_ascending_longs);
    return n;
}

static unsigned classes(const uint64_t* sorted, unsigned n) {
    unsigned count = n > 0;
    for (unsigned i = 1; i < n; i++) count += sorted[i] != sorted[i - 1];
    return count;
}

/* Refines until nothing more is told apart. False when the two mappings' colours differ. */
static bool refine(const search* s, colours* c) {
    unsigned before = 0;
    for (;;) {
        uint64_t a[PTL_PORTS_MAX], b[PTL_PORTS_MAX];
        unsigned n = sorted_colours(c->a, s->used_a, a);
        if (sorted_colours(c->b, s->used_b, b) != n || memcmp(a, b, n * sizeof *a)) return false;
        unsigned now = classes(a, n);
        if (now == before) return true;
        before = now;
        recolour(s->p->a, s->p->in_a, s->p->count, c->a);
        recolour(s->p->b, s->p->in_b, s->p->count, c->b);
    }
}

ptl_ports ptl_renamed(const ptl_renaming* r, ptl_ports p) {
    ptl_ports out = 0;
    for (; p; p &= p - 1) {
        int to = r->port[__builtin_ctz(p)];
        if (to != PTL_NO_PORT) out |= UINT32_C(1) << to;
    }
    return out;
}

bool ptl_renaming_matches(const ptl_renaming* r, const ptl_pairs* p, size_t i) {
    const ptl_usage *x = &p->a->schemes[p->in_a[i]], *y = &p->b->schemes[p->in_b[i]];
    if (x->uop_count != y->uop_count) return false;
    for (uint32_t j = 0; j < x->uop_count; j++) {
        ptl_ports wanted = ptl_renamed(r, x->uops[j].ports);
        if (ptl_ports_count(wanted) != ptl_ports_count(x->uops[j].ports)) return false;
        uint32_t k = 0; /* port sets are distinct within a scheme, so finding each of them once is enough */
        while (k < y->uop_count && y->uops[k].ports != wanted) k++;
        if (k == y->uop_count || y->uops[k].count != x->uops[j].count) return false;
    }
    return true;
}

static size_t count_matching(const ptl_renaming* r, const ptl_pairs* p) {
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) n += ptl_renaming_matches(r, p, i);
    return n;
}

/* Every port of a goes to the first free port of b with its colour. */
static void read_off(const search* s, const colours* c, ptl_renaming* out) {
    ptl_ports open = s->used_b;
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++) {
        out->port[k] = PTL_NO_PORT;
        if (!(s->used_a >> k & 1)) continue;
        for (ptl_ports q = open; q && out->port[k] == PTL_NO_PORT; q &= q - 1)
            if (c->b[__builtin_ctz(q)] == c->a[k]) out->port[k] = __builtin_ctz(q);
        if (out->port[k] != PTL_NO_PORT) open &= ~(UINT32_C(1) << out->port[k]);
    }
}

/* A port of a that shares its colour with another one; all of them when there is none. */
static unsigned shared_colour(const search* s, const colours* c) {
    for (ptl_ports p = s->used_a; p; p &= p - 1)
        for (ptl_ports q = p & (p - 1); q; q &= q - 1)
            if (c->a[__builtin_ctz(p)] == c->a[__builtin_ctz(q)]) return (unsigned)__builtin_ctz(p);
    return PTL_PORTS_MAX;
}

/* Individualisation and refinement: where colours tell all ports apart, or it does not matter which of the
 * alike ones is which, they are the renaming; otherwise one port of a is given in turn to each port of b that
 * looks like it. */
static bool descend(search* s, colours* c, ptl_renaming* out) {
    if (s->steps++ >= STEPS_MAX || !refine(s, c)) return false;
    read_off(s, c, out);
    if (count_matching(out, s->p) == s->p->count) return true;
    unsigned k = shared_colour(s, c);
    if (k == PTL_PORTS_MAX) return false;
    for (ptl_ports q = s->used_b; q; q &= q - 1) {
        unsigned to = (unsigned)__builtin_ctz(q);
        if (c->b[to] != c->a[k]) continue;
        colours deeper = *c;
        deeper.a[k] = deeper.b[to] = mix(c->a[k] ^ 0x9e3779b97f4a7c15u);
        if (descend(s, &deeper, out)) return true;
    }
    return false;
}

static ptl_ports used_ports(const ptl_mapping* m, const uint32_t* schemes, size_t count) {
    ptl_ports used = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < m->schemes[schemes[i]].uop_count; j++)
            used |= m->schemes[schemes[i]].uops[j].ports;
    return used;
}

ptl_status ptl_renaming_search(const ptl_pairs* p, ptl_renaming* out, bool* found, ptl_error* error) {
    search s = {
        .p = p, .used_a = used_ports(p->a, p->in_a, p->count), .used_b = used_ports(p->b, p->in_b, p->count)};
    colours c = {0};
    *found = descend(&s, &c, out);
    if (!*found && s.steps > STEPS_MAX)
        return ptl_fail(error, PTL_LIMIT, NULL, NULL,
                        "undecided whether the mappings are equal up to port names");
    return PTL_OK;
}

typedef struct named {
    const char* name;
    uint32_t index;
} named;

static int by_name(const void* a, const void* b) {
    return strcmp(((const named*)a)->name, ((const named*)b)->name);
}

static named* explained(const ptl_mapping* m, ptl_arena* arena, size_t* count) {
    named* list = ptl_arena_array(arena, m->scheme_count + 1, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; list && i < m->scheme_count; i++)
        if (m->schemes[i].known) list[n++] = (named){m->schemes[i].name, (uint32_t)i};
    if (list) qsort(list, n, sizeof *list, by_name);
    *count = n;
    return list;
}

ptl_status ptl_pairs_find(ptl_pairs* p, const ptl_mapping* a, const ptl_mapping* b, ptl_arena* arena,
                          ptl_error* error) {
    size_t na, nb, i = 0, j = 0;
    named *x = explained(a, arena, &na), *y = explained(b, arena, &nb);
    *p = (ptl_pairs){.a = a, .b = b};
    p->in_a = ptl_arena_array(arena, na + 1, sizeof *p->in_a);
    p->in_b = ptl_arena_array(arena, na + 1, sizeof *p->in_b);
    if (!x || !y || !p->in_a || !p->in_b) return ptl_no_memory(error, "to compare");
    while (i < na && j < nb) {
        int order = strcmp(x[i].name, y[j].name);
        if (order == 0) {
            p->in_a[p->count] = x[i].index;
            p->in_b[p->count++] = y[j].index;
        }
        i += order <= 0;
        j += order >= 0;
    }
    p->only_a = na - p->count;
    p->only_b = nb - p->count;
    return PTL_OK;
}
