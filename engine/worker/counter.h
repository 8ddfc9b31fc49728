/* A hardware counter (perf_event) that is read in user mode without a system call. */
#ifndef PTL_WORKER_COUNTER_H
#define PTL_WORKER_COUNTER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ptl_counter {
    int fd;     /* -1: none */
    void* page; /* the mapped perf_event page */
} ptl_counter;

/* Counts for the calling process. Returns 0, or -1 with errno: ENOTSUP if it cannot be read in user mode. */
int ptl_counter_start(ptl_counter* c, const struct perf_event_attr* attribute);
void ptl_counter_close(ptl_counter* c);

/* Events counted so far; false where there is no counter or it is not on the processor now. */
bool ptl_counter_read(const ptl_counter* c, uint64_t* count);

#endif
