/* The sandboxed worker on this machine's processor: every way for code to misbehave ends in its own status,
 * at once, and the kernels beside it are measured all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "bench/codegen.h"
#include "bench/session.h"
#include "worker/machine.h"

typedef struct misbehaviour {
    const char* what;
    const char* code;
    size_t size;
    unsigned expected; /* a bit for each status that is right: IS() */
    bool needs_filter; /* it is stopped by seccomp alone, which an emulator does not have */
} misbehaviour;

#define IS(status) (1u << PTL_BENCH_##status)
#define CODE(literal) literal, sizeof(literal) - 1

#ifdef __aarch64__
#define MULTIPLICATION "\x00\x7c\x01\x1b" /* mul w0, w0, w1 */
static const misbehaviour misbehaviours[] = {
    {"udf", CODE("\x00\x00\x00\x00"), IS(ILLEGAL), false},
    {"hlt", CODE("\x00\x00\x40\xd4"), IS(ILLEGAL), false},
    {"mrs x0, sctlr_el1", CODE("\x00\x10\x38\xd5"), IS(ILLEGAL), false},
    {"brk", CODE("\x00\x00\x20\xd4"), IS(TRAP), false},
    {"getpid", CODE("\x88\x15\x80\xd2\x01\x00\x00\xd4"), IS(SYSTEM_CALL), true},
    {"exit_group", CODE("\xc8\x0b\x80\xd2\x00\x00\x80\xd2\x01\x00\x00\xd4"), IS(SYSTEM_CALL), false},
    {"wild store", CODE("\x00\x02\x80\xd2\x00\x00\x00\xf9"), IS(MEMORY), false},
    {"store into its own code", CODE("\x00\x00\x00\x10\x00\x00\x00\xf9"), IS(MEMORY), false},
    {"ret", CODE("\xc0\x03\x5f\xd6"), IS(MEMORY), false},
    {"endless loop", CODE("\x00\x00\x00\x14"), IS(TIMEOUT), false},
    {"jump behind the loop", CODE("\x03\x00\x00\x14"), IS(DERAILED), false},
};
#else
#define MULTIPLICATION "\x48\x0f\xaf\xc2" /* imul rax, rdx */
static const misbehaviour misbehaviours[] = {
    {"ud2", CODE("\x0f\x0b"), IS(ILLEGAL), false},
    {"hlt", CODE("\xf4"), IS(MEMORY), false},
    {"int3", CODE("\xcc"), IS(TRAP), false},
    {"syscall", CODE("\x0f\x05"), IS(SYSTEM_CALL), true},
    {"exit_group", CODE("\xb8\xe7\x00\x00\x00\x0f\x05"), IS(SYSTEM_CALL), false},
    {"int 0x80", CODE("\x31\xc0\xcd\x80"), IS(SYSTEM_CALL) | IS(MEMORY), true}, /* fault: no 32-bit calls */
    {"division by zero", CODE("\x31\xc9\xf7\xf1"), IS(ARITHMETIC), false},
    {"wild store", CODE("\x48\x89\x04\x25\x10\x00\x00\x00"), IS(MEMORY), false},
    {"store into its own code", CODE("\x48\x8d\x05\xf9\xff\xff\xff\x48\x89\x00"), IS(MEMORY), false},
    {"ret", CODE("\xc3"), IS(MEMORY), false},
    {"endless loop", CODE("\xeb\xfe"), IS(TIMEOUT), false},
    {"jump behind the loop", CODE("\xeb\x09"), IS(DERAILED), false},
};
#endif

enum { BAD = sizeof misbehaviours / sizeof *misbehaviours };

static ptl_kernel kernel_of(const uint8_t* body, size_t size, unsigned copies, unsigned group, bool foreign) {
    return (ptl_kernel){.body = body, .size = size, .copies = copies, .group = group, .foreign = foreign};
}

/* NULL, after saying why, where the machine is too noisy to be calibrated. */
static ptl_session* open_session(bool uncalibrated) {
    ptl_session_options o = {
        .worker = PTL_WORKER_PROGRAM, .cpu = -1, .seed = 1, .patience = 10, .uncalibrated = uncalibrated};
    ptl_session* s;
    ptl_error e;
    if (ptl_session_open(&s, &o, &e) == PTL_OK) return s;
    printf("skipped: %s\n", e.what);
    return NULL;
}

