#include "bench/x86_64/x86_target.h"

#include <string.h>

#include "bench/x86_64/x86_frame.h"

static void set_frame(ptl_frame* f, const ptl_start* start) {
    enum { RSP = 4, R14 = 14 };
    ptl_x86_frame own = {
        .mxcsr = 0x1f80 | 1 << 15 | 1 << 6, /* all exceptions masked, flush to zero, denormals are zero */
        .mask = UINT64_MAX,
    };
    for (int i = 0; i < 8; i++) own.vector[i] = start->vector;
    for (unsigned r = 0; r < 16; r++)
        own.gpr[r] = start->pointers ? PTL_DATA_BASE_AT(&ptl_x86_places) : start->gpr + start->step * r;
    own.gpr[RSP] = PTL_STACK_AT(&ptl_x86_places);
    own.gpr[R14] = PTL_DATA_BASE_AT(&ptl_x86_places);
    *f = (ptl_frame){0};
    memcpy(f->own, &own, sizeof own);
}

const ptl_target ptl_x86_target = {
    .architecture = "x86_64",
    .places = &ptl_x86_places,
    .stack_base = PTL_X86_STACK_BASE,
    .fewest_adders = 3,
    .set_frame = set_frame,
    .kernel = ptl_x86_kernel,
    .block = ptl_x86_block,
    .bodies = ptl_x86_bodies,
};
