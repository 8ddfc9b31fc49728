/* Defines what Portolan and its measuring worker say to each other, over one stream of bytes.
 *
 *     worker:   HELLO
 *     Portolan: CODE, FRAME, RUN in any order and number
 *     worker:   OUTCOME, one for every RUN
 *
 * Every message is a header and so many bytes. Numbers are little-endian and of fixed width, structures
 * without gaps, so that the two ends may be on different machines. The worker bounds whatever it reads; so
 * does Portolan, as the worker runs foreign code. */
#ifndef PTL_WORKER_PROTOCOL_H
#define PTL_WORKER_PROTOCOL_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "worker/layout.h"
#include "worker/visit.h"

enum { PTL_PROTOCOL = 3, PTL_MAGIC = 0x4c545001 };

typedef enum ptl_message_kind {
    PTL_HELLO = 1, /* ptl_hello */
    PTL_CODE,      /* machine code, for the place of code */
    PTL_FRAME,     /* ptl_frame */
    PTL_RUN,    /* ptl_request, addresses of pages, 64 bits each; offsets and iterations of the kernels, the
                 * plan, 32 bits each */
    PTL_OUTCOME /* ptl_reply, ptl_visit x visits */
} ptl_message_kind;

typedef struct ptl_message {
    uint32_t magic, kind, size, reserved;
} ptl_message;

/* Code offsets of the compiled kernels; the first are always the reference loops, and then the controls. */
enum {
    PTL_CHAIN = 0,
    PTL_ADD_CHAIN = 1,
    PTL_SENTINEL = 2,
    PTL_CONTROL = 3,
    PTL_CONTROLS = 5,
    PTL_REFERENCES = 8
};

enum { PTL_KERNELS_MAX = 4096, PTL_PLAN_MAX = 8192, PTL_PAGES_MAX = 256 };

/* Tells how long the segments of a visit are. */
typedef struct ptl_segments {
    uint32_t chain_iterations; /* of the reference chain, in each of its segments */
    uint32_t chain_cycles;     /* that these take, about */
    uint32_t sentinel_iterations;
    uint32_t long_cycles; /* of a long pass, about; a short one has a quarter of its iterations */
} ptl_segments;

typedef struct ptl_request {
    ptl_segments segments;
    int32_t cpu; /* -1: any */
    uint32_t kernels, planned;
    uint32_t stop_ms;     /* after this time no further visit begins */
    uint32_t deadline_ms; /* after this time the run is ended by force */
    uint32_t cycles;      /* not 0: attribute[0] counts core cycles */
    uint32_t events;      /* counted as attribute[1 ...] */
    uint32_t mapped;      /* not 0: the pages of the request are mapped, and faults say where */
    uint32_t apart;       /* not 0: each has memory of its own; otherwise they are all mapped onto one */
    uint32_t pages;
    struct perf_event_attr attribute[1 + PTL_EVENTS_MAX];
} ptl_request;

typedef enum ptl_end {
    PTL_END_DONE = 1,  /* every visit that was begun came to its end */
    PTL_END_SIGNAL,    /* killed; `detail` is the signal */
    PTL_END_DERAILED,  /* a kernel came back from elsewhere than the end of its loop */
    PTL_END_EXIT,      /* a kernel ended the process; `detail` is the status */
    PTL_END_DEADLINE,  /* ended by force */
    PTL_END_FAULT,     /* of a mapped run: memory could not be accessed; `fault` says where */
    PTL_END_NO_PROCESS /* nothing was run: no process, sandbox, or not that processor; `detail` is errno */
} ptl_end;

typedef struct ptl_reply {
    uint32_t end, detail;
    uint32_t visits; /* that were completed, in the order of the plan */
    uint32_t reserved;
    uint64_t fault; /* an address, or PTL_NO_ADDRESS */
} ptl_reply;

/* The processor gave no address: one that is not canonical, an unaligned one where it must not be, or a
 * privileged instruction. */
#define PTL_NO_ADDRESS UINT64_MAX

/* These layers keep measured code in, beside the process itself. */
enum {
    PTL_LAYER_SECCOMP = 1,       /* a filter that allows nothing but to exit */
    PTL_LAYER_PRIVILEGES = 2,    /* no new privileges */
    PTL_LAYER_LANDLOCK = 4,      /* no file can be opened */
    PTL_LAYER_NAMESPACES = 8,    /* own users, mounts, network and interprocess communication */
    PTL_LAYER_LIMITS = 16,       /* of memory, processor time, files and core dumps */
    PTL_LAYER_GUARDS = 32,       /* unreadable gigabytes around the data window */
    PTL_LAYER_CAPABILITIES = 64, /* none left */
    PTL_LAYER_EMULATOR = 128 /* no layer, but why there is no seccomp: all of it runs in an emulator (qemu),
                              * which has no filters, and of whose time nothing can be told */
};

typedef struct ptl_hello {
    uint32_t protocol;
    uint32_t layers; /* those that hold; PTL_LAYER_SECCOMP is required, but in an emulator */
    uint32_t error;  /* errno: why it cannot work at all */
    char step[20];   /* and what failed then */
} ptl_hello;

#endif
