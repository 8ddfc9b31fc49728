/* Hardware counters (libpfm4, perf_event), read in user mode without a system call. */
#ifndef PTL_BENCH_COUNTER_H
#define PTL_BENCH_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef struct ptl_counter {
    int fd;     /* -1: none */
    void* page; /* the mapped perf_event page */
} ptl_counter;

/* libpfm4's name of the event "core cycles", on any processor. */
#define PTL_CYCLES "cycles:u"

/* What libpfm4 makes of an event's name for perf_event_open(2), e.g. "UOPS_EXECUTED:THREAD"; nothing is
 * opened, so it works without a counter, too. PTL_UNSUPPORTED: it knows no such event on this processor. */
ptl_status ptl_counter_encode(const char* event, uint32_t* type, uint64_t* config, ptl_error* e);

/* Opens a counter of an event of the calling process, in user mode. PTL_UNSUPPORTED with the reason where
 * there is none. Events other than cycles are pinned: they count always or never, and are not extrapolated.
 */
ptl_status ptl_counter_open(ptl_counter* c, const char* event, ptl_error* e);
void ptl_counter_close(ptl_counter* c);

/* Events counted so far; false where there is no counter or it is not on the processor now. */
bool ptl_counter_read(const ptl_counter* c, uint64_t* count);

#endif
