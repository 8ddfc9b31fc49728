#include "worker/supervise.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "worker/sandbox.h"

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void reap(pid_t child, int* status) {
    while (waitpid(child, status, 0) < 0 && errno == EINTR) {
    }
}

/* Without a descriptor of the process (kernels before 5.3), it is asked after every two milliseconds. */
static bool is_gone(pid_t child) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

/* Waits until the process ends or so many milliseconds have passed; false: these have. */
static bool has_ended(int process, pid_t child, int stream, int64_t until) {
    struct pollfd watched[2] = {{.fd = stream, .events = POLLRDHUP}, {.fd = process, .events = POLLIN}};
    for (;;) {
        int64_t left = until - now_ms();
        if (left <= 0) return false;
        int n = process >= 0 ? poll(watched, 2, (int)left) : poll(watched, 1, 2);
        if (n > 0 && watched[0].revents) { /* nobody waits for an answer any more */
            kill(child, SIGKILL);
            exit(0);
        }
        if (process >= 0 ? n > 0 && watched[1].revents : is_gone(child)) return true;
    }
}

typedef enum waited { ENDED, ENDED_WHEN_STOPPED, KILLED } waited;

static void conclude(const ptl_slot* slot, int status, waited how, bool complete, bool mapped,
                     ptl_reply* reply) {
    if (how == KILLED)
        reply->end = PTL_END_DEADLINE;
    else if (WIFSIGNALED(status) && WTERMSIG(status) == PTL_NO_SANDBOX)
        *reply = (ptl_reply){.end = PTL_END_NO_PROCESS, .detail = EPERM};
    else if (WIFSIGNALED(status))
        reply->end = PTL_END_SIGNAL, reply->detail = (uint32_t)WTERMSIG(status);
    else if (slot->derailed)
        reply->end = PTL_END_DERAILED;
    else if (WEXITSTATUS(status) == PTL_EXIT_DONE && (complete || how == ENDED_WHEN_STOPPED))
        reply->end = PTL_END_DONE;
    else if (mapped && WEXITSTATUS(status) == PTL_EXIT_FAULT)
        reply->end = PTL_END_FAULT, reply->fault = slot->fault;
    else
        reply->end = PTL_END_EXIT, reply->detail = (uint32_t)WEXITSTATUS(status);
}

/* Measured code may write to the slot what it likes: of its numbers only bounded ones leave this function. */
static void wait_for(const ptl_memory* m, const ptl_plan* plan, pid_t child, int stream, ptl_reply* reply) {
    const ptl_request* r = plan->request;
    int64_t start = now_ms();
    int status = 0, process = (int)syscall(SYS_pidfd_open, child, 0);
    waited how = ENDED;
    if (!has_ended(process, child, stream, start + r->stop_ms)) {
        atomic_store(&m->slot->stop, 1);
        how = has_ended(process, child, stream, start + r->deadline_ms) ? ENDED_WHEN_STOPPED : KILLED;
    }
    if (how == KILLED) kill(child, SIGKILL);
    if (process >= 0) close(process);
    reap(child, &status);
    uint32_t done = atomic_load(&m->slot->done);
    reply->visits = done < r->planned ? done : r->planned;
    conclude(m->slot, status, how, reply->visits == r->planned, r->mapped != 0, reply);
}

int ptl_supervise(const ptl_memory* m, const ptl_plan* plan, int stream, ptl_reply* reply) {
    static int pinned = -1;
    int cpu = plan->request->cpu;
    *reply = (ptl_reply){0};
    ptl_memory_clear_slot(m, plan->request->planned);
    if (cpu >= 0 && cpu != pinned) { /* what it starts stays where it is itself */
        cpu_set_t set;
        CPU_ZERO(&set);
        if (cpu < CPU_SETSIZE) CPU_SET((unsigned)cpu, &set);
        if (sched_setaffinity(0, sizeof set, &set)) {
            *reply = (ptl_reply){.end = PTL_END_NO_PROCESS, .detail = (uint32_t)errno};
            return 0;
        }
        pinned = cpu;
    }
    pid_t self = getpid(), child = fork();
    if (child < 0) return -1;
    if (child == 0) ptl_visits_run(m, plan, self);
    wait_for(m, plan, child, stream, reply);
    return 0;
}
