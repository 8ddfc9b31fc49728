/* A measuring session: calibrated once, then batches of experiments, each in several code variants.
 *
 * A group is one experiment; its kernels are variants of it (unroll factors, memory layouts). The result is
 * the fastest variant's rate: the fastest that is seen repeatedly (bench/estimate.h). Visits to all kernels
 * of a batch are shuffled, so that drift hits all alike. */
#ifndef PTL_BENCH_SESSION_H
#define PTL_BENCH_SESSION_H

#include <stdbool.h>

#include "base/rng.h"
#include "bench/codegen.h"
#include "bench/reference.h"
#include "bench/weather.h"

/* Pages that a block of real code touches: those to map, and those found to be missing, which are added. */
typedef struct ptl_page_list {
    bool apart; /* each has memory of its own; otherwise they are all mapped onto one */
    size_t count;
    uint64_t page[PTL_PAGES_MAX];
} ptl_page_list;

typedef struct ptl_kernel {
    const uint8_t* body;
    size_t size;
    unsigned copies;      /* of the experiment in the body */
    unsigned group;       /* experiment that it is a variant of; ascending */
    unsigned vector_bits; /* widest vector registers it touches: 0, 128, 256, 512 */
    bool keeps_stack;     /* it needs in r13 what rsp starts as */
    bool foreign;         /* not made by Portolan: it has processes of its own (bench/stretch.h) */
    const uint8_t*
        ahead; /* code that runs once ahead of the loop and sets registers and memory up; or NULL */
    size_t ahead_size;
    ptl_page_list* pages; /* not NULL: code of real blocks (`block` of ptl_target) that touches
                           * memory anywhere; always foreign, the same list for all kernels of a group */
    bool writes, x87;     /* of such code, as in ptl_block_setup */
    bool probe;           /* only its status is wanted: it is visited once, and has no cycles; low and high
                           * are ticks of an iteration then, about */
} ptl_kernel;

typedef struct ptl_measurement {
    ptl_bench_status status;
    double cycles; /* inverse throughput: core cycles per experiment; valid if status is OK */
    double spread; /* standard deviation of the readings that it rests on, a share */
    double error;  /* its standard error by these spreads, a share */
    double share;  /* of the readings expected to be undisturbed that agree with it */
    double slow_cycles, slow_share; /* a second rate of the same code, slower; 0 if there is none */
    double frequency;               /* of the core, Hz */
    double counter;                 /* cycles by the hardware counter, 0 if there is none */
    bool counted;                   /* event[] holds counts */
    double
        event[PTL_EVENTS_MAX]; /* of ptl_session_count, per experiment and its share of the loop's own code */
    unsigned accepted, rejected; /* readings that it rests on, and further ones of that variant */
    bool unsteady;               /* UNSTABLE because of the code, not of the machine: it will be so again */
    double low, high; /* of unsteady code: a tenth of its readings are faster, and half of them; cycles */
    unsigned kernel;  /* index of the variant that was fastest */
    uint64_t fault;   /* of MEMORY, of code with pages: where, or PTL_NO_ADDRESS */
} ptl_measurement;

typedef struct ptl_session_options {
    const char* worker; /* path of the program that runs measured code */
    int cpu;            /* -1: choose, and change when it is disturbed */
    const int* cpus;    /* those to choose from, all of one kind; NULL: all that this process may use */
    size_t cpu_count;
    uint64_t seed;     /* of the order of visits */
    unsigned adders;   /* integer additions a cycle that this processor is known for; 0: not known */
    bool uncalibrated; /* measure nothing: code only gets its status, on the noisiest machine, too */
    double patience;   /* seconds to wait for quiet when calibrating, and per batch of at most 64 groups */
    bool pointers;     /* general registers start as pointers into the data window, not as small numbers */
} ptl_session_options;

typedef struct ptl_session ptl_session;

ptl_status ptl_session_open(ptl_session** out, const ptl_session_options* o, ptl_error* error);
void ptl_session_close(ptl_session* s);
const ptl_calibration* ptl_session_calibration(const ptl_session* s);
/* Returns what share of windows of each length passes undisturbed, as it was when last looked at. */
const ptl_weather* ptl_session_weather(const ptl_session* s);
/* Returns what keeps measured code in: PTL_LAYER_* of worker/protocol.h. */
uint32_t ptl_session_layers(const ptl_session* s);
/* Sets what registers hold at the start of the loop bodies measured from now on: the usual values (small
 * numbers, the same double everywhere), or other ones (large numbers, another double). */
void ptl_session_operands(ptl_session* s, bool other);
/* Readings of controls since the session was opened: undisturbed ones, and others. */
void ptl_session_noise(const ptl_session* s, unsigned long* accepted, unsigned long* rejected);

/* Called after every run of the worker with the number of finished groups and the share of undisturbed
 * readings of controls in that run. */
typedef void ptl_session_progress(void* context, size_t done, size_t groups, double quiet);

/* Measures all groups (kernels sorted by group, groups numbered 0 .. groups-1, each with at least one
 * kernel). Every group gets a measurement; after Ctrl-C those without a result have status INTERRUPTED and
 * the call returns PTL_INTERRUPTED. */
ptl_status ptl_session_run(ptl_session* s, const ptl_kernel* kernels, size_t n, size_t groups,
                           ptl_measurement* out, ptl_session_progress* progress, void* context,
                           ptl_error* error);

/* Sets which events further runs count, by libpfm4's names; at most PTL_EVENTS_MAX, none at first. How time
 * is measured does not change: they are read outside of what is timed. PTL_UNSUPPORTED with the reason where
 * there is no such counter; then none is counted. */
ptl_status ptl_session_count(ptl_session* s, const char* const* events, size_t n, ptl_error* error);

#endif
