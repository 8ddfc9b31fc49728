#include "bench/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "bench/counter.h"
#include "bench/sandbox.h"

/* The protocol block at the start of shared memory. */
typedef struct shared_block {
    _Atomic uint32_t done;     /* samples completed */
    _Atomic uint32_t derailed; /* the sample in flight came back from the wrong place */
    _Atomic uint32_t ready;    /* the sandbox is closed */
    int32_t error;             /* errno, if it could not be */
    ptl_sample sample[PTL_PLAN_MAX];
} shared_block;

_Static_assert(sizeof(shared_block) <= PTL_SHARED_SIZE, "the protocol block fits into shared memory");

typedef uint64_t kernel_function(uint64_t iterations);

enum { EXIT_DONE = 0, EXIT_DERAILED = 3, EXIT_NO_SANDBOX = 4 };

static uint64_t ticks(void) {
    unsigned processor;
    uint64_t t = __rdtscp(&processor);
    _mm_lfence();
    return t;
}

/* 1/4 of N iterations run before a sample. What is done once, fetching code and decoding it, powering up wide
 * vector units, would else be in the first N iterations only, and the difference of 2N and N come out up to
 * 1% too small. */
enum { WARM_UP = 4 };

/* What the worker needs at hand; on its stack. */
typedef struct bench {
    const uint8_t* code;
    const uint32_t* offsets;
    const ptl_bench_memory* memory;
    shared_block* shared;
    ptl_counter counter;
    ptl_counter event[PTL_EVENTS_MAX];
    size_t event_count;
    uint32_t iterations[PTL_KERNELS_MAX]; /* N per kernel, 0 until it is known */
} bench;

static kernel_function* function_of(const bench* b, uint32_t kernel) {
    union {
        const uint8_t* address;
        kernel_function* function;
    } u = {.address = b->code + b->offsets[kernel]};
    return u.function;
}

static uint64_t timed(const bench* b, uint32_t kernel, uint32_t iterations) {
    kernel_function* f = function_of(b, kernel);
    uint64_t start = ticks();
    uint64_t left = f(iterations);
    uint64_t end = ticks();
    if (left) {
        atomic_store(&b->shared->derailed, 1);
        ptl_sandbox_exit(EXIT_DERAILED);
    }
    return end - start;
}

static void refresh_data(const bench* b) {
    uint64_t* p = (uint64_t*)(void*)(b->memory->data + PTL_DATA_BASE);
    for (size_t i = 0; i < PTL_DATA_FRESH / 8; i++) p[i] = PTL_DATA_PATTERN;
}

/* N such that N iterations take about `target` ticks; runs the kernel a few times to find out, which also
 * warms it up. */
static uint32_t choose_iterations(const bench* b, uint32_t kernel, uint32_t target) {
    const uint32_t most = 1 << 20;
    timed(b, kernel, 1);
    uint64_t few = timed(b, kernel, 1), more = few;
    uint32_t passes = 1;
    if (few < target)
        passes = 9, more = timed(b, kernel, passes); /* slow bodies are not run more often than need be */
    uint64_t each = passes > 1 && more > few ? (more - few) / (passes - 1) : more / passes;
    uint64_t n = target / (each ? each : 1);
    return n < 1 ? 1 : n > most ? most : (uint32_t)n;
}

/* False if one of the events is not counted now. */
static bool read_events(const bench* b, uint64_t* counts) {
    bool all = true;
    for (size_t k = 0; k < b->event_count; k++) all &= ptl_counter_read(&b->event[k], &counts[k]);
    return all;
}

static void sample_body(const bench* b, uint32_t kernel, ptl_sample* s) {
    s->counted = b->event_count > 0;
    timed(b, kernel, 1 + s->iterations / WARM_UP);
    for (uint32_t times = 1; times <= 2; times++) {
        uint64_t before, after, events[PTL_EVENTS_MAX], *counts = s->event[times - 1];
        s->counted &= read_events(b, events);
        ptl_counter_read(&b->counter, &before);
        s->body[times - 1] = timed(b, kernel, times * s->iterations);
        ptl_counter_read(&b->counter, &after);
        s->counted &= read_events(b, counts);
        s->counter[times - 1] = after - before;
        for (size_t k = 0; k < b->event_count; k++) counts[k] -= events[k];
    }
}

static void run_plan(bench* b, const ptl_run* run) {
    const ptl_segments* g = &run->segments;
    for (int i = 0; i < 3; i++)
        timed(b, PTL_CHAIN, g->chain_iterations), timed(b, PTL_SENTINEL, g->sentinel_iterations);
    uint64_t chain = timed(b, PTL_CHAIN, g->chain_iterations);
    for (size_t i = 0; i < run->planned; i++) {
        uint32_t kernel = run->plan[i];
        ptl_sample* s = &b->shared->sample[i];
        refresh_data(b);
        if (!b->iterations[kernel]) {
            b->iterations[kernel] = choose_iterations(b, kernel, g->body_ticks);
            chain = timed(b, PTL_CHAIN, g->chain_iterations); /* the bracket must be next to the sample */
        }
        s->iterations = b->iterations[kernel];
        s->chain[0] = chain;
        s->sentinel[0] = timed(b, PTL_SENTINEL, g->sentinel_iterations);
        sample_body(b, kernel, s);
        s->sentinel[1] = timed(b, PTL_SENTINEL, g->sentinel_iterations);
        s->chain[1] = chain = timed(b, PTL_CHAIN, g->chain_iterations);
        atomic_store_explicit(&b->shared->done, (uint32_t)i + 1, memory_order_release);
    }
}

static void worker_main(const ptl_bench_memory* m, const ptl_run* run, pid_t parent) {
    shared_block* shared = m->shared;
    bench b = {.offsets = run->offsets, .memory = m, .shared = shared, .counter = {.fd = -1}};
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
    *out = (ptl_run_outcome){.sample = shared->sample};
    if (run->planned > PTL_PLAN_MAX || run->kernels > PTL_KERNELS_MAX)
        return ptl_fail(e, PTL_INTERNAL, "worker", NULL, "a plan of %zu samples of %zu kernels is too large",
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
    out->samples = done < run->planned ? done : run->planned;
    if (out->status != PTL_BENCH_OK) return PTL_OK;
    if (!atomic_load(&shared->ready))
        return ptl_fail(
            e, PTL_SYSTEM, "worker",
            "the processor must exist, the system allow seccomp filters and executable memory files",
            "the sandbox cannot be set up on processor %d: %s", run->cpu, strerror(shared->error));
    if (out->samples == run->planned) return PTL_OK;
    if (WIFSIGNALED(status))
        out->status = status_of_signal(WTERMSIG(status));
    else /* code that called exit_group by itself ends up here, too */
        out->status = atomic_load(&shared->derailed) ? PTL_BENCH_DERAILED : PTL_BENCH_SYSTEM_CALL;
    return PTL_OK;
}
