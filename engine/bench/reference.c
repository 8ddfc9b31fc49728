#include "bench/reference.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <x86intrin.h>

#include "base/clock.h"

enum { PER_RUN = 60, AT_MOST = 2000 };

size_t ptl_reference_compile(const ptl_bench_memory* m, uint32_t* offsets) {
    uint8_t body[PTL_REFERENCE_BODY_MAX];
    size_t (*const make[PTL_REFERENCES])(uint8_t*, unsigned*) = {
        [PTL_CHAIN] = ptl_codegen_imul_chain,
        [PTL_ADD_CHAIN] = ptl_codegen_add_chain,
        [PTL_SENTINEL] = ptl_codegen_sentinel,
    };
    size_t at = 0;
    for (int i = 0; i < PTL_REFERENCES; i++) {
        unsigned units;
        size_t size = make[i](body, &units);
        offsets[i] = (uint32_t)at;
        at += ptl_codegen_kernel(m->code + at, at, m->frame, body, size, 0);
        at = (at + PTL_KERNEL_ALIGN - 1) / PTL_KERNEL_ALIGN * PTL_KERNEL_ALIGN;
    }
    return at;
}

ptl_segments ptl_reference_segments(void) {
    /* About 18,000, 8,000 and 24,000 + 48,000 cycles on a core with four adders. */
    return (ptl_segments){.chain_iterations = 100, .sentinel_iterations = 160, .body_ticks = 20000};
}

static double measure_tsc_hz(void) {
    unsigned processor;
    double start = ptl_now(), end;
    uint64_t t0 = __rdtscp(&processor);
    while ((end = ptl_now()) - start < 0.02) {
    }
    return (double)(__rdtscp(&processor) - t0) / (end - start);
}

/* What all calibration samples say, one array each. */
typedef struct collected {
    size_t n;
    double overhead[AT_MOST]; /* ticks */
    double latency[AT_MOST];  /* imul chain link over add chain link */
    double sentinel[AT_MOST]; /* in add chain links per instruction */
} collected;

static void collect(collected* c, const ptl_sample* chain, const ptl_sample* adds, const ptl_segments* g) {
    unsigned imuls, links, units;
    uint8_t body[PTL_REFERENCE_BODY_MAX];
    ptl_codegen_imul_chain(body, &imuls);
    ptl_codegen_add_chain(body, &links);
    ptl_codegen_sentinel(body, &units);
    double imul = ((double)chain->body[1] - (double)chain->body[0]) / chain->iterations / imuls;
    double add = ((double)adds->body[1] - (double)adds->body[0]) / adds->iterations / links;
    if (!(imul > 0) || !(add > 0) || c->n == AT_MOST) return;
    double overhead = 2.0 * (double)chain->body[0] - (double)chain->body[1];
    double sentinel = (double)adds->sentinel[0] - overhead;
    c->overhead[c->n] = overhead;
    c->latency[c->n] = imul / add;
    c->sentinel[c->n] = sentinel / add / (g->sentinel_iterations * units);
    c->n++;
}

/* Is this rate what a whole number of adders gives? Its loop adds half a percent. */
static bool plausible(double sentinel, unsigned adders) {
    const unsigned fewest = 3; /* no x86-64 core of interest has fewer; a shared one looks as if */
    if (!(sentinel > 0)) return false;
    double n = 1 / sentinel, whole = round(n);
    if (fabs(n - whole) > 0.02 * n) return false;
    return adders ? whole == adders : whole >= fewest;
}

static ptl_status conclude(collected* c, ptl_sentinel_hint hint, ptl_calibration* out, ptl_error* e) {
    const char* mend = "wait until nothing else runs on this machine";
    size_t n = c->n, support = n / 20 > 12 ? n / 20 : 12;
    if (n < 2 * support) return ptl_fail(e, PTL_LIMIT, "calibration", mend, "only %zu usable samples", n);
    double latency = ptl_summarise(c->latency, n).median;
    if (fabs(latency - round(latency)) > 0.02 * latency || latency < 1)
        return ptl_fail(e, PTL_LIMIT, "calibration", mend,
                        "a multiplication takes %.3f times an addition, no whole number", latency);
    double sentinel = ptl_fastest_cluster(c->sentinel, n, support);
    if (hint.cycles > 0)
        sentinel = hint.cycles;
    else if (!plausible(sentinel, hint.adders))
        return ptl_fail(e, PTL_LIMIT, "calibration", mend,
                        "independent additions run at %.3f cycles: this core is shared with something busy",
                        sentinel);

    size_t quiet = 0;
    for (size_t i = 0; i < n; i++) quiet += fabs(c->sentinel[i] - sentinel) < 0.05 * sentinel;
    out->imul_latency = round(latency);
    out->quiet_share = (double)quiet / (double)n;
    out->samples = (unsigned)n;
    out->reference.overhead_ticks = ptl_summarise(c->overhead, n).median;
    out->reference.sentinel_cycles = sentinel;
    return PTL_OK;
}

static ptl_status sample_all(const ptl_bench_memory* m, int cpu, double seconds, collected* c, ptl_error* e) {
    uint32_t offsets[PTL_REFERENCES], plan[2 * PER_RUN];
    ptl_reference_compile(m, offsets);
    for (uint32_t i = 0; i < 2 * PER_RUN; i++) plan[i] = i % 2 ? PTL_ADD_CHAIN : PTL_CHAIN;
    ptl_run run = {
        .offsets = offsets,
        .kernels = PTL_REFERENCES,
        .plan = plan,
        .planned = 2 * PER_RUN,
        .segments = ptl_reference_segments(),
        .cpu = cpu,
        .stall_seconds = 2,
    };
    for (double end = ptl_now() + seconds; ptl_now() < end && c->n + PER_RUN <= AT_MOST;) {
        ptl_run_outcome o;
        ptl_status s = ptl_worker_run(m, &run, &o, e);
        if (s != PTL_OK) return s;
        if (o.status == PTL_BENCH_INTERRUPTED)
            return ptl_fail(e, PTL_INTERRUPTED, "calibration", NULL, "interrupted");
        for (size_t i = 0; i + 1 < o.samples; i += 2)
            collect(c, &o.sample[i], &o.sample[i + 1], &run.segments);
    }
    return PTL_OK;
}

ptl_status ptl_calibrate(const ptl_bench_memory* m, int cpu, ptl_sentinel_hint hint, double seconds,
                         ptl_calibration* out, ptl_error* e) {
    *out = (ptl_calibration){0};
    collected* c = calloc(1, sizeof *c);
    if (!c) return ptl_fail(e, PTL_NO_MEMORY, "calibration", NULL, "no memory for samples");
    ptl_status s = sample_all(m, cpu, seconds, c, e);
    if (s == PTL_OK) s = conclude(c, hint, out, e);
    free(c);
    if (s != PTL_OK) return s;
    uint8_t body[PTL_REFERENCE_BODY_MAX];
    unsigned links, units;
    ptl_segments g = ptl_reference_segments();
    ptl_codegen_imul_chain(body, &links);
    ptl_codegen_sentinel(body, &units);
    out->reference.chain_cycles = out->imul_latency * links * g.chain_iterations;
    out->reference.sentinel_units = (double)units * g.sentinel_iterations;
    out->reference.tsc_hz = measure_tsc_hz();
    return PTL_OK;
}
