/* What one run of measured code costs beside the code: a process forked from one of so much memory, as a
 * program with a mapping, a solver and a database is, against a run of the worker, which is a program of its
 * own. usage: build/release/bench/worker */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../c/one_visit.h"
#include "base/clock.h"

enum { REPEATS = 200 };

static int ascending(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double* list) {
    qsort(list, REPEATS, sizeof *list, ascending);
    return 1e6 * list[REPEATS / 2];
}

static double fork_and_wait(void) {
    double seconds[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double start = ptl_now();
        pid_t child = fork();
        if (child == 0) _exit(0);
        if (child < 0 || waitpid(child, NULL, 0) != child) exit(1);
        seconds[i] = ptl_now() - start;
    }
    return median(seconds);
}

static double run_worker(ptl_worker* w) {
    double seconds[REPEATS];
    uint32_t offsets[PTL_REFERENCES];
    write_controls(w, offsets);
    for (int i = 0; i < REPEATS; i++) {
        double start = ptl_now();
        if (!run_one_visit(w, offsets)) exit(1);
        seconds[i] = ptl_now() - start;
    }
    return median(seconds);
}

int main(void) {
    ptl_error e;
    ptl_worker* w = open_plain_worker(&e);
    if (!w) {
        fprintf(stderr, "worker: %s\n", e.what);
        return 1;
    }
    printf("median of %d, microseconds\n\n", REPEATS);
    printf("memory of this process   fork and wait, nothing run   run of the worker, one visit\n");
    for (size_t mib = 0; mib <= 512; mib = mib ? 4 * mib : 32) {
        size_t size = (mib << 20) + 4096;
        char* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return 1;
        madvise(memory, size, MADV_NOHUGEPAGE); /* as memory is that grew in small pieces */
        memset(memory, 1, size);
        double forked = fork_and_wait(), run = run_worker(w);
        printf("%18zu MiB   %26.0f   %28.0f\n", mib, forked, run);
        munmap(memory, size);
    }
    ptl_worker_close(w);
    return 0;
}
