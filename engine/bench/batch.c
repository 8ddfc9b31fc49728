#include "bench/batch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/interrupt.h"

/* When is it enough? */
enum {
    FIRST_SAMPLES = 3, /* of every variant, before the slow ones are dropped */
    ENOUGH = 7,        /* quiet samples of the best variant that agree within TIGHT */
    MANY = 40, /* quiet samples that may agree within LOOSE only: code that alternates between two rates */
    READINGS_MAX = 64, /* quiet samples of one variant; if they do not agree by then, they never will */
    UNEVEN_VARIANT =
        60, /* samples of a variant that contradict themselves on a quiet core before it is dropped, */
    UNEVEN_GROUP = 400, /* and of a group: code that takes another time whenever it runs */
    ROUND_MAX = 1500    /* samples per run of the worker: 50 ms or so */
};
static const double NOISY = 0.4; /* share of quiet samples below which another processor is tried */
static const double TIGHT = 0.01, LOOSE = 0.03, CLEARLY_SLOWER = 1.015;

typedef struct variant {
    const ptl_kernel* kernel;
    unsigned n;      /* readings */
    unsigned uneven; /* quiet samples that contradict themselves */
    bool dropped;
    double cycles[READINGS_MAX];   /* per experiment */
    double frequency, counter;     /* of the latest reading */
    unsigned counted;              /* readings with counts of events */
    double (*event)[READINGS_MAX]; /* per event and such reading, per experiment; NULL: no events */
} variant;

typedef struct group {
    variant* variants;
    unsigned count;
    unsigned tries, accepted, uneven;
    bool done;
} group;

typedef struct batch {
    ptl_batch_job* job;
    variant* variants;
    group* groups;
    size_t group_count;
    uint32_t* offsets; /* references, then variants */
    size_t* plan;      /* kernel indices */
    uint32_t* plan32;
    ptl_arena arena;
} batch;

static ptl_status out_of_memory(ptl_error* e) {
    return ptl_fail(e, PTL_NO_MEMORY, "batch", NULL, "no memory");
}

static ptl_status prepare(batch* b, ptl_error* e) {
    ptl_batch_job* j = b->job;
    b->group_count = j->kernels[j->n - 1].group - j->kernels[0].group + 1;
    b->variants = ptl_arena_array(&b->arena, j->n, sizeof *b->variants);
    b->groups = ptl_arena_array(&b->arena, b->group_count, sizeof *b->groups);
    b->offsets = ptl_arena_array(&b->arena, j->n + PTL_REFERENCES, sizeof *b->offsets);
    b->plan = ptl_arena_array(&b->arena, PTL_PLAN_MAX, sizeof *b->plan);
    b->plan32 = ptl_arena_array(&b->arena, PTL_PLAN_MAX, sizeof *b->plan32);
    if (!b->variants || !b->groups || !b->offsets || !b->plan || !b->plan32) return out_of_memory(e);
    size_t at = ptl_reference_compile(j->memory, b->offsets);
    for (size_t i = 0; i < j->n; i++) {
        const ptl_kernel* k = &j->kernels[i];
        group* g = &b->groups[k->group - j->kernels[0].group];
        b->variants[i].kernel = k;
        if (j->event_count) {
            b->variants[i].event = ptl_arena_array(&b->arena, j->event_count, sizeof *b->variants[i].event);
            if (!b->variants[i].event) return out_of_memory(e);
        }
        if (!g->variants) g->variants = &b->variants[i];
        g->count++;
        b->offsets[PTL_REFERENCES + i] = (uint32_t)at;
        at +=
            ptl_codegen_kernel(j->memory->code + at, at, j->memory->frame, k->body, k->size, k->vector_bits);
        at = (at + PTL_KERNEL_ALIGN - 1) / PTL_KERNEL_ALIGN * PTL_KERNEL_ALIGN;
    }
    return PTL_OK;
}

