/* Which experiment tells most of the remaining candidates apart? */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/order.h"
#include "candidates/alone.h"

#define BEST_UNIONS 4           /* that experiments are made of, of all that tell candidates apart */
#define LOOKS ((size_t)1 << 22) /* ports counted before a union that tells something is good enough */

static unsigned count(uint32_t ports) {
    return (unsigned)__builtin_popcount(ports);
}

typedef struct ranked {
    double pairs; /* of candidates told apart */
    uint32_t number;
} ranked;

typedef struct subset {
    uint32_t ports, mass;
} subset;

typedef struct choice {
    const ptl_alone* a;
    const ptl_ground* g;
    size_t n;
    uint32_t* ports; /* the remaining candidates */
    double* cycles;  /* of each, under the experiment in question */
    unsigned most;   /* ports of the largest */
    size_t looked;   /* unions of the ground looked at */
    ranked* unions;  /* those by which candidates can be told */
    size_t ranked;
    subset* subsets; /* of the known part of the experiment */
    ptl_mix best;
    double score; /* of it; 0: none */
} choice;

/* By Theorem B, with the scheme in the set: pairs of candidates whose union cardinalities can be told. */
static double pairs_told(const choice* c, uint32_t ports) {
    size_t having[PTL_GROUND_PORTS_MAX + 1] = {0}; /* candidates by their number of further ports */
    unsigned joined = count(ports);
    for (size_t i = 0; i < c->n; i++) having[count(c->ports[i] & ~ports)]++;
    double pairs = 0;
    for (unsigned r = 0; r <= c->most; r++)
        for (unsigned q = 0; having[r] && q < r; q++)
            if (having[q] && ptl_distinct(joined + r, joined + q, c->g->epsilon, c->g->rmax))
                pairs += (double)having[r] * (double)having[q];
    return pairs;
}

static int descending(const void* x, const void* y) {
    const ranked *a = x, *b = y;
    if (a->pairs != b->pairs) return a->pairs < b->pairs ? 1 : -1;
    return a->number < b->number ? -1 : 1;
}

/* Goes on where it stopped: few schemes first. */
static ptl_status rank_unions(choice* c, ptl_error* error) {
    c->ranked = 0;
    for (size_t looks = 0; c->looked < c->g->unions && (looks < LOOKS || !c->ranked); looks += c->n) {
        size_t u = c->looked++;
        double pairs = pairs_told(c, c->g->joined[u].ports);
        if (pairs > 0) c->unions[c->ranked++] = (ranked){pairs, (uint32_t)u};
        if (u % 64 == 63 && ptl_interrupted())
            return ptl_fail(error, PTL_INTERRUPTED, "placing a scheme", NULL, "interrupted");
    }
    qsort(c->unions, c->ranked, sizeof *c->unions, descending);
    return PTL_OK;
}

static bool asked(const ptl_alone* a, const ptl_mix* mix) {
    for (size_t k = 0; k < a->observed; k++) {
        const ptl_mix* m = &a->seen[k].mix;
        bool same = m->count == mix->count && m->own == mix->own;
        for (size_t i = 0; same && i < mix->count; i++) {
            same = false;
            for (size_t j = 0; j < m->count; j++)
                same |= m->scheme[j] == mix->scheme[i] && m->copies[j] == mix->copies[i];
        }
        if (same) return true;
    }
    return false;
}

/* Fills in what every candidate takes, front end included, sorted. Returns the instructions of the mix. */
static double predict(choice* c, const ptl_mix* mix) {
    uint32_t all = (uint32_t)1 << mix->count;
    double length = mix->own, slots = (double)mix->own * c->a->slots, least = 0;
    c->subsets[0] = (subset){0};
    for (size_t k = 0; k < mix->count; k++) {
        length += mix->copies[k];
        slots += (double)mix->copies[k] * c->g->slots[mix->scheme[k]];
        for (uint32_t set = 0; set < (uint32_t)1 << k; set++) {
            subset* s = &c->subsets[set | (uint32_t)1 << k];
            s->ports = c->subsets[set].ports | c->g->masks[mix->scheme[k]];
            s->mass = c->subsets[set].mass + mix->copies[k];
            least = fmax(least, (double)s->mass / count(s->ports));
        }
    }
    if (c->g->rmax > 0) least = fmax(least, slots / c->g->rmax);
    for (size_t i = 0; i < c->n; i++) {
        c->cycles[i] = least;
        for (uint32_t set = 0; set < all; set++) {
            double t = (double)(c->subsets[set].mass + mix->own) / count(c->subsets[set].ports | c->ports[i]);
            if (t > c->cycles[i]) c->cycles[i] = t;
        }
    }
    qsort(c->cycles, c->n, sizeof *c->cycles, ptl_ascending_numbers);
    return length;
}

