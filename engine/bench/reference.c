#include "bench/reference.h"

#include <math.h>

#include "bench/codegen.h"

enum { CHAIN_LINKS = 60, CHAIN_LEAST = 6, CHAIN_MOST = 40 };

typedef struct loop {
    size_t (*body)(uint8_t* out, unsigned* units);
    unsigned vector_bits;
} loop;

static const loop loops[PTL_REFERENCES] = {
    [PTL_CHAIN] = {ptl_codegen_imul_chain, 0},  [PTL_ADD_CHAIN] = {ptl_codegen_add_chain, 0},
    [PTL_SENTINEL] = {ptl_codegen_sentinel, 0}, [PTL_CONTROL] = {ptl_codegen_adds, 0},
    [PTL_CONTROL + 1] = {ptl_codegen_nops, 0},  [PTL_CONTROL + 2] = {ptl_codegen_imuls, 0},
    [PTL_CONTROL + 3] = {ptl_codegen_loads, 0}, [PTL_CONTROL + 4] = {ptl_codegen_vector_adds, 256},
};

unsigned ptl_reference_units(int reference) {
    uint8_t body[PTL_REFERENCE_BODY_MAX];
    unsigned units;
    loops[reference].body(body, &units);
    return units;
}

size_t ptl_reference_compile(uint8_t* code, uint32_t* offsets) {
    uint8_t body[PTL_REFERENCE_BODY_MAX];
    size_t at = 0;
    for (int i = 0; i < PTL_REFERENCES; i++) {
        unsigned units;
        size_t size = loops[i].body(body, &units);
        offsets[i] = (uint32_t)at;
        const ptl_loop_code whole = {.body = body, .size = size, .vector_bits = loops[i].vector_bits};
        at += ptl_codegen_kernel(code + at, at, &whole);
        at = (at + PTL_KERNEL_ALIGN - 1) / PTL_KERNEL_ALIGN * PTL_KERNEL_ALIGN;
    }
    return at;
}

ptl_segments ptl_segments_of(uint32_t long_cycles) {
    const uint32_t usual_latency = 3; /* of a multiplication; how long a chain is need not be known well */
    uint32_t n = long_cycles / 4 / (CHAIN_LINKS * usual_latency);
    n = n < CHAIN_LEAST ? CHAIN_LEAST : n > CHAIN_MOST ? CHAIN_MOST : n;
    return (ptl_segments){
        .chain_iterations = n, .chain_cycles = n * CHAIN_LINKS * usual_latency, .long_cycles = long_cycles};
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
    return reading + 2 * c->granularity;
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
