#include "bench/session_batch.h"

#include <math.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "bench/control.h"
#include "bench/group.h"
#include "bench/stretch.h"
#include "worker/request.h"

enum { ROUND_MAX = 1500 };       /* visits per run of the worker: 20 ms or so */
static const double NOISY = 0.4; /* share of quiet readings below which another processor is tried */

typedef struct batch {
    ptl_session_batch* job;
    ptl_segments segments;
    ptl_reference reference;
    ptl_conditions conditions;
    ptl_panel panel;
    ptl_variant* variants;
    ptl_group* groups;
    size_t group_count;
    uint32_t *offsets, *iterations; /* of references, then variants */
    uint32_t* owner;                /* per kernel: 0, or the number of a foreign experiment, from 1 */
    size_t* plan;                   /* kernel indices, as they are shuffled */
    uint32_t* order;                /* and as they run */
    bool* put;                      /* for that */
    ptl_stretch* stretches;
    uint32_t visits;
    double deadline; /* when patience is at its end */
    ptl_arena arena;
} batch;

static ptl_status out_of_memory(ptl_error* error) {
    return ptl_no_memory_in(error, "batch");
}

static bool prepare_plans(batch* b) {
    size_t kernels = b->job->n + PTL_REFERENCES;
    b->offsets = ptl_arena_array(&b->arena, kernels, sizeof *b->offsets);
    b->iterations = ptl_arena_array(&b->arena, kernels, sizeof *b->iterations);
    b->owner = ptl_arena_array(&b->arena, kernels, sizeof *b->owner);
    b->put = ptl_arena_array(&b->arena, b->group_count + 1, sizeof *b->put);
    b->stretches = ptl_arena_array(&b->arena, 2 * b->group_count + 1, sizeof *b->stretches);
    b->plan = ptl_arena_array(&b->arena, ROUND_MAX, sizeof *b->plan);
    b->order = ptl_arena_array(&b->arena, 2 * (size_t)ROUND_MAX, sizeof *b->order);
    return b->offsets && b->iterations && b->owner && b->put && b->stretches && b->plan && b->order;
}

static size_t compile(const ptl_target* t, uint8_t* out, size_t at, const ptl_kernel* k) {
    const ptl_block_setup setup = {.vector_bits = k->vector_bits, .writes = k->writes, .x87 = k->x87};
    const ptl_loop_code loop = {k->body, k->size, k->ahead, k->ahead_size, k->vector_bits, k->keeps_stack};
    return k->pages ? t->block(out, at, k->body, k->size, &setup) : t->kernel(out, at, &loop);
}

static ptl_status prepare(batch* b, ptl_error* error) {
    ptl_session_batch* j = b->job;
    b->segments = ptl_segments_of(j->long_cycles, j->calibration->coarseness);
    b->reference = ptl_reference_of(j->calibration, &b->segments);
    b->group_count = j->kernels[j->n - 1].group - j->kernels[0].group + 1;
    b->variants = ptl_arena_array(&b->arena, j->n, sizeof *b->variants);
    b->groups = ptl_arena_array(&b->arena, b->group_count, sizeof *b->groups);
    if (!b->variants || !b->groups || !prepare_plans(b)) return out_of_memory(error);
    uint8_t* code = ptl_worker_code(j->worker);
    const ptl_target* target = ptl_worker_target(j->worker);
    size_t at = ptl_reference_compile(target, code, b->offsets);
    for (size_t i = 0; i < j->n; i++) {
        const ptl_kernel* k = &j->kernels[i];
        size_t number = k->group - j->kernels[0].group;
        ptl_group* g = &b->groups[number];
        if (!ptl_variant_open(&b->variants[i], k, j->event_count, &b->arena)) return out_of_memory(error);
        if (!g->variants)
            *g = (ptl_group){.variants = &b->variants[i],
                             .event_count = j->event_count,
                             .kernels = j->kernels,
                             .out = &j->out[number]};
        g->count++;
        b->offsets[PTL_REFERENCES + i] = (uint32_t)at;
        b->owner[PTL_REFERENCES + i] = k->foreign || k->pages ? (uint32_t)number + 1 : 0;
        at += compile(target, code + at, at, k);
        at = (at + PTL_KERNEL_ALIGN - 1) / PTL_KERNEL_ALIGN * PTL_KERNEL_ALIGN;
    }
    ptl_worker_compiled(j->worker, at);
    const ptl_calibration* c = j->calibration;
    b->conditions = (ptl_conditions){
        .typical = b->segments.long_cycles, .resolution = ptl_resolution(c), .edge = ptl_least_edge(c)};
    return ptl_panel_open(&b->panel, c, &b->segments, b->iterations, &b->arena) ? PTL_OK
                                                                                : out_of_memory(error);
}

