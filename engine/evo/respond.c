#include "evo/respond.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BEAM_MOST 8
#define STEPS_MOST 24
#define LOOK_EVERY 6 /* experiments, until it is seen whether more are of use */
#define BETTER 1e-7  /* of D_avg: less is rounding */

/* A usage and what it costs: its part of D_avg, and the price of its volume. */
typedef struct candidate {
    ptl_evo_usage usage;
    double value;
} candidate;

static uint32_t total_of(const ptl_evo_usage* u) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < u->size; k++) n += u->uops[k].count;
    return n;
}

static double fine_of(const ptl_evo_goal* g, size_t scheme, uint32_t total) {
    if (!g->totals || !g->totals[scheme]) return 0;
    return g->fine * fabs((double)total - g->totals[scheme]);
}

/* The price and the fine of a scheme's uops. */
static double goal_cost(const ptl_evo_goal* g, size_t scheme, const ptl_evo_usage* u) {
    return g->price * (double)ptl_evo_usage_volume(u) + g->uop * total_of(u) +
           fine_of(g, scheme, total_of(u));
}

double ptl_evo_goal_costs(const ptl_evo_goal* g, const ptl_evo_usage* usages, size_t schemes) {
    double sum = 0;
    for (size_t i = 0; i < schemes; i++) sum += goal_cost(g, i, &usages[i]);
    return sum;
}

ptl_status ptl_evo_respond_new(ptl_evo_respond* q, ptl_evo_state* s, ptl_error* error) {
    const ptl_evo_problem* p = s->p;
    *q = (ptl_evo_respond){.s = s};
    size_t most = 1;
    for (size_t i = 0; i < p->schemes; i++)
        if (p->from[i + 1] - p->from[i] > most) most = p->from[i + 1] - p->from[i];
    q->active = calloc(most, sizeof *q->active);
    q->jitter = calloc(p->sets, sizeof *q->jitter);
    if (q->active && q->jitter) return PTL_OK;
    ptl_evo_respond_free(q);
    return ptl_no_memory(error, "for a local search");
}

void ptl_evo_respond_free(ptl_evo_respond* q) {
    free(q->active);
    free(q->jitter);
    *q = (ptl_evo_respond){0};
}

static void add_number(ptl_evo_respond* q, double n) {
    const ptl_evo_problem* p = q->s->p;
    if (n < 1 || n > ptl_evo_most(p, q->scheme, p->ports)) return;
    for (size_t k = 0; k < q->number_count; k++)
        if (q->numbers[k] == (uint32_t)n) return;
    if (q->number_count < PTL_EVO_NUMBERS_MAX) q->numbers[q->number_count++] = (uint32_t)n;
}

/* Chooses how many of a uop may be worth trying: a few, what keeps one or two ports busy all the time, and
 * what the scheme has, one more or less. */
static void choose_numbers(ptl_evo_respond* q, const ptl_evo_usage* now) {
    double alone = q->s->p->alone[q->scheme];
    q->number_count = 0;
    for (uint32_t n = 1; n <= 3 && n <= ceil(4 * alone - 1e-6); n++) add_number(q, n);
    if (alone > 2)
        for (unsigned ports = 1; ports <= 2; ports++) {
            add_number(q, ceil(ports * alone - 1e-6));
            add_number(q, ceil(ports * alone - 1e-6) - 1);
        }
    for (uint32_t k = 0; now && k < now->size; k++) {
        if (now->uops[k].count > 3) {
            add_number(q, now->uops[k].count);
            add_number(q, now->uops[k].count - 1.0);
            add_number(q, now->uops[k].count + 1.0);
        }
    }
}

/* The smallest of the errors of all port sets. */
static float lowest(const ptl_evo_state* s) {
    float low[PTL_EVO_LANES];
    for (int k = 0; k < PTL_EVO_LANES; k++) low[k] = INFINITY;
    for (size_t q = 0; q < s->p->sets; q += PTL_EVO_LANES)
        for (int k = 0; k < PTL_EVO_LANES; k++)
            low[k] = s->errors[q + k] < low[k] ? s->errors[q + k] : low[k];
    for (int k = 1; k < PTL_EVO_LANES; k++) low[0] = low[k] < low[0] ? low[k] : low[0];
    return low[0];
}

/* One experiment, with n more of a uop on every port set. Returns what is off without them. */
static double try_one(ptl_evo_respond* q, uint32_t j, uint32_t n) {
    ptl_evo_state* s = q->s;
    const ptl_evo_problem* p = s->p;
    uint32_t first = p->start[j], terms = p->start[j + 1] - first;
    float own = 0;
    for (uint32_t k = 0; k < terms; k++) {
        uint32_t scheme = p->scheme[first + k];
        s->terms[k] = scheme == q->scheme ? s->spare : s->rows + scheme * p->sets;
        if (scheme == q->scheme) own = p->count[first + k];
    }
    ptl_evo_trial t = {s->terms,    p->count + first, terms,       own * (float)n,
                       p->least[j], p->cycles[j],     p->weight[j]};
    float base = s->kernel->trial(p, &t, s->scratch, s->errors);
    q->trials++;
    return p->weight[j] *
           ptl_evo_off(&p->lenience, (base > p->least[j] ? base : p->least[j]) - p->cycles[j], p->cycles[j]);
}

