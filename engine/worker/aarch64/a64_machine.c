#include "worker/machine.h"

#include <linux/audit.h>

#include "worker/aarch64/a64_places.h"

const ptl_machine_type ptl_machine = {
    .architecture = "aarch64",
    .places = &ptl_a64_places,
    .audit = AUDIT_ARCH_AARCH64,
    .allow_counters = "run 'sysctl kernel.perf_user_access=1' as root (Linux 5.17 or later)",
};

uint64_t ptl_machine_ticks(void) {
    uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks)::"memory");
    return ticks;
}

bool ptl_machine_has_vectors(unsigned bits) {
    return bits <= 128;
}

/* 1: 64 bits wide, where there are such; 2: may be read in user mode. */
void ptl_machine_ask_counter(struct perf_event_attr* attribute) {
    attribute->config1 |= 3;
}

/* The name of the register is a part of the instruction. */
#define READ_EVENT(n)                                                                                        \
    case n: __asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(*count)); return true

bool ptl_machine_counter(uint32_t index, uint64_t* count) {
    enum { CYCLES = 31 };
    switch (index) {
        READ_EVENT(0);
        READ_EVENT(1);
        READ_EVENT(2);
        READ_EVENT(3);
        READ_EVENT(4);
        READ_EVENT(5);
        READ_EVENT(6);
        READ_EVENT(7);
        READ_EVENT(8);
        READ_EVENT(9);
        READ_EVENT(10);
    case CYCLES: __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(*count)); return true;
    default: *count = 0; return false;
    }
}
