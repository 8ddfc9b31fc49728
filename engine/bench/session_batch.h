/* One batch of a session: plans visits, runs the worker, judges, until every group has its measurement.
 *
 * Controls are visited among the kernels. They tell what share of readings is spared, which decides how many
 * readings a result needs; and if their rates do not come out as calibrated, none of the batch's results is
 * believed. */
#ifndef PTL_BENCH_SESSION_BATCH_H
#define PTL_BENCH_SESSION_BATCH_H

#include "bench/session.h"

enum {
    PTL_BATCH_GROUPS_MAX = 64,
    PTL_BATCH_KERNELS_MAX = 1000,
    PTL_GROUP_KERNELS_MAX = 100,
    PTL_BATCH_BYTES_MAX = 4 << 20
};

typedef struct ptl_session_batch {
    ptl_worker* worker;
    const ptl_calibration* calibration;
    uint32_t long_cycles; /* of long passes */
    ptl_rng* rng;
    int cpu;                                    /* where to start; afterwards: where it ended */
    int (*next_cpu)(const void* cpus, int cpu); /* where to go on when it is noisy */
    const void* cpus;
    double patience;                      /* seconds */
    const struct perf_event_attr* cycles; /* counts core cycles; NULL: there is no such counter */
    const struct perf_event_attr* events; /* to count besides */
    size_t event_count;
    const ptl_kernel* kernels;
    size_t n;
    size_t groups_before, groups_in_all; /* for progress */
    ptl_measurement* out;                /* one per group of this batch */
    ptl_session_progress* progress;
    void* context;
    bool disowned;                    /* filled: the controls were off, nothing was believed */
    unsigned long accepted, rejected; /* filled: long readings of controls, undisturbed or not */
} ptl_session_batch;

/* PTL_INTERRUPTED after Ctrl-C; other failures mean that no worker can be
 * had. */
ptl_status ptl_session_batch_measure(ptl_session_batch* job, ptl_error* error);

#endif
