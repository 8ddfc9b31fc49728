#include "bench/session.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/event.h"
#include "bench/session_batch.h"

enum { CPUS_MAX = 1024 };

struct ptl_session {
    ptl_worker* worker;
    ptl_session_options options;
    ptl_calibration calibration;
    ptl_weather weather;
    double surveyed; /* when; 0: never */
    ptl_rng rng;
    int cpu;
    int cpus[CPUS_MAX]; /* to choose from */
    size_t cpu_count;
    bool counter; /* of core cycles: there is one */
    struct perf_event_attr cycles, event[PTL_EVENTS_MAX];
    size_t event_count;
    unsigned long accepted, rejected;
};

/* Registers hold values by one of these rows when a loop body starts; the data window holds PTL_DATA_PATTERN.
 */
static const ptl_start operands[] = {
    {.vector = PTL_DATA_PATTERN, .gpr = 0x2b, .step = 2},
    {.vector = UINT64_C(0x4009921fb54442d1),
     .gpr = UINT64_C(0x9e3779b97f4a7c15),
     .step = UINT64_C(0x1000000000000001)},
};

static void set_frame(ptl_session* s, unsigned kind) {
    ptl_start start = operands[kind];
    start.pointers = s->options.pointers;
    ptl_frame f;
    ptl_worker_target(s->worker)->set_frame(&f, &start);
    ptl_worker_set_frame(s->worker, &f);
}

void ptl_session_operands(ptl_session* s, bool other) {
    set_frame(s, other ? 1 : 0);
}

/* The processors to choose from: those given, or all that this process may use, the highest first. */
static void list_cpus(ptl_session* s) {
    cpu_set_t set;
    if (s->options.cpu >= 0) {
        s->cpus[s->cpu_count++] = s->options.cpu;
    } else if (s->options.cpu_count > 0) {
        for (size_t i = 0; i < s->options.cpu_count && i < CPUS_MAX; i++)
            s->cpus[s->cpu_count++] = s->options.cpus[i];
    } else if (!sched_getaffinity(0, sizeof set, &set)) {
        for (int c = CPUS_MAX - 1; c >= 0; c--)
            if (CPU_ISSET((unsigned)c, &set)) s->cpus[s->cpu_count++] = c;
    }
    s->options.cpus = NULL; /* the caller's */
}

/* The processor after this one; -1 (any) if there is none to choose from. */
static int next_cpu(const void* session, int cpu) {
    const ptl_session* s = session;
    for (size_t i = 0; i < s->cpu_count; i++)
        if (s->cpus[i] == cpu) return s->cpus[(i + 1) % s->cpu_count];
    return s->cpu_count > 0 ? s->cpus[0] : -1;
}

static bool has_counter(struct perf_event_attr* cycles) {
    ptl_counter c;
    if (ptl_event_open(&c, PTL_CYCLES, NULL)) return false;
    ptl_counter_close(&c);
    return !ptl_event_encode(PTL_CYCLES, cycles, NULL);
}

/* Calibrates until two calibrations in a row agree. */
static ptl_status calibrate(ptl_session* s, ptl_error* error) {
    const double each = 0.05; /* seconds */
    double deadline = ptl_now() + s->options.patience;
    ptl_calibration last = {0};
    ptl_status status;
    do {
        ptl_calibration c;
        status = ptl_calibrate(s->worker, s->cpu, s->options.adders, each, &c, error);
        if (status == PTL_LIMIT) {
            s->cpu = next_cpu(s, s->cpu);
            continue;
        }
        if (status) return status;
        ptl_calibration both = c;
        if (last.visits > 0 && ptl_calibrations_agree(&both, &last)) {
            s->calibration = both;
            return PTL_OK;
        }
        last = c;
        status = ptl_fail(error, PTL_LIMIT, "calibration", "wait until nothing else runs on this machine",
                          "no two calibrations agree: independent integer operations ran at %.3f cycles",
                          c.alu_cycles);
    } while (ptl_now() < deadline);
    return status;
}

