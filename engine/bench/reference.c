#include "bench/reference.h"

#include <math.h>

/* What a sentinel takes beside its operations depends on what ran before it: up to 65 cycles more on Zen 5,
 * whose sentinel of one iteration takes 200. Three of them keep that well below what a neighbour costs. */
enum { CHAIN_LINKS = 60, CHAIN_LEAST = 6, CHAIN_MOST = 40, SENTINEL_ITERATIONS = 3 };

unsigned ptl_reference_units(const ptl_target* target, int reference) {
    uint8_t body[PTL_REFERENCE_BODY_MAX];
    unsigned units;
    target->bodies[reference].write(body, &units);
    return units;
}

size_t ptl_reference_compile(const ptl_target* target, uint8_t* code, uint32_t* offsets) {
    uint8_t body[PTL_REFERENCE_BODY_MAX];
    size_t at = 0;
    for (int i = 0; i < PTL_REFERENCES; i++) {
        const ptl_reference_body* loop = &target->bodies[i];
        unsigned units;
        size_t size = loop->write(body, &units);
        offsets[i] = (uint32_t)at;
        const ptl_loop_code whole = {.body = body, .size = size, .vector_bits = loop->vector_bits};
        at += target->kernel(code + at, at, &whole);
        at = (at + PTL_KERNEL_ALIGN - 1) / PTL_KERNEL_ALIGN * PTL_KERNEL_ALIGN;
    }
    return at;
}

ptl_segments ptl_segments_of(uint32_t long_cycles, unsigned coarseness) {
    const uint32_t usual_latency = 3; /* of a multiplication; how long a chain is need not be known well */
    uint32_t n = long_cycles / 4 / (CHAIN_LINKS * usual_latency);
    uint32_t least = CHAIN_LEAST * coarseness, most = CHAIN_MOST * coarseness;
    n = n < least ? least : n > most ? most : n;
    return (ptl_segments){.chain_iterations = n,
                          .chain_cycles = n * CHAIN_LINKS * usual_latency,
                          .sentinel_iterations = SENTINEL_ITERATIONS * coarseness,
                          .long_cycles = long_cycles};
}

ptl_reference ptl_reference_of(const ptl_calibration* c, const ptl_segments* g) {
    return (ptl_reference){
        .chain_cycles = c->imul_latency * CHAIN_LINKS * g->chain_iterations + c->chain_edge,
        .sentinel_cycles = c->sentinel_cycles,
        .tsc_hz = c->tsc_hz,
        .granularity = c->granularity,
    };
}

double ptl_resolution(const ptl_calibration* c) {
    const double reading = 4; /* cycles: a fence and a time stamp end a cycle or two earlier or later */
    return reading + 2 * c->granularity / (c->ticks_per_cycle > 0 ? c->ticks_per_cycle : 1);
}

double ptl_least_edge(const ptl_calibration* c) {
    double least = INFINITY;
    for (int k = 0; k < PTL_CONTROLS; k++)
        if (c->control[k].cycles > 0) least = fmin(least, c->control[k].edge);
    return isfinite(least) ? least : 0;
}

uint32_t ptl_control_iterations(const ptl_calibration* c, int k, const ptl_segments* g) {
    double n = g->long_cycles / c->control[k].cycles;
    return n > 4 ? (uint32_t)n : 4;
}
