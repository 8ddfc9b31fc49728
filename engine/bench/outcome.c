#include "bench/outcome.h"

#include <signal.h>

static ptl_bench_status status_of_signal(uint32_t signal) {
    switch (signal) {
    case SIGILL: return PTL_BENCH_ILLEGAL;
    case SIGSEGV:
    case SIGBUS: return PTL_BENCH_MEMORY;
    case SIGFPE: return PTL_BENCH_ARITHMETIC;
    case SIGTRAP: return PTL_BENCH_TRAP;
    case SIGSYS: return PTL_BENCH_SYSTEM_CALL;
    case SIGXCPU:
    case SIGKILL: return PTL_BENCH_TIMEOUT; /* the limit of processor time */
    default: return PTL_BENCH_DERAILED;
    }
}

static ptl_bench_status status_of(const ptl_reply* r) {
    switch ((ptl_end)r->end) {
    case PTL_END_DONE: return PTL_BENCH_OK;
    case PTL_END_SIGNAL: return status_of_signal(r->detail);
    case PTL_END_EXIT: return PTL_BENCH_SYSTEM_CALL;
    case PTL_END_FAULT: return PTL_BENCH_MEMORY;
    case PTL_END_DEADLINE: return PTL_BENCH_TIMEOUT;
    default: return PTL_BENCH_DERAILED;
    }
}

static bool is_sound(const ptl_visit* v, uint32_t kernel) {
    if (v->kernel != kernel || v->nominal[PTL_LONG] < 2 || v->nominal[PTL_LONG] > PTL_ITERATIONS_MAX ||
        v->nominal[PTL_SHORT] == 0 || v->nominal[PTL_SHORT] >= v->nominal[PTL_LONG])
        return false;
    for (int k = PTL_SHORT; k <= PTL_LONG; k++)
        for (int i = 0; i < PTL_VISIT_PASSES; i++) {
            uint32_t n = v->pass[k][i].iterations;
            if (n < v->nominal[k] || n > v->nominal[k] + PTL_JITTER) return false;
        }
    return true;
}

bool ptl_outcome_read(const ptl_reply* reply, const ptl_visit* visit, size_t size, const ptl_run* run,
                      ptl_run_outcome* out) {
    *out = (ptl_run_outcome){.status = status_of(reply), .visit = visit};
    out->fault = reply->end == PTL_END_FAULT ? reply->fault : PTL_NO_ADDRESS;
    if (reply->visits > run->planned || size != sizeof *reply + reply->visits * sizeof *visit ||
        reply->end < PTL_END_DONE || reply->end > PTL_END_NO_PROCESS)
        return false;
    for (; out->visits < reply->visits; out->visits++) {
        const ptl_visit* v = &visit[out->visits];
        uint32_t kernel = run->plan[out->visits];
        if (!is_sound(v, kernel)) {
            if (out->status == PTL_BENCH_OK) out->status = PTL_BENCH_DERAILED;
            return true;
        }
        run->iterations[kernel] = v->nominal[PTL_LONG];
    }
    if (out->visits == run->planned)
        out->status = PTL_BENCH_OK;
    else if (out->visits == 0 && out->status == PTL_BENCH_OK)
        out->status = PTL_BENCH_TIMEOUT; /* stopped before its first visit came to an end */
    return true;
}
