/* A run: the visits of a plan, in a process of its own that ends with it. */
#ifndef PTL_WORKER_VISITS_H
#define PTL_WORKER_VISITS_H

#include <stdbool.h>
#include <sys/types.h>

#include "worker/memory.h"

/* A request carries this behind it. */
typedef struct ptl_plan {
    const ptl_request* request;
    const uint64_t* pages;      /* to map, of a mapped run */
    const uint32_t* offsets;    /* of the kernels in the code */
    const uint32_t* iterations; /* of long passes, per kernel; 0: not known yet */
    const uint32_t* order;      /* which kernels to visit */
    bool unfiltered;            /* it may run where there are no seccomp filters: in an emulator */
} ptl_plan;

/* A run's process ends by itself in one of these ways; measured code may end it in any of them. */
enum { PTL_EXIT_DONE = 0, PTL_EXIT_DERAILED = 3, PTL_EXIT_FAULT = 4 };

/* Called in the process of a run, with the number of the process that started it; ends it. */
void ptl_visits_run(const ptl_memory* m, const ptl_plan* plan, pid_t parent);

#endif
