/* Memory of the worker: executable code, data window, frame, and the slot that a run leaves its visits in.
 *
 * Write xor execute: code is writable only while it arrives, and a run cannot change that. All but the slot
 * is private to a run: it sees a copy, and whatever it does to it is gone when it ends. The slot is shared
 * with the program that started the run, which takes copies of what it bounds. Guard pages are around all of
 * it. */
#ifndef PTL_WORKER_MEMORY_H
#define PTL_WORKER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/protocol.h"

typedef struct ptl_slot {
    _Atomic uint32_t done;     /* visits completed */
    _Atomic uint32_t derailed; /* the visit in flight came back from the wrong place */
    _Atomic uint32_t stop;     /* no further visit is to begin */
    uint32_t reserved;
    uint64_t fault; /* of a mapped run that ended with PTL_EXIT_FAULT */
    ptl_visit visit[PTL_PLAN_MAX];
} ptl_slot;

typedef struct ptl_memory {
    uint8_t* code; /* PTL_CODE_SIZE bytes */
    uint8_t* data; /* PTL_DATA_SIZE bytes */
    ptl_frame* frame;
    ptl_slot* slot;
    bool wide_guards; /* as far as a 32-bit displacement reaches */
} ptl_memory;

/* Maps all of it. Returns 0, or -1 with errno. */
int ptl_memory_open(ptl_memory* m);

/* Makes the code writable, or executable. Returns 0, or -1 with errno. */
int ptl_memory_writable(const ptl_memory* m, bool writable);

/* Pages of the slot that the next run's visits will need, empty. */
void ptl_memory_clear_slot(const ptl_memory* m, uint32_t visits);

#endif