static void misbehaving_code_gets_its_status(void** state) {
    (void)state;
    ptl_session* s = open_session(true); /* a crash is a crash on a noisy machine, too */
    if (!s) skip();
    ptl_kernel kernels[BAD + 2];
    ptl_measurement out[BAD + 2];
    for (unsigned i = 0; i < BAD; i++)
        kernels[i] = kernel_of((const uint8_t*)misbehaviours[i].code, misbehaviours[i].size, 1, i, true);
    const uint8_t* imul = (const uint8_t*)MULTIPLICATION MULTIPLICATION;
    for (unsigned i = BAD; i < BAD + 2; i++) kernels[i] = kernel_of(imul, 8, 2, i, false);
    ptl_error e;
    assert_int_equal(ptl_session_run(s, kernels, BAD + 2, BAD + 2, out, NULL, NULL, &e), PTL_OK);
    bool filters = (ptl_session_layers(s) & PTL_LAYER_SECCOMP) != 0;
    for (unsigned i = 0; i < BAD; i++) {
        if (misbehaviours[i].needs_filter && !filters) continue;
        if (!(misbehaviours[i].expected >> out[i].status & 1))
            fail_msg("%s: %s", misbehaviours[i].what, ptl_bench_status_name(out[i].status));
    }
    for (unsigned i = BAD; i < BAD + 2; i++)
        assert_true(out[i].status == PTL_BENCH_OK || out[i].status == PTL_BENCH_UNSTABLE);
    ptl_session_close(s);
}

/* Ticks of 10 ms, unless this process is interrupted. */
static uint32_t ticks_of_10_ms(void) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 5; i++) {
        double end = ptl_now() + 0.01;
        uint64_t ticks = ptl_machine_ticks();
        while (ptl_now() < end) {
        }
        ticks = ptl_machine_ticks() - ticks;
        if (ticks < least) least = ticks;
    }
    return (uint32_t)least;
}

/* A loop body that waits for 40 ms: the first visit to it takes longer than a run goes on. */
static size_t write_waiting(uint8_t* out) {
    uint32_t wait = 4 * ticks_of_10_ms();
#ifdef __aarch64__
    const uint32_t code[] = {0xd53be040,                        /* mrs x0, cntvct_el0 */
                             0xd2800001 | (wait & 0xffff) << 5, /* mov x1, low half */
                             0xf2a00001 | wait >> 16 << 5,      /* movk x1, high half, lsl 16 */
                             0x8b010001,                        /* add x1, x0, x1: the end */
                             0xd53be040,
                             0xeb01001f,
                             0x54ffffc3}; /* mrs x0, ...; cmp x0, x1; b.lo */
#else
    uint8_t code[] = {0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0, 0x48, 0x8d, 0xb0, 0,    0,
                      0,    0, /* rsi: the end */
                      0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0, 0x48, 0x39, 0xf0, 0x72, 0xf2};
    memcpy(code + 12, &wait, sizeof wait);
#endif
    memcpy(out, code, sizeof code);
    return sizeof code;
}

/* It is visited twice at first, but not when there is no time. */
static void slow_foreign_code_does_not_outlast_patience(void** state) {
    (void)state;
    ptl_session_options o = {.worker = PTL_WORKER_PROGRAM, .cpu = -1, .seed = 1, .uncalibrated = true};
    ptl_session* s;
    assert_int_equal(ptl_session_open(&s, &o, NULL), PTL_OK);
    uint8_t code[64];
    ptl_kernel kernel = kernel_of(code, write_waiting(code), 1, 0, true);
    ptl_measurement out;
    assert_int_equal(ptl_session_run(s, &kernel, 1, 1, &out, NULL, NULL, NULL), PTL_OK);
    assert_int_equal(out.status, PTL_BENCH_UNSTABLE);
    assert_int_equal(out.rejected, PTL_VISIT_PASSES);
    ptl_session_close(s);
}

/* Latency-bound code is immune to a busy neighbour: a dependent multiplication takes as long as calibration
 * found. */
