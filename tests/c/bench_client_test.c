/* The worker's client: what happens to the worker from outside costs a run nothing, and nobody waits for it
 * for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "bench/stream.h"
#include "one_visit.h"

static bool run_one(ptl_worker* w) {
    uint32_t offsets[PTL_REFERENCES];
    write_controls(w, offsets);
    return run_one_visit(w, offsets);
}

static ptl_worker* open_worker(void) {
    ptl_worker* w = open_plain_worker(NULL);
    assert_non_null(w);
    assert_true(run_one(w));
    return w;
}

/* The only child of this process; 0 where the kernel does not tell. */
static pid_t only_child(void) {
    char path[64];
    int child = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE* f = fopen(path, "r");
    if (!f || fscanf(f, "%d", &child) != 1) child = 0;
    if (f) fclose(f);
    return child;
}

static void a_worker_that_was_killed_is_started_anew(void** state) {
    (void)state;
    ptl_worker* w = open_worker();
    pid_t worker = only_child();
    if (worker) kill(worker, SIGKILL);
    assert_true(run_one(w));
    ptl_worker_close(w);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

/* In 0: everything went well. */
static int use_and_close(ptl_worker* w, bool use) {
    bool well = !use || run_one(w);
    ptl_worker_close(w);
    return !well;
}

static void a_forked_process_leaves_its_parents_worker_alone(void** state) {
    (void)state;
    ptl_worker* w = open_worker();
    pid_t worker = only_child();
    for (int use = 0; use < 2; use++) {
        int status = 1;
        pid_t child = fork();
        if (child == 0) _exit(use_and_close(w, use));
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_true(run_one(w));
        assert_int_equal(only_child(), worker); /* the same one as before */
    }
    ptl_worker_close(w);
}

static void nobody_waits_for_a_stopped_worker(void** state) {
    (void)state;
    ptl_stream s;
    char* much = calloc(1, PTL_CODE_SIZE); /* more than the stream holds */
    assert_non_null(much);
    assert_int_equal(ptl_stream_open(&s, PTL_WORKER_PROGRAM, false, NULL), PTL_OK);
    kill(s.process, SIGSTOP);
    double start = ptl_now();
    assert_int_equal(ptl_stream_send(&s, much, PTL_CODE_SIZE, start + 0.2), PTL_LATE);
    ptl_interrupt_set(true);
    assert_int_equal(ptl_stream_send(&s, much, PTL_CODE_SIZE, start + 100), PTL_STOPPED);
    ptl_interrupt_set(false);
    assert_true(ptl_now() - start < 10);
    ptl_stream_close(&s);
    free(much);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_that_was_killed_is_started_anew),
        cmocka_unit_test(a_forked_process_leaves_its_parents_worker_alone),
        cmocka_unit_test(nobody_waits_for_a_stopped_worker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
