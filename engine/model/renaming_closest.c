/* The closest correspondence of the ports of two mappings that differ: where ports run much the same uops,
 * with local search. */
#include <stdlib.h>
#include <string.h>

#include "model/renaming.h"

/* likeness[p][q]: how much of the work that could go to port p of a could go to port q of b. */
typedef struct likeness {
    double of[PTL_PORTS_MAX][PTL_PORTS_MAX];
} likeness;

static void shares(const ptl_usage* u, double* share) {
    memset(share, 0, PTL_PORTS_MAX * sizeof *share);
    for (uint32_t j = 0; j < u->uop_count; j++)
        for (ptl_ports s = u->uops[j].ports; s; s &= s - 1)
            share[__builtin_ctz(s)] += (double)u->uops[j].count / ptl_ports_count(u->uops[j].ports);
}

static void measure(const ptl_pairs* p, likeness* like) {
    memset(like, 0, sizeof *like);
    for (size_t i = 0; i < p->count; i++) {
        double a[PTL_PORTS_MAX], b[PTL_PORTS_MAX];
        shares(&p->a->schemes[p->in_a[i]], a);
        shares(&p->b->schemes[p->in_b[i]], b);
        for (unsigned x = 0; x < p->a->port_count; x++)
            for (unsigned y = 0; y < p->b->port_count; y++) like->of[x][y] += a[x] < b[y] ? a[x] : b[y];
    }
}

/* The most alike pair first, and so on. */
static ptl_renaming greedy(const ptl_pairs* p, const likeness* like) {
    ptl_renaming r;
    ptl_ports taken = 0;
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++) r.port[k] = PTL_NO_PORT;
    unsigned wanted = p->a->port_count < p->b->port_count ? p->a->port_count : p->b->port_count;
    for (unsigned n = 0; n < wanted; n++) {
        int from = PTL_NO_PORT, to = PTL_NO_PORT;
        for (unsigned x = 0; x < p->a->port_count; x++)
            for (unsigned y = 0; r.port[x] == PTL_NO_PORT && y < p->b->port_count; y++) {
                if (taken >> y & 1) continue;
                if (from == PTL_NO_PORT || like->of[x][y] > like->of[from][to]) from = (int)x, to = (int)y;
            }
        r.port[from] = to;
        taken |= UINT32_C(1) << to;
    }
    return r;
}

/* Ports with the same name. */
static ptl_renaming by_names(const ptl_pairs* p) {
    ptl_renaming r;
    for (unsigned x = 0; x < PTL_PORTS_MAX; x++) {
        r.port[x] = PTL_NO_PORT;
        for (unsigned y = 0; x < p->a->port_count && y < p->b->port_count; y++)
            if (!strcmp(p->a->ports[x], p->b->ports[y])) r.port[x] = (int)y;
    }
    return r;
}

static double score(const ptl_renaming* r, const ptl_pairs* p, const likeness* like) {
    double matching = 0, alike = 0, most = 1;
    for (size_t i = 0; i < p->count; i++) matching += ptl_renaming_matches(r, p, i);
    for (unsigned x = 0; x < p->a->port_count; x++) {
        if (r->port[x] != PTL_NO_PORT) alike += like->of[x][r->port[x]];
        for (unsigned y = 0; y < p->b->port_count; y++) most += like->of[x][y];
    }
    return matching + alike / most; /* matches first, likeness among equals */
}

/* Exchanges the counterparts of two ports as long as that helps. */
static double improve(ptl_renaming* r, const ptl_pairs* p, const likeness* like) {
    double best = score(r, p, like);
    for (bool better = true; better;) {
        better = false;
        for (unsigned x = 0; x < p->a->port_count; x++)
            for (unsigned y = 0; y < x; y++) {
                ptl_renaming other = *r;
                other.port[x] = r->port[y];
                other.port[y] = r->port[x];
                double s = score(&other, p, like);
                if (s > best + 1e-9) *r = other, best = s, better = true;
            }
    }
    return best;
}

ptl_status ptl_renaming_closest(const ptl_pairs* p, ptl_renaming* out, size_t* matching, ptl_error* e) {
    likeness* like = malloc(sizeof *like);
    if (!like) return ptl_fail(e, PTL_NO_MEMORY, NULL, NULL, "no memory to compare");
    measure(p, like);
    ptl_renaming same = by_names(p);
    *out = greedy(p, like);
    double by_likeness = improve(out, p, like), by_name = score(&same, p, like);
    if (by_name >= by_likeness - 1e-9) *out = same;
    free(like);
    *matching = 0;
    for (size_t i = 0; i < p->count; i++) *matching += ptl_renaming_matches(out, p, i);
    return PTL_OK;
}
