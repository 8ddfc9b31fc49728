#include "bench/batch.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "bench/control.h"

/* When is it enough? */
enum {
    FIRST_VISITS = 2,    /* to every variant, before the slow ones are dropped */
    CONTROL_VISITS = 8,  /* to every control in each round */
    VISITS_AT_ONCE = 60, /* to one variant in one round */
    VISITS_MAX = 5000,   /* to one group: its budget */
    ROUND_MAX = 1500,    /* visits per run of the worker: 20 ms or so */
    ENOUGH = 9,          /* readings expected to be spared that a result rests on, about */
    CONTROL_ENOUGH = 40, /* readings of a control that none of which may be wrong */
    KEPT = 160,          /* readings of a variant and length; the slowest are dropped */
    KEPT_OF_CONTROLS = 1024
};
static const double NOISY = 0.4; /* share of quiet readings below which another processor is tried */
static const double FIRST =
    6; /* spared readings expected of every variant, before the slow ones are dropped */
static const double CLEARLY_SLOWER = 1.015;
static const double PRECISE =
    0.0015; /* standard error of a result, a share, unless there are very many readings */
static const double CONTROL_OFF = 0.01; /* by which a control's rate may differ from what was calibrated */

typedef struct variant {
    const ptl_kernel* kernel;
    ptl_readings shorts, longs;
    ptl_estimate estimate;
    ptl_evidence evidence;
    double expected;   /* long readings that were spared */
    unsigned readings; /* long ones asked for */
    bool dropped;
    double frequency;
    double counter;                        /* of the latest visit, per experiment */
    unsigned counted;                      /* visits with counts of events */
    double (*event)[PTL_EVENT_VISITS_MAX]; /* per event and such visit, per experiment; NULL: no events */
} variant;

typedef struct group {
    variant* variants;
    unsigned count;
    unsigned visits;
    bool done;
} group;

typedef struct batch {
    ptl_batch_job* job;
    ptl_segments segments;
    ptl_reference reference;
    ptl_conditions conditions;
    ptl_watch watch[PTL_CONTROLS]; /* none of those that are not calibrated */
    uint32_t control_visits;
    variant* variants;
    group* groups;
    size_t group_count;
    uint32_t *offsets, *iterations; /* of references, then variants */
    size_t* plan;                   /* kernel indices */
    uint32_t* plan32;
    uint32_t visits;
    ptl_arena arena;
} batch;

static ptl_status out_of_memory(ptl_error* e) {
    return ptl_fail(e, PTL_NO_MEMORY, "batch", NULL, "no memory");
}

static bool make_room(batch* b, ptl_readings* r, size_t n) {
    return (r->list = ptl_arena_array(&b->arena, n, sizeof *r->list)) != NULL;
}

static bool make_variant(batch* b, variant* v, const ptl_kernel* k) {
    v->kernel = k;
    v->evidence = PTL_MORE;
    if (b->job->event_count &&
        !(v->event = ptl_arena_array(&b->arena, b->job->event_count, sizeof *v->event)))
        return false;
    return make_room(b, &v->shorts, KEPT) && make_room(b, &v->longs, KEPT);
}

static ptl_status prepare_controls(batch* b, ptl_error* e) {
    const ptl_calibration* c = b->job->calibration;
    for (int k = 0; k < PTL_CONTROLS; k++) {
        if (!(c->control[k].cycles > 0)) continue;
        ptl_reading* shorts = ptl_arena_array(&b->arena, KEPT_OF_CONTROLS, sizeof *shorts);
        ptl_reading* longs = ptl_arena_array(&b->arena, KEPT_OF_CONTROLS, sizeof *longs);
        if (!shorts || !longs) return out_of_memory(e);
        b->watch[k] = ptl_watch_new(c, k, shorts, longs, KEPT_OF_CONTROLS);
        b->iterations[PTL_CONTROL + k] = ptl_control_iterations(c, k, &b->segments);
    }
    b->conditions = (ptl_conditions){
        .typical = b->segments.long_cycles, .resolution = ptl_resolution(c), .edge = ptl_least_edge(c)};
    return PTL_OK;
}

