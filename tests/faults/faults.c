/* Faults of the machine, injected: preloaded into a program, by PORTOLAN_FAULT in its environment.
 *
 *     memory N      the Nth allocation of the first thread fails, and the nine after it
 *     fork N        the Nth process and all after it cannot be had
 *     clock         the time of day jumps, back and forth by days
 *     count FILE    nothing fails; the number of the first thread's allocations is written to FILE
 *
 * Other threads are spared: the progress line's is luv's, which does not look whether its Lua state was made, and
 * threads that take turns at random would make a moment another one each time. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { IN_A_ROW = 10 };

static atomic_ulong allocations, processes;
static unsigned long bad_allocation, bad_process;
static int jumping;
static const char* report;
static pthread_t first;

static void tell(void) {
    FILE* f = fopen(report, "w");
    if (!f) return;
    fprintf(f, "%lu\n", atomic_load(&allocations));
    fclose(f);
}

__attribute__((constructor)) static void begin(void) {
    const char* fault = getenv("PORTOLAN_FAULT");
    first = pthread_self();
    if (!fault) return;
    if (!strncmp(fault, "memory ", 7)) bad_allocation = strtoul(fault + 7, NULL, 10);
    if (!strncmp(fault, "fork ", 5)) bad_process = strtoul(fault + 5, NULL, 10);
    jumping = !strcmp(fault, "clock");
    if (!strncmp(fault, "count ", 6)) {
        report = fault + 6;
        atexit(tell);
    }
}

static int fails(void) {
    if (!pthread_equal(pthread_self(), first)) return 0;
    unsigned long n = atomic_fetch_add(&allocations, 1) + 1;
    if (!bad_allocation || n < bad_allocation || n >= bad_allocation + IN_A_ROW) return 0;
    errno = ENOMEM;
    return 1;
}

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t n, size_t size);
extern void* __libc_realloc(void* p, size_t size);

void* malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void* calloc(size_t n, size_t size) {
    return fails() ? NULL : __libc_calloc(n, size);
}

void* realloc(void* p, size_t size) {
    return fails() ? NULL : __libc_realloc(p, size);
}

static int no_process(void) {
    return bad_process && atomic_fetch_add(&processes, 1) + 1 >= bad_process;
}

pid_t fork(void) {
    pid_t (*real)(void);
    *(void**)&real = dlsym(RTLD_NEXT, "fork");
    if (!no_process()) return real();
    errno = EAGAIN;
    return -1;
}

int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
    int (*real)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                char* const[], char* const[]);
    *(void**)&real = dlsym(RTLD_NEXT, "posix_spawn");
    return no_process() ? EAGAIN : real(pid, path, actions, attributes, arguments, environment);
}

/* Seconds by which the clock is wrong now. */
static time_t jump(void) {
    static atomic_uint state = 1;
    if (!jumping) return 0;
    unsigned s = atomic_load(&state) * 1664525 + 1013904223;
    atomic_store(&state, s);
    return (time_t)(s >> 12) - (1 << 19);
}

int clock_gettime(clockid_t clock, struct timespec* t) {
    int (*real)(clockid_t, struct timespec*);
    *(void**)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, t);
    if (clock == CLOCK_REALTIME && result == 0) t->tv_sec += jump();
    return result;
}

time_t time(time_t* out) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (out) *out = t.tv_sec;
    return t.tv_sec;
}

int gettimeofday(struct timeval* restrict t, void* restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}
