/* What a loop body finds when it runs, and what its caller finds afterwards: the host's kernels, called as
 * the worker calls them. Bodies write registers into the data window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench/codegen.h"
#include "worker/machine.h"
#include "worker/memory.h"

#define CODE(literal) (const uint8_t*)literal, sizeof(literal) - 1

/* Stores the first general register at the base of the window, the stack pointer behind it and the vectors'
 * first and zero register behind that, counts its runs at 64 and adds one to the first register. */
#ifdef __aarch64__
#define BODY                                                                                                 \
    "\x80\x03\x00\xf9"                                 /* str x0, [x28] */                                   \
    "\xf1\x03\x00\x91"                                 /* mov x17, sp */                                     \
    "\x91\x07\x00\xf9"                                 /* str x17, [x28, #8] */                              \
    "\x80\x07\x80\x3d"                                 /* str q0, [x28, #16] */                              \
    "\x9f\x0b\x80\x3d"                                 /* str q31, [x28, #32] */                             \
    "\x00\x04\x00\x91"                                 /* add x0, x0, #1 */                                  \
    "\x91\x23\x40\xf9\x31\x06\x00\x91\x91\x23\x00\xf9" /* ldr x17, [x28, #64]; add x17, x17, #1; str */      \
    "\x11\x44\x3b\xd5\x91\x27\x00\xf9"                 /* mrs x17, fpcr; str x17, [x28, #72] */
#define AHEAD "\xe0\x00\x80\xd2"                       /* mov x0, #7 */
#define OVER_THE_END "\x03\x00\x00\x14"                /* b behind sub and cbnz */
#define KEEPS "\x9a\x03\x00\xf9"                       /* str x26, [x28] */
static const uint64_t control = 1 << 24,
                      control_mask = 1 << 24 | 1 << 25 | 3 << 22; /* FZ; not DN; to nearest */
#else
#define BODY                                                                                                 \
    "\x49\x89\x06"                   /* mov [r14], rax */                                                    \
    "\x49\x89\x66\x08"               /* mov [r14 + 8], rsp */                                                \
    "\x41\x0f\x11\x46\x10"           /* movups [r14 + 16], xmm0 */                                           \
    "\x45\x0f\x11\x7e\x20"           /* movups [r14 + 32], xmm15 */                                          \
    "\x48\xff\xc0"                   /* inc rax */                                                           \
    "\x49\xff\x46\x40"               /* inc qword [r14 + 64] */                                              \
    "\x41\x0f\xae\x5e\x48"           /* stmxcsr [r14 + 72] */
#define AHEAD "\xb8\x07\x00\x00\x00" /* mov eax, 7 */
#define OVER_THE_END "\xeb\x09"      /* jmp behind dec and jnz */
#define KEEPS "\x4d\x89\x2e"         /* mov [r14], r13 */
static const uint64_t control = 1 << 15 | 1 << 6, control_mask = 1 << 15 | 1 << 6 | 3 << 13;
#endif

typedef uint64_t kernel_function(void);

static ptl_memory memory;
static const ptl_start start = {.vector = UINT64_C(0x4009921fb54442d1), .gpr = 100, .step = 3};

static uint64_t* window(void) {
    return (uint64_t*)(void*)(memory.data + PTL_DATA_BASE);
}

/* Runs what was written as code; what it returns. */
static uint64_t run(uint64_t warm_up, uint64_t timed) {
    union {
        uint8_t* address;
        kernel_function* function;
    } u = {.address = memory.code};
    ptl_target_host()->set_frame(memory.frame, &start);
    memory.frame->warm_up = warm_up, memory.frame->timed = timed;
    memset(window(), 0, 128);
    assert_int_equal(ptl_memory_writable(&memory, false), 0);
    return u.function();
}

static uint64_t run_loop(const ptl_loop_code* loop, uint64_t warm_up, uint64_t timed) {
    assert_int_equal(ptl_memory_writable(&memory, true), 0);
    ptl_target_host()->kernel(memory.code, 0, loop);
    return run(warm_up, timed);
}

static ptl_loop_code loop_of(const uint8_t* body, size_t size) {
    return (ptl_loop_code){.body = body, .size = size, .vector_bits = 128};
}

static void a_body_runs_as_often_as_it_should(void** state) {
    if (!*state) skip();
    const ptl_loop_code loop = loop_of(CODE(BODY));
    assert_int_equal(run_loop(&loop, 5, 0), 0);
    assert_int_equal(window()[8], 5);
    assert_int_equal(run_loop(&loop, 5, 9), 0);
    assert_int_equal(window()[8], 14);
    assert_int_equal(memory.frame->timed, 0);
    assert_true(memory.frame->start > 0 && memory.frame->end >= memory.frame->start);
}