static void ratios_of_chains_hold(void** state) {
    (void)state;
    ptl_session* s = open_session(false);
    if (!s) skip();
    uint8_t imul[PTL_REFERENCE_BODY_MAX], add[PTL_REFERENCE_BODY_MAX];
    unsigned imuls, adds;
    size_t imul_size = ptl_target_host()->bodies[PTL_CHAIN].write(imul, &imuls),
           add_size = ptl_target_host()->bodies[PTL_ADD_CHAIN].write(add, &adds);
    const ptl_kernel kernels[] = {kernel_of(imul, imul_size, imuls, 0, false),
                                  kernel_of(add, add_size, adds, 1, false)};
    ptl_measurement out[2];
    assert_int_equal(ptl_session_run(s, kernels, 2, 2, out, NULL, NULL, NULL), PTL_OK);
    for (int i = 0; i < 2; i++)
        if (out[i].status != PTL_BENCH_OK) {
            printf("skipped: the machine is too noisy (%s)\n", ptl_bench_status_name(out[i].status));
            ptl_session_close(s);
            skip();
        }
    double latency = ptl_session_calibration(s)->imul_latency;
    assert_true(out[0].cycles > 0.9 * latency && out[0].cycles < 1.1 * latency);
    assert_true(out[1].cycles > 0.9 && out[1].cycles < 1.1);
    ptl_session_close(s);
}

static void without_calibration_there_is_no_result(void** state) {
    (void)state;
    ptl_session_options o = {
        .worker = PTL_WORKER_PROGRAM, .cpu = -1, .seed = 1, .patience = 0, .uncalibrated = true};
    ptl_session* s;
    assert_int_equal(ptl_session_open(&s, &o, NULL), PTL_OK);
    uint8_t add[PTL_REFERENCE_BODY_MAX];
    unsigned adds;
    size_t size = ptl_target_host()->bodies[PTL_ADD_CHAIN].write(add, &adds);
    ptl_kernel kernel = kernel_of(add, size, adds, 0, false);
    ptl_measurement out;
    assert_int_equal(ptl_session_run(s, &kernel, 1, 1, &out, NULL, NULL, NULL), PTL_OK);
    assert_int_equal(out.status, PTL_BENCH_UNSTABLE);
    assert_int_equal(out.accepted, 0);
    assert_true(out.rejected > 0 && !out.unsteady);
    ptl_session_close(s);
}

/* No core adds twenty times a cycle. */
static void a_wrong_number_of_adders_is_not_believed(void** state) {
    (void)state;
    ptl_session_options o = {
        .worker = PTL_WORKER_PROGRAM, .cpu = -1, .seed = 1, .patience = 0.3, .adders = 20};
    ptl_session* s;
    ptl_error e;
    ptl_status status = ptl_session_open(&s, &o, &e);
    assert_null(s);
    if (status == PTL_UNSUPPORTED) skip(); /* an emulator */
    assert_int_equal(status, PTL_LIMIT);
}

static void malformed_kernels_are_refused(void** state) {
    (void)state;
    ptl_session* s = open_session(true);
    if (!s) skip();
    static const uint8_t nops[PTL_BODY_MAX + 1] = {0x90}; /* not run */
    ptl_measurement out[2];
    ptl_error e;
    const ptl_kernel large = kernel_of(nops, sizeof nops, 1, 0, false),
                     gap[] = {kernel_of(nops, 1, 1, 0, false), kernel_of(nops, 1, 1, 2, false)};
    ptl_kernel long_ahead = kernel_of(nops, 1, 1, 0, false);
    long_ahead.ahead = nops;
    long_ahead.ahead_size = PTL_AHEAD_SIZE_MAX + 1;
    assert_int_equal(ptl_session_run(s, &large, 1, 1, out, NULL, NULL, &e), PTL_BAD_INPUT);
    assert_int_equal(ptl_session_run(s, &long_ahead, 1, 1, out, NULL, NULL, &e), PTL_INTERNAL);
    assert_int_equal(ptl_session_run(s, gap, 2, 2, out, NULL, NULL, &e), PTL_INTERNAL);
    assert_int_equal(ptl_session_run(s, gap, 0, 0, out, NULL, NULL, &e), PTL_OK);
    ptl_session_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misbehaving_code_gets_its_status),
        cmocka_unit_test(slow_foreign_code_does_not_outlast_patience),
        cmocka_unit_test(ratios_of_chains_hold),
        cmocka_unit_test(without_calibration_there_is_no_result),
        cmocka_unit_test(a_wrong_number_of_adders_is_not_believed),
        cmocka_unit_test(malformed_kernels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
