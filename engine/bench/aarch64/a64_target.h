/* Generated code of AArch64 (AAPCS64). Inside a loop body x27 is the loop counter, x28 the base of the data
 * window, x25 the same + 2048, sp a scratch stack; v31 starts as zeros, the other vector registers with the
 * frame's pattern. x26 is for the code around the body: what it holds does not last from one pass to the
 * next. With keeps_stack, it holds what sp starts as, in every pass. */
#ifndef PTL_BENCH_AARCH64_A64_TARGET_H
#define PTL_BENCH_AARCH64_A64_TARGET_H

#include "bench/codegen.h"

/* Numbers of these registers; and of one that points to where stores go whose address is a register alone:
 * the second half of the fresh part of the window. */
enum { PTL_A64_STORED = 25, PTL_A64_SCRATCH = 26, PTL_A64_COUNTER = 27, PTL_A64_DATA = 28 };

extern const ptl_target ptl_a64_target;

/* As the fields of ptl_target. */
size_t ptl_a64_kernel(uint8_t* out, uint64_t at, const ptl_loop_code* code);
size_t ptl_a64_block(uint8_t* out, uint64_t at, const uint8_t* body, size_t size,
                     const ptl_block_setup* setup);
extern const ptl_reference_body ptl_a64_bodies[PTL_REFERENCES];

#endif