/* Returns how many stretches it has. */
static size_t make_plan(batch* b) {
    size_t n = ptl_panel_plan(&b->panel, b->plan);
    for (size_t g = 0; g < b->group_count; g++)
        for (unsigned i = 0; i < b->groups[g].count; i++) {
            const ptl_variant* v = &b->groups[g].variants[i];
            unsigned want = ptl_group_wants(&b->groups[g], v);
            for (unsigned k = 0; k < want && n < ROUND_MAX; k++)
                b->plan[n++] = PTL_REFERENCES + (size_t)(v - b->variants);
        }
    ptl_rng_shuffle(b->job->rng, b->plan, n);
    uint32_t* shuffled = b->order + ROUND_MAX;
    for (size_t i = 0; i < n; i++) shuffled[i] = (uint32_t)b->plan[i];
    return ptl_stretches(shuffled, n, b->owner, b->group_count, b->put, b->order, b->stretches);
}

static ptl_group* group_of(batch* b, const ptl_variant* v) {
    return &b->groups[v->kernel->group - b->job->kernels[0].group];
}

static void record(batch* b, uint32_t kernel, const ptl_visit* v) {
    double cycle = 0;
    if (ptl_gate(v, &b->reference, &cycle) != PTL_QUIET) cycle = 0;
    uint32_t number = ++b->visits;
    if (kernel < PTL_REFERENCES) {
        ptl_panel_add(&b->panel, kernel, v, cycle, number);
        return;
    }
    ptl_variant* variant = &b->variants[kernel - PTL_REFERENCES];
    ptl_group_add(group_of(b, variant), variant, v, cycle, b->reference.tsc_hz, number);
}

static size_t unfinished(const batch* b) {
    size_t n = 0;
    for (size_t g = 0; g < b->group_count; g++) n += !b->groups[g].done;
    return n;
}

static void give_up(batch* b, ptl_bench_status status) {
    for (size_t i = 0; i < b->group_count; i++)
        if (!b->groups[i].done) ptl_group_give_up(&b->groups[i], status);
}

/* Nothing that was measured is believed: the controls are to be calibrated anew. */
static void disown(batch* b) {
    b->job->disowned = true;
    for (size_t i = 0; i < b->group_count; i++) {
        ptl_measurement* m = &b->job->out[i];
        if (m->status == PTL_BENCH_OK && m->cycles > 0) m->status = PTL_BENCH_UNSTABLE;
        m->unsteady = false, m->low = m->high = 0;
    }
}

/* The group to blame for a run that ended at plan[at]; NULL if it was a control. */
static ptl_group* culprit_of(batch* b, uint32_t kernel) {
    return kernel < PTL_REFERENCES ? NULL : group_of(b, &b->variants[kernel - PTL_REFERENCES]);
}

/* Takes out visits to groups that are done; returns how many are left. */
static size_t without_done(batch* b, uint32_t* plan, size_t planned) {
    size_t kept = 0;
    for (size_t i = 0; i < planned; i++) {
        const ptl_group* g = culprit_of(b, plan[i]);
        if (!g || !g->done) plan[kept++] = plan[i];
    }
    return kept;
}

/* The kernel that a visit is to; NULL: a reference. */
static const ptl_kernel* kernel_of(const batch* b, uint32_t kernel) {
    return kernel < PTL_REFERENCES ? NULL : b->variants[kernel - PTL_REFERENCES].kernel;
}

static ptl_run run_of(const batch* b, const uint32_t* plan, size_t planned) {
    const ptl_session_batch* j = b->job;
    const ptl_kernel* k = kernel_of(b, plan[0]); /* of a foreign stretch, all are of its group */
    const ptl_page_list* pages = k ? k->pages : NULL;
    return (ptl_run){
        .offsets = b->offsets,
        .iterations = b->iterations,
        .kernels = PTL_REFERENCES + j->n,
        .plan = plan,
        .planned = planned,
        .segments = b->segments,
        .cpu = j->cpu,
        .cycles = j->cycles,
        .events = j->events,
        .event_count = j->event_count,
        .pages = pages ? pages->page : NULL,
        .page_count = pages ? pages->count : 0,
        .mapped = pages != NULL,
        .apart = pages && pages->apart,
    };
}

