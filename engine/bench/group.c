#include "bench/group.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "bench/glimpse.h"

enum {
    FIRST_VISITS = 2,    /* to every variant, before the slow ones are dropped */
    VISITS_AT_ONCE = 60, /* to one variant in one round */
    VISITS_MAX = 5000,   /* to one group: its budget */
    ENOUGH = 9,          /* readings expected to be spared that a result rests on, about */
    KEPT = 160,          /* readings of a variant and length; the slowest are dropped */
    NOTABLE = 1,         /* visits that agree on a faster rate: more than chance */
    RARE = 40,           /* ... and one in so many at least */
    BELIEVED = 3,        /* visits that a faster rate rests on */
    SOUGHT_AT_ONCE = 20, /* visits in one round to a variant that has a faster rate at times */
    SOUGHT_MAX = 120     /* ... in all */
};
static const double FIRST =
    6; /* spared readings expected of every variant, before the slow ones are dropped */
static const double CLEARLY_SLOWER = 1.015;
static const double CLEARLY_FASTER = 0.988; /* share of a rate: no reading of it is that low */
static const double PRECISE =
    0.0015; /* standard error of a result, a share, unless there are very many readings */

bool ptl_variant_open(ptl_variant* v, const ptl_kernel* k, size_t event_count, ptl_arena* a) {
    *v = (ptl_variant){.kernel = k, .evidence = PTL_MORE};
    if (event_count && !(v->event = ptl_arena_array(a, event_count, sizeof *v->event))) return false;
    for (int i = PTL_SHORT; i <= PTL_LONG; i++)
        if (!(v->list[i].list = ptl_arena_array(a, KEPT, sizeof(ptl_reading)))) return false;
    return true;
}

unsigned ptl_group_wants(const ptl_group* g, const ptl_variant* v) {
    if (v->kernel->probe) return !g->done;
    if (g->sought && !g->done) return v == g->sought ? SOUGHT_AT_ONCE : 0;
    if (g->done || v->dropped || v->evidence == PTL_CERTAIN) return 0;
    if (v->list[PTL_LONG].seen == 0 || v->expected <= 0)
        return g->visits < FIRST_VISITS * g->count ? FIRST_VISITS : 8;
    double each = v->expected / (double)g->visits * g->count, lacking = ENOUGH - v->expected;
    double n = lacking > 0 && each > 0 ? lacking / each + 1 : FIRST_VISITS;
    return n < FIRST_VISITS ? FIRST_VISITS : n > VISITS_AT_ONCE ? VISITS_AT_ONCE : (unsigned)n;
}

static void record_counts(const ptl_group* g, ptl_variant* v, const ptl_visit* s) {
    double copies = v->kernel->copies, more = (double)s->nominal[PTL_LONG] - s->nominal[PTL_SHORT];
    bool counted = s->counter[PTL_SHORT] > 0 && s->counter[PTL_LONG] > s->counter[PTL_SHORT];
    v->counter = counted ? (double)(s->counter[PTL_LONG] - s->counter[PTL_SHORT]) / more / copies : 0;
    if (!s->counted || v->counted == PTL_EVENT_VISITS_MAX) return;
    for (size_t k = 0; k < g->event_count; k++)
        v->event[k][v->counted] =
            ((double)s->event[PTL_LONG][k] - (double)s->event[PTL_SHORT][k]) / more / copies;
    v->counted++;
}

static double fastest_pass(const ptl_visit* visit) {
    double least = INFINITY;
    for (int i = 0; i < PTL_VISIT_PASSES; i++) {
        const ptl_pass* p = &visit->pass[PTL_LONG][i];
        double each = (double)p->ticks / p->iterations;
        if (each < least) least = each;
    }
    return least;
}

void ptl_group_add(ptl_group* g, ptl_variant* v, const ptl_visit* visit, double ticks_per_cycle,
                   double tsc_hz, uint32_t number) {
    g->visits++;
    v->readings += PTL_VISIT_PASSES;
    if (v->kernel->probe) g->rough = fastest_pass(visit);
    if (!(ticks_per_cycle > 0)) return;
    for (int k = PTL_SHORT; k <= PTL_LONG; k++)
        ptl_readings_add_visit(&v->list[k], KEPT, visit, k, ticks_per_cycle, number);
    v->frequency = tsc_hz / ticks_per_cycle;
    record_counts(g, v, visit);
}

