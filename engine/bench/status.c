#include "bench/status.h"

const char* ptl_bench_status_name(ptl_bench_status s) {
    static const char* const names[PTL_BENCH_STATUS_COUNT] = {
        [PTL_BENCH_OK] = "ok",
        [PTL_BENCH_UNSTABLE] = "unstable",
        [PTL_BENCH_ILLEGAL] = "illegal instruction",
        [PTL_BENCH_MEMORY] = "memory fault",
        [PTL_BENCH_ARITHMETIC] = "arithmetic fault",
        [PTL_BENCH_TRAP] = "trap",
        [PTL_BENCH_SYSTEM_CALL] = "system call",
        [PTL_BENCH_TIMEOUT] = "timeout",
        [PTL_BENCH_DERAILED] = "derailed",
        [PTL_BENCH_INTERRUPTED] = "interrupted",
    };
    return (unsigned)s < PTL_BENCH_STATUS_COUNT ? names[s] : "unknown";
}
