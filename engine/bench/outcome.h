/* Reading what a run left: the worker runs foreign code, so nothing that it says is taken as it is. */
#ifndef PTL_BENCH_OUTCOME_H
#define PTL_BENCH_OUTCOME_H

#include <stddef.h>

#include "bench/worker.h"

/* Bounds a reply and its visits, `size` bytes of them, for the plan that was asked for; writes status,
 * visits, and the iterations of long passes. False if it is no reply to this plan. Visits that no run of that
 * plan can have made are not counted; from there on the plan counts as derailed. */
bool ptl_outcome_read(const ptl_reply* reply, const ptl_visit* visit, size_t size, const ptl_run* run,
                      ptl_run_outcome* out);

#endif
