#include "bench/aarch64/a64_target.h"

#include <string.h>

#include "bench/aarch64/a64_frame.h"

static void set_frame(ptl_frame* f, const ptl_start* start) {
    const uint64_t base = PTL_DATA_BASE_AT(&ptl_a64_places);
    ptl_a64_frame own = {
        .fpcr = PTL_A64_FPCR,
        .stack = PTL_STACK_AT(&ptl_a64_places),
        .vector = {start->vector, start->vector},
    };
    for (unsigned r = 0; r < 31; r++) own.x[r] = start->pointers ? base : start->gpr + start->step * r;
    own.x[PTL_A64_DATA] = base;
    own.x[PTL_A64_STORED] = base + PTL_DATA_FRESH / 2;
    *f = (ptl_frame){0};
    memcpy(f->own, &own, sizeof own);
}

const ptl_target ptl_a64_target = {
    .architecture = "aarch64",
    .places = &ptl_a64_places,
    .stack_base = PTL_A64_SCRATCH,
    .fewest_adders = 1,
    .set_frame = set_frame,
    .kernel = ptl_a64_kernel,
    .block = ptl_a64_block,
    .bodies = ptl_a64_bodies,
};
