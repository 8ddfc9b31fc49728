/* The machine that this is compiled for: all that the worker, and what measures with it, must ask of it.
 *
 * engine/worker/ARCHITECTURE/..._machine.c defines it; the build takes the host's. */
#ifndef PTL_WORKER_MACHINE_H
#define PTL_WORKER_MACHINE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "worker/layout.h"

typedef struct ptl_machine_type {
    const char* architecture;   /* "x86_64", "aarch64" */
    const ptl_places* places;   /* where things are in its worker */
    uint32_t audit;             /* the architecture's number for seccomp filters: AUDIT_ARCH_... */
    const char* allow_counters; /* what an administrator does so that programs may read hardware counters */
} ptl_machine_type;

extern const ptl_machine_type ptl_machine;

/* The time stamp that generated code reads, when all before it is done; and what reads it next begins after
 * that. */
uint64_t ptl_machine_ticks(void);

/* Are there vector registers of so many bits, with integer additions? */
bool ptl_machine_has_vectors(unsigned bits);

/* Asks in the attribute for a counter that user mode may read. */
void ptl_machine_ask_counter(struct perf_event_attr* attribute);

/* Reads hardware counter `index`, as perf_event's mapped page numbers them, from 0; false: there is no such
 * one. Only while it counts, or the process is killed. */
bool ptl_machine_counter(uint32_t index, uint64_t* count);

#endif
