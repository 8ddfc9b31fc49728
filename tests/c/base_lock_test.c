/* Locks: one at a time, gone with their process, not handed on to children, harmless to other files. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lock.h"

static char folder[] = "/tmp/portolan-lock-XXXXXX";
static char path[64];

static int make_folder(void** state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/lock", folder);
    return 0;
}

static int remove_folder(void** state) {
    (void)state;
    unlink(path);
    return rmdir(folder);
}

/* Tries in a child: its answer is 0 (had it), 1 (busy, by that process) or 2. */
static int child_tries(pid_t holder, const char* text) {
    pid_t child = fork();
    if (child == 0) {
        ptl_lock* lock;
        ptl_lock_holder found;
        if (ptl_lock_take(path, "the child", &lock, &found, NULL) != PTL_OK) _exit(2);
        if (lock) {
            ptl_lock_release(lock);
            _exit(0);
        }
        _exit(found.pid == holder && strcmp(found.text, text) == 0 ? 1 : 2);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

/* A child of fork() has a copy of the list of locks: it must ask the kernel all the same. */
static void one_at_a_time(void** state) {
    (void)state;
    ptl_lock *lock, *again;
    ptl_lock_holder holder;
    assert_int_equal(ptl_lock_take(path, "the parent", &lock, &holder, NULL), PTL_OK);
    assert_non_null(lock);
    assert_int_equal(ptl_lock_take(path, "the parent", &again, &holder, NULL), PTL_OK);
    assert_null(again);
    assert_int_equal(holder.pid, getpid());
    assert_int_equal(child_tries(getpid(), "the parent"), 1);
    pid_t child = fork();
    if (child == 0) { /* what it has is a copy */
        ptl_lock_release(lock);
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(child_tries(getpid(), "the parent"), 1);
    ptl_lock_release(lock);
    assert_int_equal(child_tries(getpid(), ""), 0);
    assert_int_equal(access(path, F_OK), -1);
    ptl_lock_release(NULL);
}

static void wait_for_end(int fd) {
    char byte;
    while (read(fd, &byte, 1) > 0) {
    }
}

/* Takes the lock in a child, which says so through `said` and then waits for `leave`. */
static pid_t holding_child(int said, const int* leave) {
    pid_t child = fork();
    if (child != 0) return child;
    close(leave[1]);
    ptl_lock* lock;
    ptl_lock_holder holder;
    ptl_status s = ptl_lock_take(path, "a child", &lock, &holder, NULL);
    if (s != PTL_OK || !lock) _exit(1);
    pid_t grandchild = fork(); /* outlives the child, and must not have its lock */
    if (grandchild == 0) {
        close(said);
        wait_for_end(leave[0]);
        _exit(0);
    }
    if (write(said, "x", 1) != 1) _exit(1);
    pause();
    _exit(0);
}

static void it_ends_with_its_process(void** state) {
    (void)state;
    int said[2], leave[2];
    assert_int_equal(pipe(said), 0);
    assert_int_equal(pipe(leave), 0);
    pid_t child = holding_child(said[1], leave);
    char byte;
    assert_int_equal(read(said[0], &byte, 1), 1);
    assert_int_equal(child_tries(child, "a child"), 1);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(access(path, F_OK), 0); /* left behind, and in nobody's way */
    assert_int_equal(child_tries(child, "a child"), 0);
    close(leave[1]);
    close(leave[0]);
    close(said[0]);
    close(said[1]);
}

static void long_texts_are_cut(void** state) {
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ptl_lock* lock;
    ptl_lock_holder holder;
    assert_int_equal(ptl_lock_take(path, text, &lock, &holder, NULL), PTL_OK);
    text[sizeof holder.text - 1] = '\0';
    assert_int_equal(child_tries(getpid(), text), 1);
    ptl_lock_release(lock);
}

static void other_files_are_left_alone(void** state) {
    (void)state;
    char precious[80];
    snprintf(precious, sizeof precious, "%s/precious", folder);
    FILE* f = fopen(precious, "w");
    assert_non_null(f);
    fputs("x", f);
    fclose(f);
    ptl_lock* lock;
    ptl_lock_holder holder;
    ptl_error e;
    assert_int_equal(symlink(precious, path), 0);
    assert_int_equal(ptl_lock_take(path, "no", &lock, &holder, &e), PTL_BAD_INPUT);
    assert_string_equal(e.what, "the lock is a symbolic link");
    unlink(path);
    assert_int_equal(link(precious, path), 0);
    assert_int_equal(ptl_lock_take(path, "no", &lock, &holder, &e), PTL_BAD_INPUT);
    unlink(path);
    f = fopen(precious, "r");
    assert_int_equal(fgetc(f), 'x');
    assert_int_equal(fgetc(f), EOF);
    fclose(f);
    unlink(precious);
    assert_int_equal(ptl_lock_take("/nope/lock", "no", &lock, &holder, &e), PTL_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_at_a_time),
        cmocka_unit_test(it_ends_with_its_process),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(other_files_are_left_alone),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
