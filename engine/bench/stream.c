#include "bench/stream.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"

/* A process group of its own: Ctrl-C reaches Portolan alone, which decides. Returns errno, or 0. */
static int spawn(pid_t* process, const char* program, bool counters, int theirs) {
    char* arguments[] = {(char*)"worker", counters ? (char*)"counters" : NULL, NULL};
    char* environment[] = {NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawn_file_actions_init(&files);
    if (error) return error;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    error = posix_spawn_file_actions_adddup2(&files, theirs, 0);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&files, 1);
    if (!error) error = posix_spawn(process, program, &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

ptl_status ptl_stream_open(ptl_stream* s, const char* program, bool counters, ptl_error* error) {
    int ends[2];
    *s = PTL_STREAM_CLOSED;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return ptl_fail_errno(error, "worker", "socketpair");
    const int ample = 1 << 20;
    for (int i = 0; i < 2; i++) setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &ample, sizeof ample);
    int failure = spawn(&s->process, program, counters, ends[1]);
    close(ends[1]);
    if (!failure) {
        s->fd = ends[0];
        s->owner = getpid();
        return PTL_OK;
    }
    close(ends[0]);
    return ptl_fail(error, PTL_SYSTEM, program, "it is built and installed beside the module portolan.core",
                    "the program that runs measured code cannot be started: %s", strerror(failure));
}

void ptl_stream_close(ptl_stream* s) {
    if (s->fd < 0) return;
    bool ours = ptl_stream_is_ours(s);
    close(s->fd);
    if (ours) kill(s->process, SIGKILL); /* what it runs dies with it */
    while (ours && waitpid(s->process, NULL, 0) < 0 && errno == EINTR) {
    }
    *s = PTL_STREAM_CLOSED;
}

bool ptl_stream_is_ours(const ptl_stream* s) {
    return s->fd >= 0 && s->owner == getpid();
}

/* Waits until bytes can pass, for a tenth of a second at most. */
static bool is_ready(const ptl_stream* s, short events) {
    const int tenth = 100; /* ms: so soon Ctrl-C is seen */
    return poll(&(struct pollfd){.fd = s->fd, .events = events}, 1, tenth) > 0;
}

static bool is_lost(ssize_t n) {
    return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
}

ptl_passed ptl_stream_send(const ptl_stream* s, const void* from, size_t size, double deadline) {
    for (const char* p = from; size > 0;) {
        if (ptl_interrupted()) return PTL_STOPPED;
        if (is_ready(s, POLLOUT)) {
            ssize_t n = send(s->fd, p, size, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (is_lost(n)) return PTL_GONE;
            if (n > 0) p += n, size -= (size_t)n;
        } else if (ptl_now() > deadline) {
            return PTL_LATE;
        }
    }
    return PTL_PASSED;
}

ptl_passed ptl_stream_receive(const ptl_stream* s, void* to, size_t size, double deadline) {
    for (char* p = to; size > 0;) {
        if (ptl_interrupted()) return PTL_STOPPED;
        if (is_ready(s, POLLIN)) {
            ssize_t n = recv(s->fd, p, size, MSG_DONTWAIT);
            if (is_lost(n)) return PTL_GONE;
            if (n > 0) p += n, size -= (size_t)n;
        } else if (ptl_now() > deadline) {
            return PTL_LATE;
        }
    }
    return PTL_PASSED;
}
