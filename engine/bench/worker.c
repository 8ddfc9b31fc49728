#include "bench/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "bench/counter.h"
#include "bench/sandbox.h"

/* The protocol block at the start of shared memory. */
typedef struct shared_block {
    _Atomic uint32_t done;     /* visits completed */
    _Atomic uint32_t derailed; /* the visit in flight came back from the wrong place */
    _Atomic uint32_t ready;    /* the sandbox is closed */
    int32_t error;             /* errno, if it could not be */
    ptl_visit visit[PTL_PLAN_MAX];
} shared_block;

_Static_assert(sizeof(shared_block) <= PTL_SHARED_SIZE, "the protocol block fits into shared memory");

typedef uint64_t kernel_function(void);

enum { EXIT_DONE = 0, EXIT_DERAILED = 3, EXIT_NO_SANDBOX = 4 };

/* A short pass has a quarter of the iterations of a long one, and half of a short one runs ahead of each. */
enum { SHORTER = 4, WARM_UP = 2 };

/* Passes have 0 to JITTER iterations more than the nominal number. Else predictors of branches learn where a
 * loop of so many iterations ends, and the misprediction there comes in some passes and not in others. */
enum { JITTER = 3, ITERATIONS_MAX = 1 << 20, TRIALS = 5 };

/* What the worker needs at hand; on its stack. */
typedef struct bench {
    const uint8_t* code;
    const uint32_t* offsets;
    const ptl_bench_memory* memory;
    shared_block* shared;
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
    } u = {.address = b->code + b->offsets[kernel]};
    return u.function;
}

/* Ticks of `iterations` iterations, after a few untimed ones. */
static uint32_t timed(const bench* b, uint32_t kernel, uint32_t warm_up, uint32_t iterations) {
    ptl_frame* f = b->memory->frame;
    f->warm_up = warm_up;
    f->timed = iterations;
    uint64_t left = function_of(b, kernel)();
    if (left) {
        atomic_store(&b->shared->derailed, 1);
        ptl_sandbox_exit(EXIT_DERAILED);
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
static uint32_t choose_iterations(const bench* b, uint32_t kernel, const ptl_segments* g) {
    uint32_t few = UINT32_MAX, more = UINT32_MAX, chain = UINT32_MAX, passes = 9;
    for (int i = 0; i < TRIALS; i++) chain = shorter(chain, timed(b, PTL_CHAIN, 1, g->chain_iterations));
    uint32_t target = (uint32_t)((uint64_t)chain * g->long_cycles / g->chain_cycles);
    for (int i = 0; i < TRIALS; i++) few = shorter(few, timed(b, kernel, 1, 1));
    if (few > target) return 2; /* slow bodies are not run more often than need be */
    for (int i = 0; i < TRIALS; i++) more = shorter(more, timed(b, kernel, 1, passes));
    uint32_t each = more > few ? (more - few) / (passes - 1) : more / passes;
    uint32_t n = target / (each ? each : 1);
    return n < 2 ? 2 : n > ITERATIONS_MAX ? ITERATIONS_MAX : n;
}

/* False if one of the events is not counted now. */
static bool read_events(const bench* b, uint64_t* counts) {
    bool all = true;
    for (size_t k = 0; k < b->event_count; k++) all &= ptl_counter_read(&b->event[k], &counts[k]);
    return all;
}

static uint32_t jitter(bench* b, uint32_t iterations) {
    b->random = b->random * 1664525 + 1013904223;
    return iterations > JITTER ? b->random >> 16 & JITTER : 0;
}

/* One pass. Counters are read outside of what is timed; they count the set-up and the warm-up, too. */
static void run_pass(bench* b, uint32_t kernel, uint32_t iterations, uint32_t warm_up, ptl_pass* p) {
    p->iterations = iterations;
    p->ticks = timed(b, kernel, warm_up, iterations);
}

static void run_counted(bench* b, ptl_visit* v, int length, uint32_t warm_up) {
    uint64_t before, after, events[PTL_EVENTS_MAX], *counts = v->event[length];
    v->counted &= read_events(b, events);
    ptl_counter_read(&b->counter, &before);
    run_pass(b, v->kernel, v->nominal[length], warm_up, &v->pass[length][0]);
    ptl_counter_read(&b->counter, &after);
    v->counted &= read_events(b, counts);
    v->counter[length] = after - before;
    for (size_t k = 0; k < b->event_count; k++) counts[k] -= events[k];
}

static void visit(bench* b, uint32_t kernel, const ptl_segments* g, ptl_visit* v) {
    refresh_data(b);
    v->sentinel[0] = timed(b, PTL_SENTINEL, 1, 1);
    v->chain[0] = timed(b, PTL_CHAIN, 1, g->chain_iterations);
    if (!b->iterations[kernel]) b->iterations[kernel] = choose_iterations(b, kernel, g);
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
        v->chain[i + 1] = timed(b, PTL_CHAIN, 1, g->chain_iterations);
    }
    v->sentinel[1] = timed(b, PTL_SENTINEL, 1, 1);
}

static void run_plan(bench* b, const ptl_run* run) {
    for (int i = 0; i < 3; i++)
        timed(b, PTL_CHAIN, 1, run->segments.chain_iterations), timed(b, PTL_SENTINEL, 1, 1);
    for (size_t i = 0; i < run->planned; i++) {
        visit(b, run->plan[i], &run->segments, &b->shared->visit[i]);
        atomic_store_explicit(&b->shared->done, (uint32_t)i + 1, memory_order_release);
    }
}

static void worker_main(const ptl_bench_memory* m, const ptl_run* run, pid_t parent) {
    shared_block* shared = m->shared;
    bench b = {.offsets = run->offsets,
               .memory = m,
               .shared = shared,
               .counter = {.fd = -1},
               .random = run->plan[0]};
    memcpy(b.iterations, run->iterations, run->kernels * sizeof *b.iterations);
    int failed = ptl_sandbox_prepare(run->cpu);
    if (getppid() != parent) ptl_sandbox_exit(EXIT_NO_SANDBOX); /* it died before we asked to die with it */
    if (!failed && run->counter) ptl_counter_open(&b.counter, PTL_CYCLES, NULL);
    for (; !failed && b.event_count < run->event_count; b.event_count++) /* what fails is never counted */
        ptl_counter_open(&b.event[b.event_count], run->events[b.event_count], NULL);
    if (!failed) b.code = ptl_bench_memory_executable(m);
    if (failed || !b.code || ptl_sandbox_enter()) {
        shared->error = errno;
        ptl_sandbox_exit(EXIT_NO_SANDBOX);
    }
    atomic_store(&shared->ready, 1);
    run_plan(&b, run);
    ptl_sandbox_exit(EXIT_DONE);
}

/* Waits for the end of the child; kills it when it makes no progress or the user wants to stop. */
static ptl_bench_status await(pid_t child, const shared_block* shared, double stall_seconds, int* status) {
    ptl_bench_status verdict = PTL_BENCH_OK;
    int fd = (int)syscall(SYS_pidfd_open, child, 0);
    uint32_t last = 0;
    double since = ptl_now();
    while (waitpid(child, status, WNOHANG) == 0) {
        if (fd >= 0)
            poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 100);
        else
            usleep(2000);
        uint32_t done = atomic_load(&shared->done);
        if (done != last) last = done, since = ptl_now();
        if (ptl_interrupted()) verdict = PTL_BENCH_INTERRUPTED;
        if (ptl_now() - since > stall_seconds) verdict = PTL_BENCH_TIMEOUT;
        if (verdict == PTL_BENCH_OK) continue;
        kill(child, SIGKILL);
        while (waitpid(child, status, 0) < 0 && errno == EINTR) {
        }
        break;
    }
    if (fd >= 0) close(fd);
    return verdict;
}