void ptl_group_finish(ptl_group* g, ptl_bench_status status, const ptl_variant* v) {
    ptl_measurement* out = g->out;
    *out = (ptl_measurement){.status = status, .rejected = v ? v->readings : g->visits * PTL_VISIT_PASSES};
    if (v && v->estimate.cycles > 0) {
        double copies = v->kernel->copies;
        out->cycles = v->estimate.cycles / copies;
        out->spread = v->estimate.spread;
        out->error = v->estimate.error;
        out->share = v->estimate.share;
        out->slow_cycles = v->estimate.slow_cycles / copies;
        out->slow_share = v->estimate.slow_share;
        out->accepted = (unsigned)v->estimate.agreeing;
        out->rejected = v->readings - out->accepted;
        out->kernel = (unsigned)(v->kernel - g->kernels);
        out->frequency = v->frequency;
        out->counter = v->counter;
        out->counted = v->counted > 0;
        for (size_t k = 0; out->counted && k < g->event_count; k++)
            out->event[k] = ptl_median(v->event[k], v->counted);
    }
    g->done = true;
}

/* The fastest variant that is left; NULL while one is still too little known. */
static ptl_variant* fastest(const ptl_group* g) {
    ptl_variant* best = NULL;
    for (unsigned i = 0; i < g->count; i++) {
        ptl_variant* v = &g->variants[i];
        if (v->dropped) continue;
        if (v->expected < FIRST || !(v->estimate.cycles > 0)) return NULL;
        if (!best || v->estimate.cycles / v->kernel->copies < best->estimate.cycles / best->kernel->copies)
            best = v;
    }
    return best;
}

static void drop_slower(ptl_group* g, const ptl_variant* best) {
    double most = best->estimate.cycles / best->kernel->copies * CLEARLY_SLOWER;
    for (unsigned i = 0; i < g->count; i++) {
        ptl_variant* v = &g->variants[i];
        v->dropped |= v->estimate.cycles / v->kernel->copies > most;
    }
}

/* Finds what a tenth of a variant's readings are faster than, and what half of them are; false without
 * readings. The slowest are not kept: the other half lies beyond. */
static bool range_of(const ptl_conditions* c, const ptl_variant* v, double* low, double* high) {
    double rate[KEPT], copies = v->kernel->copies;
    size_t n = v->list[PTL_LONG].n, seen = v->list[PTL_LONG].seen;
    for (size_t i = 0; i < n; i++) {
        const ptl_reading* r = &v->list[PTL_LONG].list[i];
        rate[i] = fmax(0, r->cycles - c->edge) / r->iterations / copies;
    }
    qsort(rate, n, sizeof *rate, ptl_ascending_numbers);
    if (n > 0) *low = rate[seen / 10 < n ? seen / 10 : n - 1], *high = rate[seen / 2 < n ? seen / 2 : n - 1];
    return n > 0;
}

/* Finishes a group of which every variant is unsteady. The fastest one tells what it takes, about. */
static void finish_unsteady(ptl_group* g, const ptl_conditions* c) {
    ptl_group_finish(g, PTL_BENCH_UNSTABLE, NULL);
    ptl_measurement* out = g->out;
    out->unsteady = true;
    for (unsigned i = 0; i < g->count; i++) {
        double low, high;
        if (!range_of(c, &g->variants[i], &low, &high) || (out->low > 0 && out->low <= low)) continue;
        out->low = low, out->high = high;
    }
}

/* The variant of which most visits agree on a faster rate than the best one's, and these visits; NULL if they
 * are not more than chance. */
static ptl_variant* find_faster(ptl_group* g, const ptl_variant* best, const ptl_conditions* c,
                                ptl_glimpse* most) {
    double below = best->estimate.cycles / best->kernel->copies * CLEARLY_FASTER;
    ptl_variant* variant = NULL;
    size_t faster = 0, all = 0;
    most->n = 0;
    for (unsigned i = 0; i < g->count; i++) {
        ptl_variant* v = &g->variants[i];
        ptl_glimpse glimpse;
        ptl_glimpse_find(&v->list[PTL_LONG], below * v->kernel->copies, c, &glimpse);
        faster += glimpse.n, all += v->list[PTL_LONG].seen / PTL_VISIT_PASSES;
        if (glimpse.n > most->n) *most = glimpse, variant = v;
    }
    return faster >= NOTABLE && faster * RARE >= all ? variant : NULL;
}

