/* The closest correspondence of the ports of two mappings that differ: assignments of port columns, and from
 * there exchanges of ports as long as they help. */
#include <stdlib.h>
#include <string.h>

#include "algebra/assignment.h"
#include "algebra/congruence.h"
#include "algebra/renaming.h"

/* Exchanges of three times kinds of schemes, beyond which only two are exchanged: part of a second. */
#define TRIPLES_MAX 4e6

/* Common schemes whose usages are the same in both mappings, as one. */
typedef struct kind {
    uint32_t class_a, class_b;
    uint32_t pair; /* one of them */
    uint32_t weight;
} kind;

typedef struct work {
    const ptl_pairs* p;
    kind* kinds;
    size_t kind_count;
    unsigned size; /* of the problem: the larger number of ports; the other mapping gets ports without uops */
    /* per port of a and of b: what giving the one to the other costs */
    double edges[PTL_PORTS_MAX * PTL_PORTS_MAX];  /* scheme-port edges that only one of them has */
    double shares[PTL_PORTS_MAX * PTL_PORTS_MAX]; /* the same, a uop on n ports being 1/n on each */
    double
        by_name[PTL_PORTS_MAX * PTL_PORTS_MAX]; /* edges, once those of equal names are given to each other */
} work;

/* Holds where a port of a goes: to a port of b, or to none (numbers from b's port count on). */
typedef struct attempt {
    int to[PTL_PORTS_MAX];
    size_t matching; /* schemes with the same usage: the more the better */
    double edges;    /* among equals: the fewer the better */
    unsigned names;  /* among these: ports that keep their names */
} attempt;

static int by_classes(const void* a, const void* b) {
    const kind *x = a, *y = b;
    if (x->class_a != y->class_a) return x->class_a < y->class_a ? -1 : 1;
    return (x->class_b > y->class_b) - (x->class_b < y->class_b);
}

static ptl_status find_kinds(work* w, ptl_arena* arena, ptl_error* error) {
    const ptl_pairs* p = w->p;
    ptl_congruence a, b;
    ptl_status s = ptl_congruence_find(p->a, false, arena, &a, error);
    if (!s) s = ptl_congruence_find(p->b, false, arena, &b, error);
    if (s) return s;
    kind* k = w->kinds = ptl_arena_array(arena, p->count + 1, sizeof *k);
    if (!k) return ptl_no_memory(error, "to compare");
    for (uint32_t i = 0; i < p->count; i++)
        k[i] = (kind){a.class_of[p->in_a[i]], b.class_of[p->in_b[i]], i, 1};
    if (p->count > 1) qsort(k, p->count, sizeof *k, by_classes);
    for (size_t i = 0; i < p->count; i++) {
        if (w->kind_count && !by_classes(&k[w->kind_count - 1], &k[i]))
            k[w->kind_count - 1].weight++;
        else
            k[w->kind_count++] = k[i];
    }
    return PTL_OK;
}

/* The columns of a usage: per port its uops there, and its uops there each divided by its number of ports. */
static void columns(const ptl_usage* u, double* edges, double* shares) {
    memset(edges, 0, PTL_PORTS_MAX * sizeof *edges);
    memset(shares, 0, PTL_PORTS_MAX * sizeof *shares);
    for (uint32_t j = 0; j < u->uop_count; j++)
        for (ptl_ports s = u->uops[j].ports; s; s &= s - 1) {
            edges[__builtin_ctz(s)] += u->uops[j].count;
            shares[__builtin_ctz(s)] += (double)u->uops[j].count / ptl_ports_count(u->uops[j].ports);
        }
}

static double apart(double x, double y) {
    return x < y ? y - x : x - y;
}

static bool same_name(const ptl_pairs* p, unsigned x, unsigned y) {
    return x < p->a->port_count && y < p->b->port_count && !strcmp(p->a->ports[x], p->b->ports[y]);
}

