/* What a worker says is bounded, whatever it says; and a program that is no worker is told from one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "bench/outcome.h"
#include "bench/stream.h"

enum { PLANNED = 3 };
static const uint32_t plan[PLANNED] = {8, 9, 8};

static ptl_visit sound_visit(uint32_t kernel) {
    ptl_visit v = {.kernel = kernel, .nominal = {25, 100}};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < PTL_VISIT_PASSES; i++)
            v.pass[k][i] = (ptl_pass){.iterations = v.nominal[k] + (uint32_t)i % 4, .ticks = 1000};
    return v;
}

typedef struct said {
    ptl_reply reply;
    ptl_visit visit[PLANNED];
    uint32_t iterations[10];
    ptl_run run;
    ptl_run_outcome outcome;
} said;

static said sound(void) {
    said s = {.reply = {.end = PTL_END_DONE, .visits = PLANNED}};
    for (int i = 0; i < PLANNED; i++) s.visit[i] = sound_visit(plan[i]);
    return s;
}

static bool read_it(said* s, size_t missing) {
    s->run = (ptl_run){.iterations = s->iterations, .kernels = 10, .plan = plan, .planned = PLANNED};
    size_t size = sizeof s->reply + s->reply.visits * sizeof *s->visit - missing;
    return ptl_outcome_read(&s->reply, s->visit, size, &s->run, &s->outcome);
}

static void a_sound_outcome_is_taken(void** state) {
    (void)state;
    said s = sound();
    assert_true(read_it(&s, 0));
    assert_int_equal(s.outcome.status, PTL_BENCH_OK);
    assert_int_equal(s.outcome.visits, PLANNED);
    assert_int_equal(s.iterations[8], 100);
}

static void what_no_run_can_have_made_is_not_counted(void** state) {
    (void)state;
    for (int what = 0; what < 6; what++) {
        said s = sound();
        switch (what) {
        case 0: s.visit[1].kernel = 8; break; /* of another kernel: stale, or forged */
        case 1: s.visit[1].nominal[PTL_LONG] = 0; break;
        case 2: s.visit[1].nominal[PTL_LONG] = UINT32_MAX; break;
        case 3: s.visit[1].nominal[PTL_SHORT] = 100; break;
        case 4: s.visit[1].pass[PTL_LONG][2].iterations = 99; break;
        default: s.visit[1].pass[PTL_SHORT][3].iterations = 29; break;
        }
        assert_true(read_it(&s, 0));
        assert_int_equal(s.outcome.status, PTL_BENCH_DERAILED);
        assert_int_equal(s.outcome.visits, 1);
        assert_int_equal(s.iterations[9], 0);
    }
}

static void what_is_no_reply_is_refused(void** state) {
    (void)state;
    said s = sound();
    assert_false(read_it(&s, 1));
    s = sound();
    s.reply.visits = PLANNED + 1;
    assert_false(read_it(&s, sizeof(ptl_visit)));
    s = sound();
    s.reply.end = 0;
    assert_false(read_it(&s, 0));
    s.reply.end = PTL_END_NO_PROCESS + 1;
    assert_false(read_it(&s, 0));
}

static void the_way_it_ended_becomes_a_status(void** state) {
    (void)state;
    static const struct {
        uint32_t end, detail;
        ptl_bench_status status;
    } ends[] = {{PTL_END_SIGNAL, SIGILL, PTL_BENCH_ILLEGAL},     {PTL_END_SIGNAL, SIGBUS, PTL_BENCH_MEMORY},
                {PTL_END_SIGNAL, SIGSYS, PTL_BENCH_SYSTEM_CALL}, {PTL_END_SIGNAL, SIGXCPU, PTL_BENCH_TIMEOUT},
                {PTL_END_SIGNAL, 12345, PTL_BENCH_DERAILED},     {PTL_END_DERAILED, 0, PTL_BENCH_DERAILED},
                {PTL_END_DEADLINE, 0, PTL_BENCH_TIMEOUT},        {PTL_END_EXIT, 0, PTL_BENCH_SYSTEM_CALL}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        said s = sound();
        s.reply = (ptl_reply){.end = ends[i].end, .detail = ends[i].detail, .visits = 1};
        assert_true(read_it(&s, 0));
        assert_int_equal(s.outcome.visits, 1);
        assert_int_equal(s.outcome.status, ends[i].status);
    }
}