/* Samples wanted of a variant in the next round. */
static unsigned wanted(const group* g, const variant* v) {
    if (g->done || v->dropped) return 0;
    return v->n < FIRST_SAMPLES ? FIRST_SAMPLES : ENOUGH - FIRST_SAMPLES + 1;
}

static size_t make_plan(batch* b) {
    size_t n = 0;
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

static void record(batch* b, uint32_t kernel, const ptl_sample* s) {
    variant* v = &b->variants[kernel - PTL_REFERENCES];
    group* g = group_of(b, v);
    ptl_reading r;
    g->tries++;
    ptl_verdict verdict = ptl_gate(s, &b->job->calibration->reference, &r);
    if (verdict != PTL_QUIET) {
        b->job->rejected++;
        v->uneven += verdict == PTL_UNEVEN;
        g->uneven += verdict == PTL_UNEVEN;
        return;
    }
    b->job->accepted++;
    g->accepted++;
    if (v->n == READINGS_MAX) return;
    v->cycles[v->n++] = r.cycles / v->kernel->copies;
    v->counter = r.counter / v->kernel->copies;
    v->frequency = r.frequency;
    if (!r.counted) return;
    for (size_t k = 0; k < b->job->event_count; k++) v->event[k][v->counted] = r.event[k] / v->kernel->copies;
    v->counted++;
}

/* Medians, like that of the cycles: an interrupt between two readings of a counter is in it. */
static void count_events(const batch* b, const variant* v, ptl_measurement* m) {
    m->counted = v->counted > 0;
    for (size_t k = 0; m->counted && k < b->job->event_count; k++)
        m->event[k] = ptl_summarise(v->event[k], v->counted).median;
}

static void finish(batch* b, group* g, ptl_bench_status status, const variant* v, const ptl_summary* s) {
    ptl_measurement* m = &b->job->out[g - b->groups];
    *m = (ptl_measurement){.status = status, .accepted = g->accepted, .rejected = g->tries - g->accepted};
    if (v && s) {
        m->cycles = status == PTL_BENCH_OK ? s->median : 0;
        m->spread = s->spread;
        m->frequency = v->frequency;
        m->counter = v->counter;
        m->kernel = (unsigned)(v->kernel - b->job->kernels);
        count_events(b, v, m);
    }
    g->done = true;
}

/* The variant with the least median among those that are not dropped and have their first samples; NULL if
 * there is none. *waiting: how many have not. */
static variant* fastest(const group* g, const variant* except, ptl_summary* best, unsigned* waiting) {
    variant* found = NULL;
    *waiting = 0;
    for (unsigned i = 0; i < g->count; i++) {
        variant* v = &g->variants[i];
        if (v->dropped || v == except) continue;
        if (v->n < FIRST_SAMPLES) {
            ++*waiting;
            continue;
        }
        ptl_summary s = ptl_summarise(v->cycles, v->n);
        if (!found || s.median < best->median) found = v, *best = s;
    }
    return found;
}

/* Once all variants are known, only the best goes on, and the runner-up if it is close. */
static void narrow(group* g, const variant* best, double median) {
    ptl_summary s = {0};
    unsigned waiting;
    const variant* second = fastest(g, best, &s, &waiting);
    if (second && s.median > median * CLEARLY_SLOWER) second = NULL;
    for (unsigned i = 0; i < g->count; i++) {
        variant* v = &g->variants[i];
        v->dropped = v != best && v != second;
    }
}

/* Finishes the group if its best variant has enough agreeing samples, or if its code is what is unsteady. */
static void judge(batch* b, group* g) {
    ptl_summary s = {0};
    unsigned waiting, left = 0;
    for (unsigned i = 0; i < g->count; i++) {
        variant* v = &g->variants[i];
        if (v->n < FIRST_SAMPLES && v->uneven >= UNEVEN_VARIANT) v->dropped = true;
        left += !v->dropped;
    }
    if (left == 0) {
        finish(b, g, PTL_BENCH_UNSTABLE, NULL, NULL);
        b->job->out[g - b->groups].unsteady = true;
        return;
    }
    const variant* best = fastest(g, NULL, &s, &waiting);
    if (!best || waiting) return;
    narrow(g, best, s.median);
    bool tight = s.n >= ENOUGH && s.spread < TIGHT, loose = s.n >= MANY && s.spread < LOOSE;
    if (tight || loose)
        finish(b, g, PTL_BENCH_OK, best, &s);
    else if (s.n == READINGS_MAX || g->uneven >= UNEVEN_GROUP) {
        finish(b, g, PTL_BENCH_UNSTABLE, best, &s);
        b->job->out[g - b->groups].unsteady = true;
    }
}

static size_t unfinished(const batch* b) {
    size_t n = 0;
    for (size_t g = 0; g < b->group_count; g++) n += !b->groups[g].done;
    return n;
}

static void give_up(batch* b, ptl_bench_status status) {
    for (size_t i = 0; i < b->group_count; i++) {
        group* g = &b->groups[i];
        const variant* v = &g->variants[0];
        for (unsigned k = 1; k < g->count; k++)
            if (g->variants[k].n > v->n) v = &g->variants[k];
        ptl_summary s = ptl_summarise(g->variants[v - g->variants].cycles, v->n);
        if (!g->done) finish(b, g, status, v, &s);
    }
}

/* Runs one plan to its end: when a kernel brings the worker down, its group is finished and the rest goes on.
 */
static ptl_status run_plan(batch* b, size_t planned, ptl_error* e) {
    const ptl_batch_job* j = b->job;
    for (size_t first = 0; first < planned;) {
        ptl_run run = {
            .offsets = b->offsets,
            .kernels = PTL_REFERENCES + j->n,
            .plan = b->plan32 + first,
            .planned = planned - first,
            .segments = ptl_reference_segments(),
            .cpu = j->cpu,
            .counter = j->counter,
            .events = j->events,
            .event_count = j->event_count,
            .stall_seconds = 2,
        };
        ptl_run_outcome o;
        ptl_status s = ptl_worker_run(j->memory, &run, &o, e);
        if (s != PTL_OK) return s;
        for (size_t i = 0; i < o.samples; i++) record(b, b->plan32[first + i], &o.sample[i]);
        if (o.status == PTL_BENCH_INTERRUPTED)
            return ptl_fail(e, PTL_INTERRUPTED, "measuring", NULL, "interrupted");
        if (o.status == PTL_BENCH_OK || first + o.samples >= planned) break;
        size_t at = first + o.samples;
        group* culprit = group_of(b, &b->variants[b->plan32[at] - PTL_REFERENCES]);
        finish(b, culprit, o.status, NULL, NULL);
        for (first = at + 1; first < planned;
             first++) /* skip what else was planned for it, keep the rest together */
            if (group_of(b, &b->variants[b->plan32[first] - PTL_REFERENCES]) != culprit) break;
        size_t kept = first;
        for (size_t i = first; i < planned; i++)
            if (group_of(b, &b->variants[b->plan32[i] - PTL_REFERENCES]) != culprit)
                b->plan32[kept++] = b->plan32[i];
        planned = kept;
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
        for (size_t g = 0; g < b->group_count; g++)
            if (!b->groups[g].done) judge(b, &b->groups[g]);
        unsigned long all = j->accepted + j->rejected - seen;
        double quiet = all ? (double)(j->accepted - before) / (double)all : 0;
        left = unfinished(b);
        if (j->progress)
            j->progress(j->context, j->groups_before + b->group_count - left, j->groups_in_all, quiet);
        if (quiet < NOISY && j->next_cpu) j->cpu = j->next_cpu(j->cpu);
        if (left && ptl_now() > deadline)
            give_up(b, PTL_BENCH_UNSTABLE);
        else if (left && quiet < 0.1)
            usleep(20000); /* somebody else is busy; do not make it worse */
    }
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
