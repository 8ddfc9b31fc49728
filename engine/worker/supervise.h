/* Starting a run's process, and waiting for its end. */
#ifndef PTL_WORKER_SUPERVISE_H
#define PTL_WORKER_SUPERVISE_H

#include "worker/visits.h"

/* Runs a plan in a new process; `stream` is watched: when the other end goes away, the run is killed, and so
 * is this program. Fills in how it ended, and how many visits the slot holds. Returns 0, or -1 with errno
 * where no process can be had. */
int ptl_supervise(const ptl_memory* m, const ptl_plan* plan, int stream, ptl_reply* reply);

#endif