/* A fault at a page that can be mapped: it is added to the list. False: it is a fault for good. */
static bool add_page(ptl_page_list* pages, uint64_t fault) {
    uint64_t page = fault / PTL_PAGE_SIZE * PTL_PAGE_SIZE;
    if (fault == PTL_NO_ADDRESS || pages->count == PTL_PAGES_MAX || !ptl_request_page(page)) return false;
    for (size_t i = 0; i < pages->count; i++)
        if (pages->page[i] == page) return false; /* it is there: it cannot be accessed in this way */
    pages->page[pages->count++] = page;
    return true;
}

/* Decides what becomes of the group whose kernel ended a run; true: it is visited again. */
static bool is_mended(batch* b, uint32_t kernel, const ptl_run_outcome* o) {
    const ptl_kernel* k = kernel_of(b, kernel);
    if (k && k->pages && add_page(k->pages, o->fault)) return true;
    ptl_group* culprit = culprit_of(b, kernel);
    if (!culprit) return false;
    ptl_group_finish(culprit, o->status, NULL);
    culprit->out->fault = o->fault;
    return false;
}

/* Runs one stretch to its end: when a kernel brings its process down, its group is finished and the rest goes
 * on; when the time of one run is up, so does it. Foreign code could make every visit last as long as a run
 * may: when patience is at its end, it has one run more. */
static ptl_status run_stretch(batch* b, uint32_t* plan, size_t planned, ptl_error* error) {
    bool foreign = b->owner[plan[0]] != 0;
    while ((planned = without_done(b, plan, planned)) > 0) {
        ptl_run run = run_of(b, plan, planned);
        ptl_run_outcome o;
        ptl_status s = ptl_worker_run(b->job->worker, &run, &o, error);
        if (s) return s;
        for (size_t i = 0; i < o.visits; i++) record(b, plan[i], &o.visit[i]);
        if (o.status == PTL_BENCH_INTERRUPTED)
            return ptl_fail(error, PTL_INTERRUPTED, "measuring", NULL, "interrupted");
        size_t next = o.visits;
        if (o.status != PTL_BENCH_OK && next < planned && !is_mended(b, plan[next], &o)) next++;
        plan += next, planned -= next;
        if (foreign && ptl_now() > b->deadline) break;
    }
    return PTL_OK;
}

/* Returns what share of the controls' readings of the latest round was undisturbed. */
static double quiet_share(const ptl_panel* before, const ptl_panel* now) {
    double undisturbed = (double)now->undisturbed - (double)before->undisturbed;
    double all = (double)(now->visits - before->visits) * PTL_VISIT_PASSES;
    return all > 0 ? fmax(0, fmin(1, undisturbed / all)) : 0;
}

static ptl_status measure(batch* b, ptl_error* error) {
    ptl_session_batch* j = b->job;
    size_t left;
    b->deadline = ptl_now() + j->patience;
    while ((left = unfinished(b)) > 0) {
        if (ptl_interrupted()) return ptl_fail(error, PTL_INTERRUPTED, "measuring", NULL, "interrupted");
        ptl_panel before = b->panel;
        size_t stretches = make_plan(b);
        for (size_t i = 0; i < stretches; i++) {
            ptl_status s = run_stretch(b, b->order + b->stretches[i].first, b->stretches[i].count, error);
            if (s) return s;
        }
        b->conditions.spared = ptl_panel_judge(&b->panel);
        for (size_t g = 0; g < b->group_count; g++)
            if (!b->groups[g].done) ptl_group_judge(&b->groups[g], &b->conditions);
        double quiet = quiet_share(&before, &b->panel);
        left = unfinished(b);
        if (left && (ptl_now() > b->deadline || ptl_panel_is_off(&b->panel))) give_up(b, PTL_BENCH_UNSTABLE);
        if (j->progress)
            j->progress(j->context, j->groups_before + b->group_count - left, j->groups_in_all, quiet);
        if (quiet < NOISY) j->cpu = j->next_cpu(j->cpus, j->cpu);
    }
    if (!ptl_panel_holds(&b->panel, &b->conditions)) disown(b);
    return PTL_OK;
}

ptl_status ptl_session_batch_measure(ptl_session_batch* job, ptl_error* error) {
    batch b = {.job = job, .arena = PTL_ARENA_EMPTY};
    ptl_status s = prepare(&b, error);
    if (!s) s = measure(&b, error);
    if (s == PTL_INTERRUPTED) give_up(&b, PTL_BENCH_INTERRUPTED);
    job->accepted = b.panel.undisturbed, job->rejected = b.panel.disturbed;
    ptl_arena_release(&b.arena);
    return s;
}
