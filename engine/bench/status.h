/* Defines what can become of one experiment on the hardware. */
#ifndef PTL_BENCH_STATUS_H
#define PTL_BENCH_STATUS_H

typedef enum ptl_bench_status {
    PTL_BENCH_OK = 0,      /* enough quiet samples agree */
    PTL_BENCH_UNSTABLE,    /* the budget ran out before enough quiet samples agreed */
    PTL_BENCH_ILLEGAL,     /* SIGILL: illegal instruction */
    PTL_BENCH_MEMORY,      /* SIGSEGV, SIGBUS: a wild access, or a privileged instruction */
    PTL_BENCH_ARITHMETIC,  /* SIGFPE: division by zero or overflow */
    PTL_BENCH_TRAP,        /* SIGTRAP: int3 and the like */
    PTL_BENCH_SYSTEM_CALL, /* stopped by the sandbox */
    PTL_BENCH_TIMEOUT,     /* the code did not come back */
    PTL_BENCH_DERAILED,    /* the code came back, but not from the end of its loop */
    PTL_BENCH_INTERRUPTED, /* Ctrl-C before there was a result */
    PTL_BENCH_STATUS_COUNT
} ptl_bench_status;

/* "ok", "unstable", "illegal instruction", ... */
const char* ptl_bench_status_name(ptl_bench_status s);

#endif
