/* Each layer of the worker's sandbox that is said to hold does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/protocol.h"
#include "worker/sandbox.h"
#include "worker/visits.h"

/* Runs f in a child; how it ended, as wait has it. */
static int in_a_child(int (*f)(void)) {
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(f());
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static int try_files(uint32_t layers) {
    if (!(layers & PTL_LAYER_LANDLOCK)) return 0;
    return open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0 || errno != EACCES ? 2 : 0;
}

static int try_capabilities(uint32_t layers) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (!(layers & PTL_LAYER_CAPABILITIES) || syscall(SYS_capget, &header, data)) return 0;
    return data[0].effective || data[0].permitted || data[1].effective || data[1].permitted ? 3 : 0;
}

static int try_limits(uint32_t layers) {
    struct rlimit core, files, stack;
    if (!(layers & PTL_LAYER_LIMITS)) return 0;
    if (getrlimit(RLIMIT_CORE, &core) || getrlimit(RLIMIT_FSIZE, &files) || getrlimit(RLIMIT_STACK, &stack))
        return 4;
    return core.rlim_max != 0 || files.rlim_max != 0 || stack.rlim_cur > 8 << 20 ? 4 : 0;
}

static int what_is_said_holds(void) {
    struct rlimit stack; /* as high as may be: measured code can make it grow */
    if (!getrlimit(RLIMIT_STACK, &stack)) stack.rlim_cur = stack.rlim_max, setrlimit(RLIMIT_STACK, &stack);
    uint32_t layers = ptl_sandbox_confine(false);
    if ((layers & PTL_LAYER_PRIVILEGES) && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return 5;
    int wrong = try_capabilities(layers);
    if (!wrong) wrong = try_limits(layers);
    return wrong ? wrong : try_files(layers);
}

static void every_layer_that_is_said_to_hold_does(void** state) {
    (void)state;
    int status = in_a_child(what_is_said_holds);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Fewer seconds of processor time than a run asks for are no reason not to run. */
static int has_few_seconds(void) {
    if (setrlimit(RLIMIT_CPU, &(struct rlimit){2, 2})) return 1;
    ptl_sandbox_confine(false);
    struct rlimit seconds;
    if (ptl_sandbox_prepare(getppid(), 5) || getrlimit(RLIMIT_CPU, &seconds)) return 2;
    return seconds.rlim_max == 2 ? 0 : 3;
}

static void little_processor_time_will_do(void** state) {
    (void)state;
    int status = in_a_child(has_few_seconds);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int opens_a_file(void) {
    if (ptl_sandbox_enter()) return 1;
    syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
    return 2;
}

static int exits(void) {
    if (ptl_sandbox_enter()) return 1;
    ptl_sandbox_exit(7);
    return 2;
}

static void in_the_sandbox_there_is_only_the_exit(void** state) {
    (void)state;
    if (ptl_sandbox_is_emulated()) skip(); /* qemu has no filters */
    assert_int_equal(ptl_sandbox_try(), 0);
    int status = in_a_child(opens_a_file);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
    status = in_a_child(exits);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

/* One whose parent is gone already, as it was told another one's number. */
static int runs_without_a_sandbox(void) {
    static const ptl_request request = {.planned = 1, .deadline_ms = 1000};
    static const uint32_t zero = 0;
    const ptl_plan plan = {.request = &request, .offsets = &zero, .iterations = &zero, .order = &zero};
    ptl_visits_run(&(ptl_memory){0}, &plan, 0); /* it does not come as far as to need memory */
    return 2;
}

static void without_a_sandbox_nothing_runs(void** state) {
    (void)state;
    int status = in_a_child(runs_without_a_sandbox);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == PTL_NO_SANDBOX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layer_that_is_said_to_hold_does),
        cmocka_unit_test(little_processor_time_will_do),
        cmocka_unit_test(in_the_sandbox_there_is_only_the_exit),
        cmocka_unit_test(without_a_sandbox_nothing_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
