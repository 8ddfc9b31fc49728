#include "worker/visits.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "worker/counter.h"
#include "worker/pages.h"
#include "worker/sandbox.h"

typedef uint64_t kernel_function(void);

/* A short pass has a quarter of the iterations of a long one, and half of a short one runs ahead of each. */
enum { SHORTER = 4, WARM_UP = 2, TRIALS = 5, MANY_TICKS = 32 };

/* The visits need this at hand; it lies on the stack. */
typedef struct bench {
    const ptl_plan* plan;
    const ptl_memory* memory;
    ptl_counter counter;
    ptl_counter event[PTL_EVENTS_MAX];
    size_t event_count;
    uint32_t random;                      /* state of the jitter */
    uint32_t iterations[PTL_KERNELS_MAX]; /* of long passes, 0 until it is known */
} bench;

static kernel_function* function_of(const bench* b, uint32_t kernel) {
    union {
        const uint8_t* address;
        kernel_function* function;
    } u = {.address = b->memory->code + b->plan->offsets[kernel]};
    return u.function;
}

/* Ticks of `iterations` iterations, after a few untimed ones. */
static uint32_t timed(const bench* b, uint32_t kernel, uint32_t warm_up, uint32_t iterations) {
    ptl_frame* f = b->memory->frame;
    f->warm_up = warm_up;
    f->timed = iterations;
    uint64_t left = function_of(b, kernel)();
    if (left) {
        atomic_store(&b->memory->slot->derailed, 1);
        ptl_sandbox_exit(PTL_EXIT_DERAILED);
    }
    uint64_t ticks = f->end - f->start;
    return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
}

static void refresh_data(const bench* b) {
    uint64_t* p = (uint64_t*)(void*)(b->memory->data + PTL_DATA_BASE);
    for (size_t i = 0; i < PTL_DATA_FRESH / 8; i++) p[i] = PTL_DATA_PATTERN;
}

