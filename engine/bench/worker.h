/* The worker: a forked process that runs a plan of visits in the sandbox and exits.
 *
 * Every run forks anew. A kernel that crashes, traps, calls the system or never returns costs its own visit
 * and the rest of that run, nothing else. While the worker runs, the parent sleeps: the other core stays
 * quiet.
 *
 * Code under measurement shares the worker's address space. Code written to do so can find the block that
 * carries visits to the parent and forge its numbers and those of its run; the parent takes nothing else
 * from there, and bounds what it takes. */
#ifndef PTL_BENCH_WORKER_H
#define PTL_BENCH_WORKER_H

#include <stdbool.h>

#include "base/error.h"
#include "bench/memory.h"
#include "bench/status.h"
#include "bench/visit.h"

/* Code offsets of the compiled kernels; the first are always the reference loops, and then the controls. */
enum {
    PTL_CHAIN = 0,
    PTL_ADD_CHAIN = 1,
    PTL_SENTINEL = 2,
    PTL_CONTROL = 3,
    PTL_CONTROLS = 5,
    PTL_REFERENCES = 8
};

enum { PTL_KERNELS_MAX = 4096, PTL_PLAN_MAX = 8192 };

/* How long the segments of a visit are. */
typedef struct ptl_segments {
    uint32_t chain_iterations; /* of the reference chain, in each of its segments */
    uint32_t chain_cycles;     /* that these take, about */
    uint32_t long_cycles;      /* of a long pass, about; a short one has a quarter of its iterations */
} ptl_segments;

typedef struct ptl_run {
    const uint32_t* offsets; /* of the kernels in code memory */
    uint32_t* iterations;    /* of long passes, per kernel; 0: not known yet, and filled by the run */
    size_t kernels;
    const uint32_t* plan; /* which kernels to visit, in order */
    size_t planned;
    ptl_segments segments;
    int cpu;
    bool counter;              /* read the hardware cycle counter, too */
    const char* const* events; /* and count these: names of libpfm4, at most PTL_EVENTS_MAX */
    size_t event_count;
    double stall_seconds; /* a visit that takes longer than this does not come back */
} ptl_run;

typedef struct ptl_run_outcome {
    ptl_bench_status status; /* OK: the whole plan ran; else what happened to plan[visits] */
    size_t visits;           /* completed, in plan order */
    const ptl_visit* visit;  /* in shared memory: valid until the next run; visit[i] is to kernel plan[i] */
} ptl_run_outcome;

/* Fails only where no worker can be had at all (fork, sandbox); what happens to kernels is in the outcome. */
ptl_status ptl_worker_run(const ptl_bench_memory* m, const ptl_run* run, ptl_run_outcome* out, ptl_error* e);

#endif