static ptl_status prepare(batch* b, ptl_error* e) {
    ptl_batch_job* j = b->job;
    b->segments = ptl_segments_of(j->long_cycles);
    b->reference = ptl_reference_of(j->calibration, &b->segments);
    b->group_count = j->kernels[j->n - 1].group - j->kernels[0].group + 1;
    b->variants = ptl_arena_array(&b->arena, j->n, sizeof *b->variants);
    b->groups = ptl_arena_array(&b->arena, b->group_count, sizeof *b->groups);
    b->offsets = ptl_arena_array(&b->arena, j->n + PTL_REFERENCES, sizeof *b->offsets);
    b->iterations = ptl_arena_array(&b->arena, j->n + PTL_REFERENCES, sizeof *b->iterations);
    b->plan = ptl_arena_array(&b->arena, PTL_PLAN_MAX, sizeof *b->plan);
    b->plan32 = ptl_arena_array(&b->arena, PTL_PLAN_MAX, sizeof *b->plan32);
    if (!b->variants || !b->groups || !b->offsets || !b->iterations || !b->plan || !b->plan32)
        return out_of_memory(e);
    size_t at = ptl_reference_compile(j->memory, b->offsets);
    for (size_t i = 0; i < j->n; i++) {
        const ptl_kernel* k = &j->kernels[i];
        group* g = &b->groups[k->group - j->kernels[0].group];
        if (!make_variant(b, &b->variants[i], k)) return out_of_memory(e);
        if (!g->variants) g->variants = &b->variants[i];
        g->count++;
        b->offsets[PTL_REFERENCES + i] = (uint32_t)at;
        at +=
            ptl_codegen_kernel(j->memory->code + at, at, j->memory->frame, k->body, k->size, k->vector_bits);
        at = (at + PTL_KERNEL_ALIGN - 1) / PTL_KERNEL_ALIGN * PTL_KERNEL_ALIGN;
    }
    return prepare_controls(b, e);
}

/* Visits wanted to a variant in the next round: as many as should bring the readings that it lacks. */
static unsigned wanted(const group* g, const variant* v) {
    if (g->done || v->dropped || v->evidence == PTL_CERTAIN) return 0;
    if (v->longs.seen == 0 || v->expected <= 0) return g->visits < FIRST_VISITS * g->count ? FIRST_VISITS : 8;
    double each = v->expected / (double)g->visits * g->count, lacking = ENOUGH - v->expected;
    double n = lacking > 0 && each > 0 ? lacking / each + 1 : FIRST_VISITS;
    return n < FIRST_VISITS ? FIRST_VISITS : n > VISITS_AT_ONCE ? VISITS_AT_ONCE : (unsigned)n;
}

static size_t plan_controls(batch* b) {
    size_t n = 0;
    for (int k = 0; k < PTL_CONTROLS; k++)
        for (int i = 0; b->job->calibration->control[k].cycles > 0 && i < CONTROL_VISITS; i++)
            b->plan[n++] = PTL_CONTROL + (size_t)k;
    return n;
}

static size_t make_plan(batch* b) {
    size_t n = plan_controls(b);
    for (size_t g = 0; g < b->group_count; g++)
        for (unsigned i = 0; i < b->groups[g].count; i++) {
            const variant* v = &b->groups[g].variants[i];
            unsigned want = wanted(&b->groups[g], v);
            for (unsigned k = 0; k < want && n < ROUND_MAX; k++)
                b->plan[n++] = PTL_REFERENCES + (size_t)(v - b->variants);
        }
    ptl_rng_shuffle(b->job->rng, b->plan, n);
    for (size_t i = 0; i < n; i++) b->plan32[i] = (uint32_t)b->plan[i];
    return n;
}

static group* group_of(batch* b, const variant* v) {
    return &b->groups[v->kernel->group - b->job->kernels[0].group];
}

static void add_readings(batch* b, const ptl_visit* v, double cycle, ptl_readings* shorts,
                         ptl_readings* longs, size_t kept) {
    ptl_readings* lists[2] = {shorts, longs};
    for (int k = PTL_SHORT; k <= PTL_LONG; k++) {
        lists[k]->nominal = v->nominal[k];
        for (int i = 0; i < PTL_VISIT_PASSES; i++)
            ptl_readings_add(lists[k], kept,
                             (ptl_reading){.cycles = v->pass[k][i].ticks / cycle,
                                           .iterations = v->pass[k][i].iterations,
                                           .visit = b->visits});
    }
}

