/* Memory of the measuring worker: executable code, data window, frame and shared protocol block.
 *
 * Write xor execute: the parent sees the code writable and never executes it; the worker maps the same pages
 * executable and read-only, and does not inherit the writable view. The data window lies between guard pages.
 */
#ifndef PTL_BENCH_MEMORY_H
#define PTL_BENCH_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bench/codegen.h"

enum {
    PTL_CODE_SIZE = 8 << 20,
    PTL_DATA_SIZE = 64 << 10, /* accessible bytes of the data window */
    PTL_DATA_BASE = 16 << 10, /* r14 points this far into it */
    PTL_DATA_FRESH = 4096,    /* bytes from r14 on that are initialised anew for every sample */
    PTL_SHARED_SIZE = 4 << 20
};

/* Every 8 bytes of memory and of vector registers: normal numbers as float and as double, small as an integer
 * half, and no valid address. */
#define PTL_DATA_PATTERN UINT64_C(0x3f8000013f800001)

typedef struct ptl_bench_memory {
    uint8_t* code; /* writable view, PTL_CODE_SIZE bytes */
    int code_fd;
    uint8_t* guarded; /* data window with its guard pages */
    size_t guarded_size;
    uint8_t* data; /* PTL_DATA_SIZE bytes */
    ptl_frame* frame;
    void* shared; /* PTL_SHARED_SIZE bytes that parent and worker share */
} ptl_bench_memory;

ptl_status ptl_bench_memory_open(ptl_bench_memory* m, ptl_error* e);
void ptl_bench_memory_close(ptl_bench_memory* m);

/* Called in the worker: the executable view of the code, or NULL. */
const uint8_t* ptl_bench_memory_executable(const ptl_bench_memory* m);

#endif
