/* Any bytes as what the worker says of a run: what is taken of it is within bounds. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/outcome.h"

enum { KERNELS = 12, PLANNED = 6 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const uint32_t plan[PLANNED] = {8, 9, 8, 11, 3, 10};
    uint32_t iterations[KERNELS] = {0};
    ptl_reply reply;
    if (size < sizeof reply) return 0;
    memcpy(&reply, data, sizeof reply);
    size_t rest = size - sizeof reply;
    ptl_visit* visit = malloc(rest + 1);
    memcpy(visit, data + sizeof reply, rest);
    ptl_run run = {.iterations = iterations, .kernels = KERNELS, .plan = plan, .planned = PLANNED};
    ptl_run_outcome out;
    if (ptl_outcome_read(&reply, visit, size, &run, &out)) {
        if (out.visits > PLANNED || out.status >= PTL_BENCH_STATUS_COUNT) abort();
        for (int k = 0; k < KERNELS; k++)
            if (iterations[k] > PTL_ITERATIONS_MAX) abort();
    }
    free(visit);
    return 0;
}
