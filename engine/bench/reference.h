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

/* What is known of the sentinel before it is measured. */
typedef struct ptl_sentinel_hint {
    double cycles;   /* its quiet rate, e.g. from an earlier run on this machine; 0: learn it */
    unsigned adders; /* integer additions a cycle that this processor is known for; 0: not known */
} ptl_sentinel_hint;

/* Measures on `cpu` (-1: any) for about `seconds`. A learnt rate must be that of a whole number of adders, of
 * the known number if there is one, else of three at least: anything else is a shared core. PTL_LIMIT when
 * there were not enough quiet samples; the caller tries again, and believes a learnt rate only when it comes
 * out twice. */
ptl_status ptl_calibrate(const ptl_bench_memory* m, int cpu, ptl_sentinel_hint hint, double seconds,
                         ptl_calibration* out, ptl_error* e);

#endif