static void record_counts(batch* b, variant* v, const ptl_visit* s) {
    double copies = v->kernel->copies, more = (double)s->nominal[PTL_LONG] - s->nominal[PTL_SHORT];
    bool counted = s->counter[PTL_SHORT] > 0 && s->counter[PTL_LONG] > s->counter[PTL_SHORT];
    v->counter = counted ? (double)(s->counter[PTL_LONG] - s->counter[PTL_SHORT]) / more / copies : 0;
    if (!s->counted || v->counted == PTL_EVENT_VISITS_MAX) return;
    for (size_t k = 0; k < b->job->event_count; k++)
        v->event[k][v->counted] =
            ((double)s->event[PTL_LONG][k] - (double)s->event[PTL_SHORT][k]) / more / copies;
    v->counted++;
}

static void record(batch* b, uint32_t kernel, const ptl_visit* s) {
    double cycle = 0;
    bool quiet = ptl_gate(s, &b->reference, &cycle) == PTL_QUIET;
    b->visits++;
    if (kernel < PTL_REFERENCES) {
        b->control_visits++;
        if (quiet) ptl_watch_add(&b->watch[kernel - PTL_CONTROL], s, cycle, b->visits);
        return;
    }
    variant* v = &b->variants[kernel - PTL_REFERENCES];
    group* g = group_of(b, v);
    g->visits++;
    v->readings += PTL_VISIT_PASSES;
    if (!quiet) return;
    add_readings(b, s, cycle, &v->shorts, &v->longs, KEPT);
    v->frequency = b->reference.tsc_hz / cycle;
    record_counts(b, v, s);
}

static bool is_calibrated(const batch* b, int k) {
    return b->job->calibration->control[k].cycles > 0;
}

/* What share of long readings is spared: as the control says that fared worst. */
static void judge_conditions(batch* b) {
    size_t undisturbed = 0;
    b->conditions.spared = is_calibrated(b, 0); /* without controls nothing is certain */
    for (int k = 0; k < PTL_CONTROLS; k++) {
        if (!is_calibrated(b, k)) continue;
        ptl_watch_judge(&b->watch[k]);
        b->conditions.spared = fmin(b->conditions.spared, ptl_watch_spared(&b->watch[k]));
        undisturbed += b->watch[k].undisturbed;
    }
    b->job->accepted = undisturbed;
    b->job->rejected = (unsigned long)b->control_visits * PTL_VISIT_PASSES - undisturbed;
}

/* Is there a control of which nothing is as calibrated, while others fare well? Then its calibration was
 * wrong, or the core is not the same any more. One other is not enough: multiplications hardly notice a busy
 * neighbour. */
static bool a_control_is_off(const batch* b) {
    const double well = 0.3;
    int fare_well = 0, are_off = 0;
    for (int k = 0; k < PTL_CONTROLS; k++) {
        if (!is_calibrated(b, k) || b->watch[k].seen < CONTROL_ENOUGH) continue;
        fare_well += ptl_watch_spared(&b->watch[k]) >= well;
        are_off += ptl_watch_spared(&b->watch[k]) == 0;
    }
    return fare_well >= 2 && are_off > 0;
}

/* Do the controls' rates come out as they were calibrated? */
static bool controls_hold(batch* b) {
    if (a_control_is_off(b)) return false;
    for (int k = 0; k < PTL_CONTROLS; k++) {
        double known = b->job->calibration->control[k].cycles;
        ptl_readings* r = b->watch[k].list;
        if (!(known > 0) || r[PTL_LONG].n < CONTROL_ENOUGH) continue;
        ptl_estimate estimate;
        ptl_evidence evidence = ptl_estimate_rate(&r[PTL_SHORT], &r[PTL_LONG], &b->conditions, &estimate);
        if (evidence == PTL_CERTAIN && !(fabs(estimate.cycles - known) <= CONTROL_OFF * known)) return false;
    }
    return true;
}