static uint32_t shorter(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Iterations of a long pass. The shortest of several trials counts, of the clock as well: one that was
 * interrupted would make all passes of this kernel too short or too long. */
static uint32_t choose_iterations(const bench* b, uint32_t kernel) {
    const ptl_segments* g = &b->plan->request->segments;
    uint32_t few = UINT32_MAX, chain = UINT32_MAX, further = 8, ticks = 0;
    for (int i = 0; i < TRIALS; i++) chain = shorter(chain, timed(b, PTL_CHAIN, 1, g->chain_iterations));
    uint32_t target = (uint32_t)((uint64_t)chain * g->long_cycles / g->chain_cycles);
    for (int i = 0; i < TRIALS; i++) few = shorter(few, timed(b, kernel, 1, 1));
    if (few > target) return 2; /* slow bodies are not run more often than need be */
    for (; further < PTL_ITERATIONS_MAX; further *= 4) {
        uint32_t more = UINT32_MAX;
        for (int i = 0; i < TRIALS; i++) more = shorter(more, timed(b, kernel, 1, 1 + further));
        ticks = more > few ? more - few : 0;
        if (ticks >= MANY_TICKS || more > target) break; /* else a coarse counter does not tell */
    }
    uint64_t n = (uint64_t)target * further / (ticks ? ticks : 1);
    return n < 2 ? 2 : n > PTL_ITERATIONS_MAX ? PTL_ITERATIONS_MAX : (uint32_t)n;
}

/* False if one of the events is not counted now. */
static bool read_events(const bench* b, uint64_t* counts) {
    bool all = true;
    for (size_t k = 0; k < b->event_count; k++) all &= ptl_counter_read(&b->event[k], &counts[k]);
    return all;
}

static uint32_t jitter(bench* b, uint32_t iterations) {
    b->random = b->random * 1664525 + 1013904223;
    return iterations > PTL_JITTER ? b->random >> 16 & PTL_JITTER : 0;
}

/* One pass. Counters are read outside of what is timed; they count the set-up and the warm-up, too. */
static void run_pass(bench* b, uint32_t kernel, uint32_t iterations, uint32_t warm_up, ptl_pass* p) {
    p->iterations = iterations;
    p->ticks = timed(b, kernel, warm_up, iterations);
}

static void run_counted(bench* b, ptl_visit* v, int length, uint32_t warm_up) {
    uint64_t before, after, events[PTL_EVENTS_MAX], *counts = v->event[length];
    bool counted = read_events(b, events);
    bool cycles = ptl_counter_read(&b->counter, &before);
    run_pass(b, v->kernel, v->nominal[length], warm_up, &v->pass[length][0]);
    cycles &= ptl_counter_read(&b->counter, &after);
    counted &= read_events(b, counts);
    v->counted &= counted;
    v->counter[length] = cycles ? after - before : 0;
    for (size_t k = 0; k < b->event_count; k++) counts[k] -= events[k];
}

static void visit(bench* b, uint32_t kernel, ptl_visit* v) {
    const ptl_segments* g = &b->plan->request->segments;
    const uint32_t chain = g->chain_iterations;
    refresh_data(b);
    v->sentinel[0] = timed(b, PTL_SENTINEL, 1, g->sentinel_iterations);
    v->chain[0] = timed(b, PTL_CHAIN, 1, chain);
    if (!b->iterations[kernel]) b->iterations[kernel] = choose_iterations(b, kernel);
    v->kernel = kernel;
    v->nominal[PTL_LONG] = b->iterations[kernel];
    v->nominal[PTL_SHORT] = (v->nominal[PTL_LONG] + SHORTER - 1) / SHORTER;
    v->counted = b->event_count > 0;
    uint32_t warm_up = 1 + v->nominal[PTL_SHORT] / WARM_UP, jittery = v->nominal[PTL_SHORT];
    timed(b, kernel, 1,
          v->nominal[PTL_LONG]); /* what is done once, fetching code and powering up units, is done here */
    for (int i = 0; i < PTL_VISIT_PASSES; i++) {
        for (int k = PTL_SHORT; k <= PTL_LONG; k++)
            if (i == 0)
                run_counted(b, v, k, warm_up);
            else
                run_pass(b, kernel, v->nominal[k] + jitter(b, jittery), warm_up, &v->pass[k][i]);
        v->chain[i + 1] = timed(b, PTL_CHAIN, 1, chain);
    }
    v->sentinel[1] = timed(b, PTL_SENTINEL, 1, g->sentinel_iterations);
}

static void run_plan(bench* b) {
    ptl_slot* slot = b->memory->slot;
    const ptl_request* r = b->plan->request;
    for (int i = 0; i < 3; i++)
        timed(b, PTL_CHAIN, 1, r->segments.chain_iterations), timed(b, PTL_SENTINEL, 1, 1);
    for (uint32_t i = 0; i < r->planned && !atomic_load_explicit(&slot->stop, memory_order_relaxed); i++) {
        visit(b, b->plan->order[i], &slot->visit[i]);
        atomic_store_explicit(&slot->done, i + 1, memory_order_release);
    }
}

static void open_counters(bench* b) {
    const ptl_request* r = b->plan->request;
    if (r->cycles) ptl_counter_start(&b->counter, &r->attribute[0]); /* what fails is never counted */
    for (; b->event_count < r->events; b->event_count++)
        ptl_counter_start(&b->event[b->event_count], &r->attribute[1 + b->event_count]);
}

/* Maps the pages of a mapped run. What is there already cannot be mapped: to access it is a fault. */
static void map_pages(const ptl_memory* m, const ptl_plan* plan) {
    const ptl_request* r = plan->request;
    if (r->mapped && ptl_pages_map(plan->pages, r->pages, r->apart != 0, &m->slot->fault))
        ptl_sandbox_exit(PTL_EXIT_FAULT);
    if (r->mapped) ptl_pages_catch(&m->slot->fault, PTL_EXIT_FAULT);
}

void ptl_visits_run(const ptl_memory* m, const ptl_plan* plan, pid_t parent) {
    const ptl_request* r = plan->request;
    bench b = {.plan = plan, .memory = m, .counter = {.fd = -1}, .random = plan->order[0]};
    memcpy(b.iterations, plan->iterations, r->kernels * sizeof *b.iterations);
    int failed = ptl_sandbox_prepare(parent, r->deadline_ms / 1000 + 2);
    close(0); /* the stream to Portolan: the last descriptor there is */
    open_counters(&b);
    if (!failed) map_pages(m, plan);
    if (failed || (ptl_sandbox_enter() && !plan->unfiltered)) ptl_sandbox_decline();
    run_plan(&b);
    ptl_sandbox_exit(PTL_EXIT_DONE);
}
