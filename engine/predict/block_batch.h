/* Many blocks at once, on several threads. */
#ifndef PTL_PREDICT_BLOCK_BATCH_H
#define PTL_PREDICT_BLOCK_BATCH_H

#include "base/pool.h"
#include "predict/simulate.h"

typedef struct ptl_machine_code {
    const uint8_t* bytes;
    size_t size;
} ptl_machine_code;

/* Says how all blocks are to be answered. */
typedef struct ptl_block_way {
    ptl_premises premises;
    const ptl_binder* simulate; /* with this binder: `cycles` are the simulated ones, the rest is of the
                                 * bounds; NULL: by the bounds alone */
} ptl_block_way;

typedef struct ptl_block_answer {
    ptl_block_bounds bounds;
    ptl_status status;
    ptl_error error; /* if the status is not PTL_OK */
} ptl_block_answer;

/* Answers all blocks; pool NULL: on this thread. Ctrl-C ends it early: the rest has the status
 * PTL_INTERRUPTED. */
void ptl_block_batch(ptl_pool* pool, const ptl_block_model* m, const ptl_block_way* way,
                     const ptl_machine_code* code, size_t count, ptl_block_answer* answers);

#endif
