/* A small thread pool: run n independent tasks on t threads, wait for all. */
#ifndef PTL_BASE_POOL_H
#define PTL_BASE_POOL_H

#include <stddef.h>

#include "base/error.h"

typedef struct ptl_pool ptl_pool;
typedef void ptl_task(void* context, size_t index);

/* threads = 0: one per processor that this process may use. The calling thread works too, so a pool of one
 * starts no thread at all. PTL_NO_MEMORY, PTL_SYSTEM. */
ptl_status ptl_pool_new(ptl_pool** out, unsigned threads, ptl_error* error);
void ptl_pool_free(ptl_pool* p);
unsigned ptl_pool_threads(const ptl_pool* p);

/* Calls task(context, i) once for every i < n, in any order, and returns when all have returned. Tasks must
 * not call ptl_pool_run on the same pool. */
void ptl_pool_run(ptl_pool* p, size_t n, ptl_task* task, void* context);

#endif
