/* Calibration: what the reference loops cost on a quiet core of this machine. */
#ifndef PTL_BENCH_REFERENCE_H
#define PTL_BENCH_REFERENCE_H

#include "base/error.h"
#include "bench/gate.h"
#include "bench/worker.h"

typedef struct ptl_calibration {
    ptl_reference reference;
    double imul_latency; /* cycles, a whole number */
    double quiet_share;  /* of the samples taken */
    unsigned samples;
} ptl_calibration;

/* The loops that every code memory begins with; returns the offset behind them and fills
 * offsets[PTL_REFERENCES]. */
size_t ptl_reference_compile(const ptl_bench_memory* m, uint32_t* offsets);

/* Segment lengths that suit any x86-64 core. */
ptl_segments ptl_reference_segments(void);

/* Measures on `cpu` (-1: any) for at most `seconds`. sentinel_cycles > 0: a known rate, e.g. from an earlier
 * run on this machine; else it is learnt, and refused when it is slower than three adds a cycle or no whole
 * number of adders fits: that is a shared core. PTL_LIMIT when there were not enough quiet samples. */
ptl_status ptl_calibrate(const ptl_bench_memory* m, int cpu, double sentinel_cycles, double seconds,
                         ptl_calibration* out, ptl_error* e);

#endif
