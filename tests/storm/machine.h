/* What each processor has its own instructions for. */
#ifndef STORM_MACHINE_H
#define STORM_MACHINE_H

#include <stdint.h>

#define STORM_TEN(x) x x x x x x x x x x

#if defined(__x86_64__)
#include <x86intrin.h>

/* A thread that waits for a moment tells the core so. */
static inline void storm_relax(void) {
    _mm_pause();
}

/* Time in ticks, once everything before is done and before anything after begins. */
static inline uint64_t storm_ticks(void) {
    unsigned ignored;
    uint64_t ticks = __rdtscp(&ignored);
    _mm_lfence();
    return ticks;
}

/* A hundred multiplications that wait for each other: some 300 cycles. */
static inline void storm_chain(void) {
    __asm__ volatile(STORM_TEN(STORM_TEN("imul %%rdx, %%rax\n")) : : : "rax", "rdx", "cc");
}

#elif defined(__aarch64__)

static inline void storm_relax(void) {
    __asm__ volatile("yield");
}

/* The counter steps at 24 MHz to 1 GHz. */
static inline uint64_t storm_ticks(void) {
    uint64_t ticks;
    __asm__ volatile("isb\nmrs %0, cntvct_el0\nisb" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline void storm_chain(void) {
    __asm__ volatile(STORM_TEN(STORM_TEN("mul w0, w0, w1\n")) : : : "x0", "x1");
}

#else
#error "tests/storm/machine.h lacks this processor"
#endif

#endif
