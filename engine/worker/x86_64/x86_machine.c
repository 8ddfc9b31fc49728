#include "worker/machine.h"

#include <linux/audit.h>
#include <x86intrin.h>

#include "worker/x86_64/x86_places.h"

const ptl_machine_type ptl_machine = {
    .architecture = "x86_64",
    .places = &ptl_x86_places,
    .audit = AUDIT_ARCH_X86_64,
    .allow_counters = "write 1 to /sys/bus/event_source/devices/cpu/rdpmc",
};

uint64_t ptl_machine_ticks(void) {
    _mm_lfence();
    uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
}

bool ptl_machine_has_vectors(unsigned bits) {
    return bits <= 128 || (bits <= 256 ? __builtin_cpu_supports("avx2") : __builtin_cpu_supports("avx512f"));
}

void ptl_machine_ask_counter(struct perf_event_attr* attribute) {
    (void)attribute; /* every one may be read */
}

bool ptl_machine_counter(uint32_t index, uint64_t* count) {
    uint32_t low, high;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
    *count = (uint64_t)high << 32 | low;
    return true;
}
