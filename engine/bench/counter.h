/* Core cycles by a hardware counter (libpfm4, perf_event), read in user mode without a system call. */
#ifndef PTL_BENCH_COUNTER_H
#define PTL_BENCH_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef struct ptl_counter {
    int fd;     /* -1: none */
    void* page; /* the mapped perf_event page */
} ptl_counter;

/* Opens the cycle counter of the calling process. PTL_UNSUPPORTED with the reason where there is none. */
ptl_status ptl_counter_open(ptl_counter* c, ptl_error* e);
void ptl_counter_close(ptl_counter* c);

/* Cycles counted so far; 0 where there is no counter or it is not on the processor now. */
uint64_t ptl_counter_read(const ptl_counter* c);

#endif
