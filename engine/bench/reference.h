/* The reference loops: clock, sentinel and controls, and what they take on a quiet core of this machine. */
#ifndef PTL_BENCH_REFERENCE_H
#define PTL_BENCH_REFERENCE_H

#include "base/error.h"
#include "bench/codegen.h"
#include "bench/estimate.h"
#include "bench/noise_gate.h"
#include "bench/worker.h"

/* A loop of known rate, measured among all others and exactly as they are (docs/measuring.md). */
typedef struct ptl_control {
    double cycles; /* of an iteration; 0: this core has no such loop, or one whose rate is not plausible */
    double edge;   /* cycles of a pass beside its iterations */
} ptl_control;

typedef struct ptl_calibration {
    double imul_latency;        /* cycles, a whole number */
    double chain_edge;          /* cycles of a chain segment beside its links */
    double sentinel_cycles;     /* of the whole segment, with so coarse a counter */
    double alu_cycles;          /* per independent integer operation of the sentinel */
    double tsc_hz, granularity; /* of the counter (bench/ticks.h) */
    unsigned coarseness;        /* of it: how many times as long as usual all segments are */
    double ticks_per_cycle;     /* when it was calibrated; 0: not known, about 1 */
    ptl_control control[PTL_CONTROLS];
    double quiet_share; /* of the visits made */
    unsigned visits;
} ptl_calibration;

/* Compiles the loops that all code begins with; returns the offset behind them and fills
 * offsets[PTL_REFERENCES]. */
size_t ptl_reference_compile(const ptl_target* target, uint8_t* code, uint32_t* offsets);

/* Links or instructions of one iteration of a reference loop. */
unsigned ptl_reference_units(const ptl_target* target, int reference);

/* Segments for long passes of about so many cycles, with a counter of this coarseness. */
ptl_segments ptl_segments_of(uint32_t long_cycles, unsigned coarseness);

/* Returns what the gate compares with, for these segments. */
ptl_reference ptl_reference_of(const ptl_calibration* c, const ptl_segments* g);

/* Cycles within which equal passes are read: the steps of the counter, and how evenly it is read. */
double ptl_resolution(const ptl_calibration* c);

/* Cycles that a pass takes beside its iterations at least, as the controls have it. */
double ptl_least_edge(const ptl_calibration* c);

/* Iterations of a long pass of control k. */
uint32_t ptl_control_iterations(const ptl_calibration* c, int k, const ptl_segments* g);

/* Measures on `cpu` (-1: any) for about `seconds`. Independent integer operations must run at the rate of a
 * whole number of adders: of `adders` at least, or, where that is 0 (not known), of as many as any core of
 * the architecture. Anything else is a shared core. PTL_LIMIT when there were not enough quiet visits; the
 * caller tries again, and believes a rate only when it comes out twice. */
ptl_status ptl_calibrate(ptl_worker* w, int cpu, unsigned adders, double seconds, ptl_calibration* out,
                         ptl_error* error);

/* Do two calibrations agree on the clock and on the integer operations? Controls on which they do not are
 * taken out of *a. */
bool ptl_calibrations_agree(ptl_calibration* a, const ptl_calibration* b);

/* Returns what stands in for a calibration where none is to be had: with it code gets its status, and no rate
 * is certain. */
ptl_calibration ptl_uncalibrated(void);

#endif