static void random_bytes_stay_within_bounds(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(1);
    for (int i = 0; i < 20000; i++) {
        said s = sound();
        unsigned char* bytes = (unsigned char*)&s;
        for (uint64_t k = ptl_rng_below(&rng, 8); k-- > 0;)
            bytes[ptl_rng_below(&rng, sizeof s.reply + sizeof s.visit)] =
                (unsigned char)ptl_rng_below(&rng, 256);
        if (s.reply.visits > PLANNED || !read_it(&s, 0)) continue;
        assert_true(s.outcome.visits <= PLANNED && s.iterations[8] <= PTL_ITERATIONS_MAX);
        assert_true(s.outcome.status < PTL_BENCH_STATUS_COUNT);
    }
}

static void another_program_is_no_worker(void** state) {
    (void)state;
    static const char* const programs[] = {"/nonexistent", "/bin/false", "/etc/passwd"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        ptl_worker* w;
        ptl_error e;
        assert_int_equal(ptl_worker_open(&w, programs[i], false, &e), PTL_SYSTEM);
        assert_null(w);
        assert_true(strlen(e.what) > 0);
    }
}

/* How many descriptors a process has; -1 where that is not ours to see. */
static int descriptors(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
    DIR* d = opendir(path);
    if (!d) return -1;
    int n = 0;
    for (struct dirent* one; (one = readdir(d));) n += one->d_name[0] != '.';
    closedir(d);
    return n;
}

static void the_worker_inherits_nothing(void** state) {
    (void)state;
    ptl_stream s;
    ptl_message header;
    ptl_hello hello;
    int leaked = dup(2); /* not closed by exec */
    assert_int_equal(ptl_stream_open(&s, PTL_WORKER_PROGRAM, false, NULL), PTL_OK);
    assert_int_equal(ptl_stream_receive(&s, &header, sizeof header, 1e18), PTL_PASSED);
    assert_int_equal(ptl_stream_receive(&s, &hello, sizeof hello, 1e18), PTL_PASSED);
    assert_int_equal(hello.error, 0);
    assert_true(hello.layers & (PTL_LAYER_SECCOMP | PTL_LAYER_EMULATOR));
    int n = descriptors(s.process);
    if (n >= 0) assert_int_equal(n, 1);
    char path[64], byte;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)s.process);
    FILE* f = fopen(path, "r");
    if (f) assert_int_equal(fread(&byte, 1, 1, f), 0), fclose(f);
    close(leaked);
    ptl_stream_close(&s);
}

/* Random messages: it ends, and does so at once. */
static void the_worker_survives_no_nonsense(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(1);
    for (int i = 0; i < 100; i++) {
        ptl_stream s;
        unsigned char sent[4096], got[sizeof(ptl_message) + sizeof(ptl_hello) + 1];
        ptl_message header = {.magic = PTL_MAGIC,
                              .kind = PTL_CODE + (uint32_t)ptl_rng_below(&rng, 5),
                              .size = (uint32_t)ptl_rng_below(&rng, i % 2 ? 300 : UINT32_MAX)};
        assert_int_equal(ptl_stream_open(&s, PTL_WORKER_PROGRAM, false, NULL), PTL_OK);
        for (size_t k = 0; k < sizeof sent; k++) sent[k] = (unsigned char)ptl_rng_below(&rng, 256);
        ptl_stream_send(&s, &header, sizeof header, 1e18);
        ptl_stream_send(&s, sent, sizeof sent, 1e18);
        /* A wrong message ends it; a right one that is not complete leaves it waiting for the rest. */
        bool waits = header.kind == PTL_CODE && header.size > sizeof sent && header.size <= PTL_CODE_SIZE;
        ptl_passed r = ptl_stream_receive(&s, got, sizeof got, waits ? 0 : ptl_now() + 60);
        assert_int_equal(r, waits ? PTL_LATE : PTL_GONE);
        ptl_stream_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_outcome_is_taken),
        cmocka_unit_test(what_no_run_can_have_made_is_not_counted),
        cmocka_unit_test(what_is_no_reply_is_refused),
        cmocka_unit_test(the_way_it_ended_becomes_a_status),
        cmocka_unit_test(random_bytes_stay_within_bounds),
        cmocka_unit_test(another_program_is_no_worker),
        cmocka_unit_test(the_worker_inherits_nothing),
        cmocka_unit_test(the_worker_survives_no_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