/* Finishes a group of which the best variant is certain: at once, or when a faster rate that some visits saw
 * is certain, too. If it never is, which rate is the code's is not known. */
static void conclude(ptl_group* g, const ptl_variant* best, const ptl_conditions* c) {
    ptl_glimpse glimpse;
    ptl_variant* faster = find_faster(g, best, c, &glimpse);
    if (!faster) {
        ptl_group_finish(g, PTL_BENCH_OK, best);
        return;
    }
    ptl_estimate e;
    if (glimpse.n >= BELIEVED && ptl_glimpse_estimate(&glimpse, &faster->list[PTL_SHORT],
                                                      &faster->list[PTL_LONG], c, &e) == PTL_CERTAIN) {
        double copies = faster->kernel->copies;
        e.slow_cycles = best->estimate.cycles / best->kernel->copies * copies;
        e.slow_share = 1 - (double)(glimpse.n * PTL_VISIT_PASSES) / (double)faster->list[PTL_LONG].seen;
        faster->estimate = e;
        ptl_group_finish(g, PTL_BENCH_OK, faster);
    } else if (!g->sought) {
        g->sought_until = g->visits + SOUGHT_MAX;
        g->sought = faster;
    } else if (g->visits >= g->sought_until) {
        ptl_group_finish(g, PTL_BENCH_UNSTABLE, best);
    }
}

/* Iterations of real blocks are fenced: what a pass takes beside them is less than what loops take that
 * overlap with it. */
static ptl_conditions conditions_for(const ptl_group* g, const ptl_conditions* c) {
    ptl_conditions own = *c;
    if (g->variants->kernel->pages) own.edge = 0;
    return own;
}

/* A probe tells that the code runs, and what it takes, about. */
static void finish_probe(ptl_group* g) {
    double rough = g->rough;
    ptl_group_finish(g, PTL_BENCH_OK, NULL);
    g->out->low = g->out->high = rough;
}

void ptl_group_judge(ptl_group* g, const ptl_conditions* batch) {
    const ptl_conditions own = conditions_for(g, batch), *c = &own;
    unsigned left = 0;
    if (g->variants->kernel->probe) {
        if (g->visits > 0) finish_probe(g);
        return;
    }
    for (unsigned i = 0; i < g->count; i++) {
        ptl_variant* v = &g->variants[i];
        if (v->dropped || v->list[PTL_LONG].n == 0) {
            left += !v->dropped;
            continue;
        }
        v->expected = ptl_expected(&v->list[PTL_LONG], c);
        v->evidence = ptl_estimate_rate(&v->list[PTL_SHORT], &v->list[PTL_LONG], c, &v->estimate);
        bool many = v->expected > 8 * ENOUGH;
        if (v->evidence == PTL_CERTAIN && v->estimate.error > PRECISE && !many) v->evidence = PTL_MORE;
        v->dropped |= v->evidence == PTL_UNSTEADY;
        left += !v->dropped;
    }
    if (left == 0) {
        finish_unsteady(g, c);
        return;
    }
    const ptl_variant* best = fastest(g);
    if (best) drop_slower(g, best);
    if (best && best->evidence == PTL_CERTAIN)
        conclude(g, best, c);
    else if (g->visits >= VISITS_MAX)
        ptl_group_finish(g, PTL_BENCH_UNSTABLE, best);
}

/* The variant that most is known of. */
static const ptl_variant* best_known(const ptl_group* g) {
    const ptl_variant* v = &g->variants[0];
    for (unsigned k = 1; k < g->count; k++)
        if (g->variants[k].estimate.agreeing > v->estimate.agreeing) v = &g->variants[k];
    return v;
}

void ptl_group_give_up(ptl_group* g, ptl_bench_status status) {
    ptl_group_finish(g, status, best_known(g));
}