static void finish(batch* b, group* g, ptl_bench_status status, const variant* v) {
    ptl_measurement* out = &b->job->out[g - b->groups];
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
        out->kernel = (unsigned)(v->kernel - b->job->kernels);
        out->frequency = v->frequency;
        out->counter = v->counter;
        out->counted = v->counted > 0;
        for (size_t k = 0; out->counted && k < b->job->event_count; k++)
            out->event[k] = ptl_median(v->event[k], v->counted);
    }
    g->done = true;
}

/* The fastest variant that is left; NULL while one is still too little known. */
static variant* fastest(const group* g) {
    variant* best = NULL;
    for (unsigned i = 0; i < g->count; i++) {
        variant* v = &g->variants[i];
        if (v->dropped) continue;
        if (v->expected < FIRST || !(v->estimate.cycles > 0)) return NULL;
        if (!best || v->estimate.cycles / v->kernel->copies < best->estimate.cycles / best->kernel->copies)
            best = v;
    }
    return best;
}

static void drop_slower(group* g, const variant* best) {
    double most = best->estimate.cycles / best->kernel->copies * CLEARLY_SLOWER;
    for (unsigned i = 0; i < g->count; i++) {
        variant* v = &g->variants[i];
        v->dropped |= v->estimate.cycles / v->kernel->copies > most;
    }
}