/* Returns how much the experiment tells: pairs apart by more than noise. For greedy schedulers each counts by
 * how far, and experiments that keep all ports busy all the time count less (as in infer/propose.lua). */
static double worth(choice* c, const ptl_mix* mix, unsigned ports) {
    double length = predict(c, mix), apart = 2 * c->g->epsilon * length + PTL_SLACK;
    double score = 0, logs = 0;
    size_t below = 0; /* candidates that are told from candidate i */
    for (size_t i = 0; i < c->n; i++) {
        for (; c->cycles[i] - c->cycles[below] > apart; below++)
            logs += c->a->flood ? log(c->cycles[below]) : 0;
        score += c->a->flood ? (double)below * log(c->cycles[i]) - logs : (double)below;
    }
    return c->a->flood ? score * (2 - length / (c->cycles[0] * ports)) : score;
}

static void consider(choice* c, const ptl_mix* mix, unsigned ports) {
    if (mix->own == 0 || asked(c->a, mix)) return;
    double score = worth(c, mix, ports);
    if (score > c->score * (1 + 1e-9)) {
        c->score = score;
        c->best = *mix;
    }
}

/* The base point of the known schemes, with some copies of the scheme; flooded: several times over, or one
 * copy less of one of them. */
static void consider_union(choice* c, uint32_t number) {
    ptl_mix mix = {0};
    uint32_t joined = 0;
    unsigned further = 0;
    mix.count = ptl_ground_schemes(c->g, number, mix.scheme);
    for (size_t k = 0; k < mix.count; k++) {
        uint32_t more = joined | c->g->masks[mix.scheme[k]];
        mix.copies[k] = count(more) - count(joined);
        joined = more;
    }
    for (size_t i = 0; i < c->n; i++)
        if (count(c->ports[i] & ~joined) > further) further = count(c->ports[i] & ~joined);
    unsigned ports = count(joined) + further;
    for (unsigned fold = 1; fold <= (c->a->flood && mix.count ? 3u : 1u); fold++) {
        ptl_mix e = mix;
        for (size_t k = 0; k < e.count; k++) e.copies[k] *= fold;
        for (e.own = 1; e.own <= (c->a->flood ? c->most : further); e.own++) consider(c, &e, ports);
    }
    for (size_t k = 0; c->a->flood && k < mix.count; k++) {
        ptl_mix e = mix;
        e.own = c->most;
        if (--e.copies[k] > 0) consider(c, &e, ports);
    }
}

static ptl_status choose(choice* c, ptl_error* error) {
    while (c->score <= 0 && c->looked < c->g->unions) {
        ptl_status s = rank_unions(c, error);
        for (size_t k = 0; !s && k < c->ranked && (k < BEST_UNIONS || c->score <= 0); k++) {
            consider_union(c, c->unions[k].number);
            if (ptl_interrupted())
                s = ptl_fail(error, PTL_INTERRUPTED, "placing a scheme", NULL, "interrupted");
        }
        if (s) return s;
    }
    return PTL_OK;
}

ptl_status ptl_alone_next(const ptl_alone* a, const ptl_ground* g, bool* found, ptl_mix* mix,
                          ptl_error* error) {
    choice c = {.a = a, .g = g, .n = ptl_alone_remaining(a, NULL, NULL, 0)};
    *found = false;
    if (c.n < 2) return PTL_OK;
    c.ports = calloc(c.n, sizeof *c.ports);
    c.cycles = calloc(c.n, sizeof *c.cycles);
    c.unions = calloc(g->unions, sizeof *c.unions);
    c.subsets = calloc((size_t)1 << PTL_TERMS_MAX, sizeof *c.subsets);
    ptl_status s = PTL_OK;
    if (c.ports && c.cycles && c.unions && c.subsets) {
        ptl_alone_remaining(a, c.ports, NULL, c.n);
        for (size_t i = 0; i < c.n; i++)
            if (count(c.ports[i]) > c.most) c.most = count(c.ports[i]);
        s = choose(&c, error);
    } else {
        s = ptl_no_memory_in(error, "placing a scheme");
    }
    if (!s && c.score > 0) {
        *found = true;
        *mix = c.best;
    }
    free(c.ports);
    free(c.cycles);
    free(c.unions);
    free(c.subsets);
    return s;
}