static void measure(work* w) {
    const ptl_pairs* p = w->p;
    unsigned n = w->size;
    double all = 1;
    for (size_t i = 0; i < w->kind_count; i++) {
        double edges_a[PTL_PORTS_MAX], shares_a[PTL_PORTS_MAX], edges_b[PTL_PORTS_MAX],
            shares_b[PTL_PORTS_MAX];
        columns(&p->a->schemes[p->in_a[w->kinds[i].pair]], edges_a, shares_a);
        columns(&p->b->schemes[p->in_b[w->kinds[i].pair]], edges_b, shares_b);
        for (unsigned x = 0; x < n; x++)
            for (unsigned y = 0; y < n; y++) {
                w->edges[x * n + y] += w->kinds[i].weight * apart(edges_a[x], edges_b[y]);
                w->shares[x * n + y] += w->kinds[i].weight * apart(shares_a[x], shares_b[y]);
            }
    }
    for (unsigned i = 0; i < n * n; i++) all += w->edges[i];
    for (unsigned x = 0; x < n; x++)
        for (unsigned y = 0; y < n; y++)
            w->by_name[x * n + y] = w->edges[x * n + y] - (same_name(p, x, y) ? all : 0);
}

static ptl_renaming renaming_of(const work* w, const attempt* t) {
    ptl_renaming r;
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++) r.port[k] = PTL_NO_PORT;
    for (unsigned x = 0; x < w->p->a->port_count; x++)
        if (t->to[x] < (int)w->p->b->port_count) r.port[x] = t->to[x];
    return r;
}

static void judge(const work* w, attempt* t) {
    ptl_renaming r = renaming_of(w, t);
    t->matching = 0;
    t->edges = 0;
    t->names = 0;
    for (size_t i = 0; i < w->kind_count; i++)
        if (ptl_renaming_matches(&r, w->p, w->kinds[i].pair)) t->matching += w->kinds[i].weight;
    for (unsigned x = 0; x < w->size; x++) {
        t->edges += w->edges[x * w->size + (unsigned)t->to[x]]; /* whole numbers: exact */
        t->names += same_name(w->p, x, (unsigned)t->to[x]);
    }
}

static bool better(const attempt* x, const attempt* y) {
    if (x->matching != y->matching) return x->matching > y->matching;
    if (x->edges != y->edges) return x->edges < y->edges;
    return x->names > y->names;
}

/* Keeps *best if the counterparts moved around the ports x -> y -> z are no better; z = y: an exchange of
 * two. */
static bool rotate(const work* w, attempt* best, unsigned x, unsigned y, unsigned z) {
    attempt other = *best;
    other.to[x] = best->to[y];
    other.to[y] = best->to[z];
    other.to[z] = best->to[x];
    judge(w, &other);
    if (!better(&other, best)) return false;
    *best = other;
    return true;
}

/* Tries all exchanges of three; true as soon as one helps. */
static bool rotate_three(const work* w, attempt* best) {
    for (unsigned x = 0; x < w->size; x++)
        for (unsigned y = 0; y < w->size; y++)
            for (unsigned z = 0; z < w->size; z++)
                if (x != y && y != z && x != z && rotate(w, best, x, y, z)) return true;
    return false;
}

/* Exchanges the counterparts of two ports, and where that does not help those of three, as long as something
 * does. */
static void improve(const work* w, attempt* best) {
    double triples = (double)w->size * w->size * w->size * (double)w->kind_count;
    for (bool moved = true; moved;) {
        moved = false;
        for (unsigned x = 0; x < w->size; x++)
            for (unsigned y = 0; y < x; y++) moved = rotate(w, best, x, y, y) || moved;
        if (!moved && triples <= TRIPLES_MAX) moved = rotate_three(w, best);
    }
}

ptl_status ptl_renaming_closest(const ptl_pairs* p, ptl_renaming* out, size_t* matching, ptl_error* error) {
    ptl_arena arena = PTL_ARENA_EMPTY;
    work* w = ptl_arena_alloc(&arena, sizeof *w);
    if (!w) return ptl_no_memory(error, "to compare");
    w->p = p;
    w->size = p->a->port_count > p->b->port_count ? p->a->port_count : p->b->port_count;
    ptl_status s = find_kinds(w, &arena, error);
    if (!s) {
        measure(w);
        const double* starts[] = {w->by_name, w->shares, w->edges};
        attempt best = {0};
        for (int i = 0; i < 3; i++) {
            attempt t;
            ptl_assignment(starts[i], w->size, w->size, t.to);
            judge(w, &t);
            improve(w, &t);
            if (i == 0 || better(&t, &best)) best = t;
        }
        *out = renaming_of(w, &best);
        *matching = best.matching;
    }
    ptl_arena_release(&arena);
    return s;
}
