/* Pages that a run maps onto one, and faults that say where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/machine.h"
#include "worker/pages.h"
#include "worker/protocol.h"
#include "worker/request.h"
#include "worker/sandbox.h"

enum { EXIT_FAULT = 4 };

static const uint64_t here = UINT64_C(0x12345000), there = UINT64_C(0x510123456000);

static uint64_t* at(uint64_t address) {
    return (uint64_t*)(uintptr_t)address;
}

/* Runs f in a child; how it ended, as wait has it. */
static int in_a_child(int (*f)(void)) {
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(f());
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void assert_exits(int (*f)(void), int with) {
    int status = in_a_child(f);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), with);
}

static int sees_one_page(void) {
    const uint64_t pages[] = {here, there};
    uint64_t refused;
    if (ptl_pages_map(pages, 2, false, &refused)) return 1;
    for (size_t i = 0; i < PTL_PAGE_SIZE / 8; i++)
        if (at(here)[i] != PTL_PAGE_PATTERN || at(there)[i] != PTL_PAGE_PATTERN) return 2;
    at(here)[7] = 42;
    if (at(there)[7] != 42 || at(ptl_machine.places->page)[7] != 42) return 3;
    return 0;
}

static void all_addresses_are_one_page(void** state) {
    (void)state;
    if (ptl_sandbox_is_emulated()) skip(); /* qemu maps no page twice */
    assert_exits(sees_one_page, 0);
    assert_exits(sees_one_page, 0); /* nothing is left of the one before */
}

static int sees_two_pages(void) {
    const uint64_t pages[] = {here, there};
    uint64_t refused;
    if (ptl_pages_map(pages, 2, true, &refused)) return 1;
    for (size_t i = 0; i < PTL_PAGE_SIZE / 8; i++)
        if (at(here)[i] != PTL_PAGE_PATTERN || at(there)[i] != PTL_PAGE_PATTERN) return 2;
    at(here)[7] = 42;
    if (at(there)[7] != PTL_PAGE_PATTERN) return 3;
    at(there)[7] = 43;
    return at(here)[7] == 42 ? 0 : 4;
}

static void addresses_may_have_pages_of_their_own(void** state) {
    (void)state;
    if (ptl_sandbox_is_emulated()) skip(); /* qemu maps no page twice */
    assert_exits(sees_two_pages, 0);
    assert_exits(sees_two_pages, 0);
}

/* What is there already stays what it is. */
static int maps_over_something(void) {
    void* mine = mmap(at(there), PTL_PAGE_SIZE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (mine != at(there)) return 1;
    *at(there) = 5;
    const uint64_t pages[] = {here, there};
    uint64_t refused = 0;
    return !ptl_pages_map(pages, 2, false, &refused) || refused != there || *at(there) != 5 ? 2 : 0;
}

static void nothing_is_replaced(void** state) {
    (void)state;
    if (ptl_sandbox_is_emulated()) skip(); /* qemu maps no page twice */
    assert_exits(maps_over_something, 0);
}

static uint64_t* shared;

/* Into the sandbox, where there is one. */
static bool enter(void) {
    bool emulated = ptl_sandbox_is_emulated();
    return ptl_sandbox_enter() == 0 || emulated;
}

static int faults_at(uint64_t address) {
    ptl_pages_catch(shared, EXIT_FAULT);
    if (!enter()) return 1;
    *(volatile uint64_t*)at(address) = 1;
    return 2;
}

static int faults(void) {
    return faults_at(there + 24);
}

/* Of an address that none can be the processor says nothing; AArch64 has no such one: it ignores the highest
 * byte. */
static int faults_without_an_address(void) {
    return faults_at(UINT64_C(0x8000000000000000));
}
#ifdef __aarch64__
static const uint64_t no_address = 0;
#else
static const uint64_t no_address = PTL_NO_ADDRESS;
#endif

/* The stack pointer may be anywhere when it faults. */
static int faults_without_a_stack(void) {
    ptl_pages_catch(shared, EXIT_FAULT);
    if (!enter()) return 1;
#ifdef __aarch64__
    __asm__ volatile("mov sp, %0; str x0, [sp, #-8]!" ::"r"(there + 64) : "memory");
#else
    __asm__ volatile("mov %0, %%rsp; push %%rax" ::"r"(there + 64) : "memory");
#endif
    return 2;
}

static void a_fault_says_where(void** state) {
    (void)state;
    shared = mmap(NULL, PTL_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    assert_exits(faults, EXIT_FAULT);
    assert_int_equal(*shared, there + 24);
    assert_exits(faults_without_an_address, EXIT_FAULT);
    assert_int_equal(*shared, no_address);
    assert_exits(faults_without_a_stack, EXIT_FAULT);
    assert_int_equal(*shared, there + 56);
    munmap(shared, PTL_PAGE_SIZE);
}

static void only_addresses_of_programs_are_asked_for(void** state) {
    (void)state;
    assert_true(ptl_request_page(here) && ptl_request_page(there));
    assert_false(ptl_request_page(here + 8));
    assert_false(ptl_request_page(0));
    assert_false(ptl_request_page(0xf000));
    assert_false(ptl_request_page(UINT64_C(1) << 47));
    assert_false(ptl_request_page(UINT64_C(0xffff800000000000)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_addresses_are_one_page),
        cmocka_unit_test(addresses_may_have_pages_of_their_own),
        cmocka_unit_test(nothing_is_replaced),
        cmocka_unit_test(a_fault_says_where),
        cmocka_unit_test(only_addresses_of_programs_are_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
