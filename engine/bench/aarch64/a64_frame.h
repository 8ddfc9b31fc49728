/* Defines what the frame holds for generated code of AArch64. */
#ifndef PTL_BENCH_AARCH64_A64_FRAME_H
#define PTL_BENCH_AARCH64_A64_FRAME_H

#include <stddef.h>

#include "worker/aarch64/a64_places.h"

/* The frame's own part. */
typedef struct ptl_a64_frame {
    uint64_t saved_sp, saved_fpcr; /* of the caller */
    uint64_t fpcr;                 /* PTL_A64_FPCR */
    uint64_t stack;                /* initial value of sp */
    uint64_t x[31];                /* initial values of x0 to x30 */
    uint64_t reserved;
    uint64_t vector[2]; /* initial value of v0 to v30; aligned to 16 bytes */
    uint64_t x0;        /* of the body, while the code itself needs this register */
} ptl_a64_frame;

/* Subnormals are flushed to zero and cost nothing (dissertation, section 3.2.1): FZ, and FZ16 where there is
 * arithmetic of half precision. Round to nearest, NaNs keep their payload, nothing traps. */
#define PTL_A64_FPCR (UINT64_C(1) << 24 | UINT64_C(1) << 19)

_Static_assert(sizeof(ptl_a64_frame) <= sizeof((ptl_frame){0}.own), "the frame has room for it");
_Static_assert(offsetof(ptl_frame, own) == 0, "offsets in it are offsets in the frame");
_Static_assert(offsetof(ptl_a64_frame, vector) % 16 == 0, "ldr q takes multiples of 16");

#endif
