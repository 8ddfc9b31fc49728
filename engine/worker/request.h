/* Reading a request to run: every number in it is bounded before it is used. */
#ifndef PTL_WORKER_REQUEST_H
#define PTL_WORKER_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/visits.h"

enum { PTL_REQUEST_MAX = sizeof(ptl_request) + 8 * PTL_PAGES_MAX + 4 * (2 * PTL_KERNELS_MAX + PTL_PLAN_MAX) };

/* The payload of a RUN message (aligned to 8 bytes), for code of so many bytes. False if it is not well
 * formed; else *plan points into it. */
bool ptl_request_read(const void* payload, size_t size, size_t code_size, ptl_plan* plan);

/* Its size for so many pages, kernels and visits. */
size_t ptl_request_size(size_t pages, size_t kernels, size_t planned);

/* Is this the address of a page that a program may have? */
bool ptl_request_page(uint64_t page);

#endif