static ptl_bench_status status_of_signal(int signal) {
    switch (signal) {
    case SIGILL: return PTL_BENCH_ILLEGAL;
    case SIGSEGV:
    case SIGBUS: return PTL_BENCH_MEMORY;
    case SIGFPE: return PTL_BENCH_ARITHMETIC;
    case SIGTRAP: return PTL_BENCH_TRAP;
    case SIGSYS: return PTL_BENCH_SYSTEM_CALL;
    default: return PTL_BENCH_DERAILED;
    }
}

ptl_status ptl_worker_run(const ptl_bench_memory* m, const ptl_run* run, ptl_run_outcome* out, ptl_error* e) {
    shared_block* shared = m->shared;
    *out = (ptl_run_outcome){.visit = shared->visit};
    if (run->planned > PTL_PLAN_MAX || run->kernels > PTL_KERNELS_MAX)
        return ptl_fail(e, PTL_INTERNAL, "worker", NULL, "a plan of %zu visits to %zu kernels is too large",
                        run->planned, run->kernels);
    atomic_store(&shared->done, 0);
    atomic_store(&shared->derailed, 0);
    atomic_store(&shared->ready, 0);
    shared->error = 0;
    pid_t parent = getpid(), child = fork();
    if (child < 0) return ptl_fail_errno(e, "worker", "fork");
    if (child == 0) worker_main(m, run, parent);

    int status = 0;
    out->status = await(child, shared, run->stall_seconds, &status);
    uint32_t done = atomic_load(&shared->done);
    out->visits = done < run->planned ? done : run->planned;
    for (size_t i = 0; i < out->visits; i++) {
        uint32_t n = out->visit[i].nominal[PTL_LONG]; /* written by the worker: bounded */
        run->iterations[run->plan[i]] = n > 1 && n <= ITERATIONS_MAX ? n : 0;
    }
    if (out->status != PTL_BENCH_OK) return PTL_OK;
    if (!atomic_load(&shared->ready))
        return ptl_fail(
            e, PTL_SYSTEM, "worker",
            "the processor must exist, the system allow seccomp filters and executable memory files",
            "the sandbox cannot be set up on processor %d: %s", run->cpu, strerror(shared->error));
    if (out->visits == run->planned) return PTL_OK;
    if (WIFSIGNALED(status))
        out->status = status_of_signal(WTERMSIG(status));
    else /* code that called exit_group by itself ends up here, too */
        out->status = atomic_load(&shared->derailed) ? PTL_BENCH_DERAILED : PTL_BENCH_SYSTEM_CALL;
    return PTL_OK;
}
