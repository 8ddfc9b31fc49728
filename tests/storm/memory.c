/* Cache and memory bandwidth: the other processor writes all over more memory than caches hold. */
#include <stdlib.h>
#include <string.h>

#include "storm.h"

static const size_t BYTES = (size_t)128 << 20, PIECE = (size_t)64 << 10;

static void thrash(const storm_dials* d) {
    char* buffer = malloc(BYTES);
    if (!buffer) storm_fail("no %zu MiB of memory; free some", BYTES >> 20);
    size_t at = 0;
    for (;;) {
        for (int64_t end = storm_now() + storm_burst(d->longest); storm_now() < end;) {
            memset(buffer + at, (int)(at / PIECE), PIECE);
            __asm__ volatile("" : : "r"(buffer) : "memory");
            at = (at + PIECE) % BYTES;
        }
        storm_sleep_until(storm_now() + storm_pause(d));
    }
}

void storm_memory(const storm_dials* dials) {
    storm_thread(dials->other, STORM_NICE, thrash, dials);
}
