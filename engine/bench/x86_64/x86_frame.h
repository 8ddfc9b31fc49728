/* Defines what the frame holds for generated code of x86-64. */
#ifndef PTL_BENCH_X86_64_X86_FRAME_H
#define PTL_BENCH_X86_64_X86_FRAME_H

#include <stddef.h>

#include "worker/x86_64/x86_places.h"

enum { PTL_X86_STACK_BASE = 13 /* r13 keeps what rsp starts as */ };

/* The frame's own part. */
typedef struct ptl_x86_frame {
    uint64_t saved_rsp;
    uint32_t mxcsr; /* FTZ and DAZ set: subnormals cost nothing (dissertation, section 3.2.1) */
    uint32_t reserved;
    uint64_t gpr[16];   /* initial values in encoding order: rax, rcx, rdx, rbx, rsp, rbp, ... */
    uint64_t mask;      /* initial value of k1-k7 */
    uint64_t vector[8]; /* initial value of every vector register */
    uint64_t rax, rdx;  /* of the body, while the code itself needs these registers */
} ptl_x86_frame;

_Static_assert(sizeof(ptl_x86_frame) <= sizeof((ptl_frame){0}.own), "the frame has room for it");
_Static_assert(offsetof(ptl_frame, own) == 0, "offsets in it are offsets in the frame");

/* The address of a field of the frame's own part, and of a common one. */
#define PTL_X86_OWN(name) (PTL_X86_FRAME_AT + offsetof(ptl_x86_frame, name))
#define PTL_X86_FIELD(name) (PTL_X86_FRAME_AT + offsetof(ptl_frame, name))

#endif
