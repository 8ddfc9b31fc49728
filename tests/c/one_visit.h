/* The shortest run of a worker there is. */
#ifndef PTL_TESTS_ONE_VISIT_H
#define PTL_TESTS_ONE_VISIT_H

#include "bench/reference.h"
#include "bench/worker.h"

/* A worker that is ready to run; NULL and an error. */
static inline ptl_worker* open_plain_worker(ptl_error* e) {
    static const ptl_start start = {.vector = PTL_DATA_PATTERN, .gpr = 1};
    ptl_frame frame;
    ptl_worker* w;
    if (ptl_worker_open(&w, PTL_WORKER_PROGRAM, false, e) != PTL_OK) return NULL;
    ptl_worker_target(w)->set_frame(&frame, &start);
    ptl_worker_set_frame(w, &frame);
    return w;
}

/* Writes the code of the controls, where runs find it until other code is written. */
static inline void write_controls(ptl_worker* w, uint32_t offsets[PTL_REFERENCES]) {
    ptl_worker_compiled(w, ptl_reference_compile(ptl_worker_target(w), ptl_worker_code(w), offsets));
}

/* Runs one visit to a control; false without an outcome. */
static inline bool run_one_visit(ptl_worker* w, const uint32_t offsets[PTL_REFERENCES]) {
    uint32_t iterations[PTL_REFERENCES], plan = PTL_CONTROL;
    for (int i = 0; i < PTL_REFERENCES; i++) iterations[i] = 2;
    ptl_run run = {.offsets = offsets,
                   .iterations = iterations,
                   .kernels = PTL_REFERENCES,
                   .plan = &plan,
                   .planned = 1,
                   .segments = ptl_segments_of(1000, 1),
                   .cpu = -1};
    ptl_run_outcome out;
    return ptl_worker_run(w, &run, &out, NULL) == PTL_OK && out.status == PTL_BENCH_OK && out.visits == 1;
}

#endif
