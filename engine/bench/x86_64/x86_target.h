/* Generated code of x86-64 (System V). Inside a loop body r15 is the loop counter, r14 the base of the data
 * window, rsp a scratch stack; vector register 15 starts as zeros (the index of gathers), the others with the
 * frame's pattern. */
#ifndef PTL_BENCH_X86_64_X86_TARGET_H
#define PTL_BENCH_X86_64_X86_TARGET_H

#include "bench/codegen.h"

extern const ptl_target ptl_x86_target;

/* As the fields of ptl_target. */
size_t ptl_x86_kernel(uint8_t* out, uint64_t at, const ptl_loop_code* code);
size_t ptl_x86_block(uint8_t* out, uint64_t at, const uint8_t* body, size_t size,
                     const ptl_block_setup* setup);
extern const ptl_reference_body ptl_x86_bodies[PTL_REFERENCES];

#endif