/* An emulator's time says nothing about a processor. */
static ptl_status calibrate_here(ptl_session* s, ptl_error* error) {
    if (ptl_worker_layers(s->worker) & PTL_LAYER_EMULATOR)
        return ptl_fail(error, PTL_UNSUPPORTED, "calibration", "measure on the processor itself",
                        "this processor is emulated (qemu): it has no times of its own");
    return calibrate(s, error);
}

ptl_status ptl_session_open(ptl_session** out, const ptl_session_options* o, ptl_error* error) {
    *out = NULL;
    ptl_session* s = calloc(1, sizeof *s);
    if (!s) return ptl_no_memory_in(error, "session");
    s->options = *o;
    s->rng = ptl_rng_seed(o->seed);
    list_cpus(s);
    s->cpu = next_cpu(s, -1);
    s->counter = has_counter(&s->cycles);
    ptl_status status = ptl_worker_open(&s->worker, o->worker, s->counter, error);
    if (!status) {
        set_frame(s, 0);
        s->calibration = ptl_uncalibrated();
        if (!o->uncalibrated) status = calibrate_here(s, error);
    }
    if (!status)
        *out = s;
    else
        ptl_session_close(s);
    return status;
}

void ptl_session_close(ptl_session* s) {
    if (!s) return;
    ptl_worker_close(s->worker);
    free(s);
}

const ptl_calibration* ptl_session_calibration(const ptl_session* s) {
    return &s->calibration;
}

const ptl_weather* ptl_session_weather(const ptl_session* s) {
    return &s->weather;
}

uint32_t ptl_session_layers(const ptl_session* s) {
    return ptl_worker_layers(s->worker);
}

void ptl_session_noise(const ptl_session* s, unsigned long* accepted, unsigned long* rejected) {
    *accepted = s->accepted;
    *rejected = s->rejected;
}

/* All of them at once: a processor may have too few counters for that. */
static ptl_status try_counters(const char* const* events, size_t n, ptl_error* error) {
    ptl_counter c[PTL_EVENTS_MAX];
    size_t opened = 0;
    ptl_status status = PTL_OK;
    for (; opened < n && !status; opened++) status = ptl_event_open(&c[opened], events[opened], error);
    for (size_t k = 0; k < opened; k++) {
        uint64_t count;
        if (!status && !ptl_counter_read(&c[k], &count))
            status = ptl_fail(error, PTL_UNSUPPORTED, events[k],
                              "count fewer events at once, or stop other programs that count",
                              "all counters of this processor are in use");
    }
    for (size_t k = 0; k < opened; k++) ptl_counter_close(&c[k]);
    return status;
}

ptl_status ptl_session_count(ptl_session* s, const char* const* events, size_t n, ptl_error* error) {
    s->event_count = 0;
    if (n > PTL_EVENTS_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, "events", NULL, "%zu events; at most %d can be counted at once",
                        n, PTL_EVENTS_MAX);
    ptl_status status = PTL_OK;
    for (size_t k = 0; k < n && !status; k++) status = ptl_event_encode(events[k], &s->event[k], error);
    if (!status) status = try_counters(events, n, error);
    if (!status) s->event_count = n;
    return status;
}

/* Returns where the batch ends that begins with kernel `first`: behind as many kernels as fit, whole groups
 * only. */
static size_t batch_end(const ptl_kernel* k, size_t first, size_t n) {
    size_t bytes = 0, end = first;
    for (size_t i = first; i < n;) {
        size_t next = i, group_bytes = 0;
        for (; next < n && k[next].group == k[i].group; next++)
            group_bytes += k[next].size + k[next].ahead_size + PTL_KERNEL_OVERHEAD + PTL_KERNEL_ALIGN;
        bool full = k[i].group - k[first].group >= PTL_BATCH_GROUPS_MAX ||
                    next - first > PTL_BATCH_KERNELS_MAX || bytes + group_bytes > PTL_BATCH_BYTES_MAX;
        if (full && end > first) break;
        bytes += group_bytes;
        end = i = next;
    }
    return end;
}