static int ascending(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/* Between what most readings of a variant lie; false without readings. */
static bool range_of(const batch* b, const variant* v, double* low, double* high) {
    double rate[KEPT], copies = v->kernel->copies;
    size_t n = v->longs.n, outside = n / 10;
    for (size_t i = 0; i < n; i++) {
        const ptl_reading* r = &v->longs.list[i];
        rate[i] = fmax(0, r->cycles - b->conditions.edge) / r->iterations / copies;
    }
    qsort(rate, n, sizeof *rate, ascending);
    if (n > 0) *low = rate[outside], *high = rate[n - 1 - outside];
    return n > 0;
}

/* Finishes a group of which every variant is unsteady. The fastest one tells what it takes, about. */
static void finish_unsteady(batch* b, group* g) {
    finish(b, g, PTL_BENCH_UNSTABLE, NULL);
    ptl_measurement* out = &b->job->out[g - b->groups];
    out->unsteady = true;
    for (unsigned i = 0; i < g->count; i++) {
        double low, high;
        if (!range_of(b, &g->variants[i], &low, &high) || (out->low > 0 && out->low <= low)) continue;
        out->low = low, out->high = high;
    }
}

/* Finishes the group if its best variant is certain, or if its code is what is unsteady. */
static void judge(batch* b, group* g) {
    unsigned left = 0;
    for (unsigned i = 0; i < g->count; i++) {
        variant* v = &g->variants[i];
        if (v->dropped || v->longs.n == 0) {
            left += !v->dropped;
            continue;
        }
        v->expected = ptl_expected(&v->longs, &b->conditions);
        v->evidence = ptl_estimate_rate(&v->shorts, &v->longs, &b->conditions, &v->estimate);
        bool many = v->expected > 8 * ENOUGH;
        if (v->evidence == PTL_CERTAIN && v->estimate.error > PRECISE && !many) v->evidence = PTL_MORE;
        v->dropped |= v->evidence == PTL_UNSTEADY;
        left += !v->dropped;
    }
    if (left == 0) {
        finish_unsteady(b, g);
        return;
    }
    const variant* best = fastest(g);
    if (best) drop_slower(g, best);
    if (best && best->evidence == PTL_CERTAIN)
        finish(b, g, PTL_BENCH_OK, best);
    else if (g->visits >= VISITS_MAX)
        finish(b, g, PTL_BENCH_UNSTABLE, best);
}

static size_t unfinished(const batch* b) {
    size_t n = 0;
    for (size_t g = 0; g < b->group_count; g++) n += !b->groups[g].done;
    return n;
}

/* The variant that most is known of. */
static const variant* best_known(const group* g) {
    const variant* v = &g->variants[0];
    for (unsigned k = 1; k < g->count; k++)
        if (g->variants[k].estimate.agreeing > v->estimate.agreeing) v = &g->variants[k];
    return v;
}

static void give_up(batch* b, ptl_bench_status status) {
    for (size_t i = 0; i < b->group_count; i++)
        if (!b->groups[i].done) finish(b, &b->groups[i], status, best_known(&b->groups[i]));
}

/* Nothing that was measured is believed: the controls are to be calibrated anew. */
static void disown(batch* b) {
    b->job->disowned = true;
    for (size_t i = 0; i < b->group_count; i++) {
        ptl_measurement* m = &b->job->out[i];
        if (m->status == PTL_BENCH_OK) m->status = PTL_BENCH_UNSTABLE;
        m->unsteady = false, m->low = m->high = 0;
    }
}

/* The group to blame for a run that ended at plan[at]; NULL if it was a control. */
static group* culprit_of(batch* b, uint32_t kernel) {
    return kernel < PTL_REFERENCES ? NULL : group_of(b, &b->variants[kernel - PTL_REFERENCES]);
}

/* Keeps what a plan has from `first` on that is not of a group; returns how much that is. */
static size_t without(batch* b, const group* g, size_t first, size_t planned) {
    size_t kept = 0;
    for (size_t i = first; i < planned; i++)
        if (!g || culprit_of(b, b->plan32[i]) != g) b->plan32[kept++] = b->plan32[i];
    return kept;
}

/* Runs one plan to its end: when a kernel brings the worker down, its group is finished and the rest goes on.
 */
static ptl_status run_plan(batch* b, size_t planned, ptl_error* e) {
    const ptl_batch_job* j = b->job;
    while (planned > 0) {
        ptl_run run = {
            .offsets = b->offsets,
            .iterations = b->iterations,
            .kernels = PTL_REFERENCES + j->n,
            .plan = b->plan32,
            .planned = planned,
            .segments = b->segments,
            .cpu = j->cpu,
            .counter = j->counter,
            .events = j->events,
            .event_count = j->event_count,
            .stall_seconds = 2,
        };
        ptl_run_outcome o;
        ptl_status s = ptl_worker_run(j->memory, &run, &o, e);
        if (s != PTL_OK) return s;
        for (size_t i = 0; i < o.visits; i++) record(b, b->plan32[i], &o.visit[i]);
        if (o.status == PTL_BENCH_INTERRUPTED)
            return ptl_fail(e, PTL_INTERRUPTED, "measuring", NULL, "interrupted");
        if (o.status == PTL_BENCH_OK || o.visits >= planned) break;
        group* culprit = culprit_of(b, b->plan32[o.visits]);
        if (culprit) finish(b, culprit, o.status, NULL);
        planned = without(b, culprit, o.visits + 1, planned);
    }
    return PTL_OK;
}

static ptl_status measure(batch* b, ptl_error* e) {
    ptl_batch_job* j = b->job;
    double deadline = ptl_now() + j->patience;
    size_t left;
    while ((left = unfinished(b)) > 0) {
        if (ptl_interrupted()) return ptl_fail(e, PTL_INTERRUPTED, "measuring", NULL, "interrupted");
        unsigned long before = j->accepted, seen = j->accepted + j->rejected;
        ptl_status s = run_plan(b, make_plan(b), e);
        if (s != PTL_OK) return s;
        judge_conditions(b);
        for (size_t g = 0; g < b->group_count; g++)
            if (!b->groups[g].done) judge(b, &b->groups[g]);
        unsigned long all = j->accepted + j->rejected - seen,
                      accepted = j->accepted > before ? j->accepted - before : 0;
        double quiet = all ? fmin(1, (double)accepted / (double)all) : 0;
        left = unfinished(b);
        if (left && (ptl_now() > deadline || a_control_is_off(b))) give_up(b, PTL_BENCH_UNSTABLE);
        if (j->progress)
            j->progress(j->context, j->groups_before + b->group_count - left, j->groups_in_all, quiet);
        if (quiet < NOISY) j->cpu = j->next_cpu(j->cpus, j->cpu);
    }
    if (!controls_hold(b)) disown(b);
    return PTL_OK;
}

ptl_status ptl_batch_measure(ptl_batch_job* job, ptl_error* e) {
    batch b = {.job = job, .arena = PTL_ARENA_EMPTY};
    ptl_status s = prepare(&b, e);
    if (s == PTL_OK) s = measure(&b, e);
    if (s == PTL_INTERRUPTED) give_up(&b, PTL_BENCH_INTERRUPTED);
    ptl_arena_release(&b.arena);
    return s;
}
