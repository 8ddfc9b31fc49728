/* Any bytes as a request to the worker: what is accepted is within bounds. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "worker/request.h"

enum { CODE = 100000 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    uint64_t* payload = malloc(size + 8); /* aligned, and of exactly that size: what reads beyond it shows */
    ptl_plan plan;
    if (size) memcpy(payload, data, size);
    if (ptl_request_read(payload, size, CODE, &plan)) {
        for (uint32_t k = 0; k < plan.request->kernels; k++)
            if (plan.offsets[k] >= CODE || plan.iterations[k] > PTL_ITERATIONS_MAX) abort();
        for (uint32_t i = 0; i < plan.request->pages; i++)
            if (plan.pages[i] % PTL_PAGE_SIZE || plan.pages[i] >> 47) abort();
        for (uint32_t i = 0; i < plan.request->planned; i++)
            if (plan.order[i] >= plan.request->kernels) abort();
    }
    free(payload);
    return 0;
}