/* The errors of `base` with n more of a uop, for all port sets: in the state's errors. Returns the error of
 * base itself. Errors only grow: it ends, with INFINITY, when all of them have reached `bound`. */
static double try_all(ptl_evo_respond* q, uint32_t n, double bound) {
    ptl_evo_state* s = q->s;
    double sum = 0;
    memset(s->errors, 0, s->p->sets * sizeof *s->errors);
    for (size_t a = 0; a < q->active_count; a++) {
        sum += try_one(q, q->active[a], n);
        if (a % LOOK_EVERY == LOOK_EVERY - 1 && sum >= bound && lowest(s) >= bound) return INFINITY;
    }
    return sum;
}

/* A candidate of at most `most` kinds of uops, if more than base has. */
static void offer(candidate* best, size_t beam, const ptl_evo_usage* base, uint32_t ports, uint32_t n,
                  uint32_t most, double value) {
    size_t k = beam;
    if (value >= best[k - 1].value) return;
    ptl_evo_usage usage = *base;
    if (ports && !ptl_evo_usage_add(&usage, ports, n)) return;
    if (usage.size > base->size && usage.size > most) return;
    for (; k > 1 && value < best[k - 2].value; k--) best[k - 1] = best[k - 2];
    best[k - 1] = (candidate){usage, value};
}

/* Offers everything that adds to `base`, and base itself where `bare`, to the best. */
static void extend(ptl_evo_respond* q, const ptl_evo_usage* base, bool bare, candidate* best, size_t beam) {
    ptl_evo_state* s = q->s;
    const ptl_evo_problem* p = s->p;
    const ptl_evo_goal* g = q->goal;
    double volume = (double)ptl_evo_usage_volume(base), own = goal_cost(g, q->scheme, base);
    s->kernel->row(p, base, s->spare);
    for (size_t m = 0; m < q->number_count; m++) {
        uint32_t n = q->numbers[m];
        uint32_t total = total_of(base) + n;
        double least = g->price * volume + g->uop * total + fine_of(g, q->scheme, total);
        float cost[PTL_EVO_PORTS_MAX + 1];
        for (unsigned w = 1; w <= p->ports; w++)
            cost[w] = n <= ptl_evo_most(p, q->scheme, w) ? (float)(least + g->price * n * w) : INFINITY;
        double error = try_all(q, n, best[beam - 1].value - (bare && own < least ? own : least));
        if (error == INFINITY) continue;
        if (bare) offer(best, beam, base, 0, 0, g->uops_most, error + own);
        for (uint32_t ports = 1; ports < 1U << p->ports; ports++) {
            float value = s->errors[ports] + cost[__builtin_popcount(ports)] + q->jitter[ports];
            if (value < best[beam - 1].value) offer(best, beam, base, ports, n, g->uops_most, value);
        }
    }
}

/* Moves to the best neighbour until there is no better one. */
static void climb(ptl_evo_respond* q, candidate* c) {
    for (int step = 0; step < STEPS_MOST; step++) {
        candidate best = {.value = c->value - BETTER};
        if (c->usage.size < q->goal->uops_most) extend(q, &c->usage, false, &best, 1);
        for (uint32_t k = 0; k < c->usage.size; k++) {
            uint32_t count = c->usage.uops[k].count;
            for (uint32_t less = 1; less <= count; less += count > 1 && less < count ? count - 1 : count) {
                ptl_evo_usage base = c->usage;
                ptl_evo_usage_take(&base, k, less);
                if (base.size) extend(q, &base, true, &best, 1);
            }
        }
        if (!best.usage.size) return;
        *c = best;
    }
}

static void find_active(ptl_evo_respond* q) {
    const ptl_evo_problem* p = q->s->p;
    q->active_count = 0;
    for (uint32_t k = p->from[q->scheme]; k < p->from[q->scheme + 1]; k++)
        if (ptl_evo_state_counts(q->s, p->uses[k], q->scheme)) q->active[q->active_count++] = p->uses[k];
}

bool ptl_evo_respond_run(ptl_evo_respond* q, size_t scheme, const ptl_evo_goal* goal, size_t beam,
                         ptl_rng* r) {
    ptl_evo_state* s = q->s;
    candidate list[BEAM_MOST], best = {.value = INFINITY};
    bool placed = s->placed[scheme];
    q->scheme = scheme;
    q->goal = goal;
    find_active(q);
    for (size_t k = 0; k < s->p->sets; k++) q->jitter[k] = (float)(0.5 * BETTER * ptl_rng_unit(r));
    choose_numbers(q, placed ? &s->usages[scheme] : NULL);
    if (placed) {
        best = (candidate){s->usages[scheme],
                           ptl_evo_state_local(s, scheme) + goal_cost(goal, scheme, &s->usages[scheme])};
        climb(q, &best);
    }
    if (beam > BEAM_MOST) beam = BEAM_MOST;
    for (size_t k = 0; k < beam; k++) list[k] = (candidate){.value = INFINITY};
    ptl_evo_usage none = {0};
    if (beam) extend(q, &none, false, list, beam);
    for (size_t k = 0; k < beam && list[k].usage.size; k++) {
        climb(q, &list[k]);
        if (list[k].value < best.value - BETTER) best = list[k];
    }
    if (!best.usage.size || (placed && ptl_evo_usage_equal(&best.usage, &s->usages[scheme]))) return false;
    ptl_evo_state_set(s, scheme, &best.usage);
    return true;
}
