/* Events of libpfm4, as hardware counters of the calling process or of the worker. */
#ifndef PTL_BENCH_EVENT_H
#define PTL_BENCH_EVENT_H

#include "base/error.h"
#include "worker/counter.h"

/* libpfm4's name of the event "core cycles", on any processor. */
#define PTL_CYCLES "cycles:u"

/* Fills in what libpfm4 makes of an event's name for perf_event_open(2), e.g. "UOPS_EXECUTED:THREAD", counted
 * in user mode only; nothing is opened, so it works without a counter, too. PTL_UNSUPPORTED: it knows no such
 * event on this processor. Events other than cycles are pinned: they count always or never, and are not
 * extrapolated. */
ptl_status ptl_event_encode(const char* event, struct perf_event_attr* attribute, ptl_error* error);

/* Opens a counter of an event of the calling process. PTL_UNSUPPORTED with the reason where there is none. */
ptl_status ptl_event_open(ptl_counter* c, const char* event, ptl_error* error);

#endif