static void registers_start_as_the_frame_says_and_go_on(void** state) {
    if (!*state) skip();
    const ptl_places* places = ptl_target_host()->places;
    ptl_loop_code loop = loop_of(CODE(BODY));
    run_loop(&loop, 1, 0);
    assert_int_equal(window()[0], 100);
    assert_int_equal(window()[1], PTL_STACK_AT(places));
    assert_int_equal(window()[2], start.vector);
    assert_int_equal(window()[3], start.vector);
    assert_int_equal(window()[4] | window()[5], 0);
    assert_int_equal(window()[9] & control_mask, control);
    run_loop(&loop, 4, 3); /* the second pass starts from what the first one left */
    assert_int_equal(window()[0], 106);
    loop.ahead = (const uint8_t*)AHEAD, loop.ahead_size = sizeof AHEAD - 1;
    run_loop(&loop, 2, 2);
    assert_int_equal(window()[0], 10);
}

static void the_start_of_the_stack_is_kept_in_every_pass(void** state) {
    if (!*state) skip();
    ptl_loop_code loop = loop_of(CODE(KEEPS));
    loop.keeps_stack = true;
    for (int timed = 0; timed < 2; timed++) {
        assert_int_equal(run_loop(&loop, 1, (uint64_t)timed), 0);
        assert_int_equal(window()[0], PTL_STACK_AT(ptl_target_host()->places));
    }
}

static void what_leaves_its_loop_is_told(void** state) {
    if (!*state) skip();
    const ptl_loop_code loop = loop_of(CODE(OVER_THE_END));
    assert_int_equal(run_loop(&loop, 5, 0), 5);
}

/* A subnormal is flushed if the control register is not restored. x86-64's code leaves MXCSR as it measures
 * with: the worker computes with no such numbers. */
static void the_caller_finds_its_own_state(void** state) {
    if (!*state) skip();
#ifndef __aarch64__
    skip();
#endif
    volatile double tiny = 1e-310, kept = 1.5;
    const ptl_loop_code loop = loop_of(CODE(BODY));
    run_loop(&loop, 3, 3);
    assert_true(tiny / 2 > 0);
    assert_true(kept == 1.5);
}

/* A block starts anew in every iteration. */
static void blocks_start_anew(void** state) {
    if (!*state) skip();
    const ptl_block_setup setup = {.vector_bits = 128};
#ifdef __aarch64__
    /* mov x9, base; str x0, [x9]; add x0, x0, #1 */
    uint32_t code[] = {0xd2c00009 | 0x20 << 5, 0xf2880009, 0xf9000120, 0x91000400};
    _Static_assert(PTL_DATA_BASE == 0x4000, "the constant in the code");
#else
    /* mov rcx, base; mov [rcx], rax; inc rax */
    uint8_t code[] = {0x48, 0xb9, 0, 0x40, 0, 0, 0, 0x20, 0, 0, 0x48, 0x89, 0x01, 0x48, 0xff, 0xc0};
#endif
    assert_int_equal(ptl_memory_writable(&memory, true), 0);
    ptl_target_host()->block(memory.code, 0, (const uint8_t*)code, sizeof code, &setup);
    assert_int_equal(run(3, 4), 0);
    assert_int_equal(window()[0], PTL_PAGE_PATTERN);
}

/* A sanitizer's own memory may be where the worker's is: then there is nothing to run in. */
static int open_memory(void** state) {
    (void)state;
    if (ptl_memory_open(&memory) == 0) return 0;
    printf("skipped: this process has no room at the worker's addresses\n");
    memory.code = NULL;
    return 0;
}

static int skip_without_memory(void** state) {
    *state = memory.code;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_body_runs_as_often_as_it_should, skip_without_memory),
        cmocka_unit_test_setup(registers_start_as_the_frame_says_and_go_on, skip_without_memory),
        cmocka_unit_test_setup(the_start_of_the_stack_is_kept_in_every_pass, skip_without_memory),
        cmocka_unit_test_setup(what_leaves_its_loop_is_told, skip_without_memory),
        cmocka_unit_test_setup(the_caller_finds_its_own_state, skip_without_memory),
        cmocka_unit_test_setup(blocks_start_anew, skip_without_memory),
    };
    return cmocka_run_group_tests(tests, open_memory, NULL);
}