static ptl_status check(const ptl_kernel* k, size_t n, size_t groups, ptl_error* error) {
    size_t in_group = 0;
    for (size_t i = 0; i < n; i++) {
        bool new_group = i == 0 || k[i].group != k[i - 1].group;
        in_group = new_group ? 1 : in_group + 1;
        if (k[i].size > PTL_BODY_MAX)
            return ptl_fail(error, PTL_BAD_INPUT, "experiment", "measure a shorter block",
                            "%zu bytes of code; at most %d can be measured", k[i].size, PTL_BODY_MAX);
        if (k[i].pages && sysconf(_SC_PAGESIZE) != PTL_PAGE_SIZE)
            return ptl_fail(error, PTL_UNSUPPORTED, "experiment", "measure on a system with pages of 4 KiB",
                            "real blocks are run in pages of 4 KiB; this system's have %ld KiB",
                            sysconf(_SC_PAGESIZE) / 1024);
        if (k[i].size == 0 || k[i].copies == 0 || k[i].ahead_size > PTL_AHEAD_SIZE_MAX ||
            in_group > PTL_GROUP_KERNELS_MAX || (new_group && k[i].group != (i ? k[i - 1].group + 1 : 0)))
            return ptl_fail(error, PTL_INTERNAL, "session", NULL, "kernel %zu is malformed", i);
    }
    if (n && k[n - 1].group + 1 != groups)
        return ptl_fail(error, PTL_INTERNAL, "session", NULL, "a group has no kernel");
    return PTL_OK;
}

/* After controls that were off. In bad weather the old calibration may have to do, and be found to be off
 * again. */
static ptl_status recalibrate(ptl_session* s, ptl_error* error) {
    ptl_status status = calibrate(s, error);
    s->surveyed = 0;
    return status == PTL_LIMIT ? PTL_OK : status;
}

/* Cycles of long passes, as the weather of the last seconds has it. */
static ptl_status choose_length(ptl_session* s, uint32_t* cycles, ptl_error* error) {
    const double fresh = 2; /* seconds */
    const uint32_t usual = 4000;
    ptl_status status = PTL_OK;
    if (s->options.uncalibrated) {
        *cycles = usual;
        return PTL_OK;
    }
    if (s->surveyed == 0 || ptl_now() - s->surveyed > fresh) {
        status = ptl_survey(s->worker, s->cpu, &s->calibration, &s->weather, error);
        s->surveyed = ptl_now();
    }
    *cycles = (uint32_t)s->weather.cycles[s->weather.best];
    return status;
}

ptl_status ptl_session_run(ptl_session* s, const ptl_kernel* kernels, size_t n, size_t groups,
                           ptl_measurement* out, ptl_session_progress* progress, void* context,
                           ptl_error* error) {
    ptl_status status = check(kernels, n, groups, error);
    if (status) return status;
    for (size_t g = 0; g < groups; g++) out[g] = (ptl_measurement){.status = PTL_BENCH_INTERRUPTED};
    for (size_t first = 0; first < n && !status;) {
        size_t end = batch_end(kernels, first, n);
        uint32_t long_cycles;
        status = choose_length(s, &long_cycles, error);
        if (status) break;
        ptl_session_batch job = {
            .worker = s->worker,
            .calibration = &s->calibration,
            .rng = &s->rng,
            .long_cycles = long_cycles,
            .cpu = s->cpu,
            .next_cpu = next_cpu,
            .cpus = s,
            .patience = s->options.patience,
            .cycles = s->counter ? &s->cycles : NULL,
            .events = s->event,
            .event_count = s->event_count,
            .kernels = kernels + first,
            .n = end - first,
            .groups_before = kernels[first].group,
            .groups_in_all = groups,
            .out = out + kernels[first].group,
            .progress = progress,
            .context = context,
        };
        status = ptl_session_batch_measure(&job, error);
        if (!status && job.disowned) status = recalibrate(s, error);
        s->accepted += job.accepted;
        s->rejected += job.rejected;
        s->cpu = job.cpu;
        first = end;
    }
    return status;
}
