/* The worker, as Portolan sees it: a program of its own that runs measured code, started once per session.
 *
 * It is a small static executable (engine/worker/program): no Lua, no database, no descriptor but the stream
 * to here, no environment. Every run is a process of its own there. Code that crashes, traps, calls the
 * system, never returns or writes wherever it can costs the rest of its own run, nothing else: what comes
 * back are copies that are bounded here. While a run lasts, this process sleeps: the other core stays quiet.
 */
#ifndef PTL_BENCH_WORKER_H
#define PTL_BENCH_WORKER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "bench/codegen.h"
#include "bench/status.h"
#include "worker/protocol.h"

typedef struct ptl_worker ptl_worker;

/* `program`: path of the executable. `counters`: runs may ask for hardware counters. PTL_SYSTEM where no
 * worker can be had. */
ptl_status ptl_worker_open(ptl_worker** out, const char* program, bool counters, ptl_error* error);
void ptl_worker_close(ptl_worker* w);

/* Returns the target by which the worker's code is generated. */
const ptl_target* ptl_worker_target(const ptl_worker* w);

/* Returns what keeps measured code in: PTL_LAYER_*. */
uint32_t ptl_worker_layers(const ptl_worker* w);

/* Returns where code is compiled to: PTL_CODE_SIZE bytes, for the worker's place of code. */
uint8_t* ptl_worker_code(ptl_worker* w);
/* So much of it is to be used from the next run on. */
void ptl_worker_compiled(ptl_worker* w, size_t size);

/* Sets what generated code starts from. */
void ptl_worker_set_frame(ptl_worker* w, const ptl_frame* f);

typedef struct ptl_run {
    const uint32_t* offsets; /* of the kernels in the code */
    uint32_t* iterations;    /* of long passes, per kernel; 0: not known yet, and filled by the run */
    size_t kernels;
    const uint32_t* plan; /* which kernels to visit, in order */
    size_t planned;
    ptl_segments segments;
    int cpu;                              /* -1: any */
    const struct perf_event_attr* cycles; /* counts core cycles; NULL: there is no counter */
    const struct perf_event_attr* events; /* and count these, at most PTL_EVENTS_MAX */
    size_t event_count;
    const uint64_t* pages; /* of a mapped run: those to map */
    size_t page_count;
    bool mapped, apart; /* apart: each has memory of its own */
} ptl_run;

typedef struct ptl_run_outcome {
    ptl_bench_status status; /* OK: the plan ran as far as `visits`; else what happened to plan[visits] */
    size_t visits;           /* completed, in plan order */
    const ptl_visit* visit;  /* valid until the next run; visit[i] is to kernel plan[i] */
    uint64_t fault;          /* of MEMORY in a mapped run: where; or PTL_NO_ADDRESS */
} ptl_run_outcome;

/* Fails only where no worker can be had at all; what happens to kernels is in the outcome. A run ends by
 * itself after a second, wherever it is in its plan, and by force two seconds later. */
ptl_status ptl_worker_run(ptl_worker* w, const ptl_run* run, ptl_run_outcome* out, ptl_error* error);

#endif
