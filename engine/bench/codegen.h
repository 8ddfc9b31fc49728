/* Machine code around a measured loop body (x86-64, System V).
 *
 * A kernel is compiled to a function without arguments. It saves the callee-saved registers and rsp,
 * initialises flags, MXCSR, x87, vector and general registers, and runs the loop twice: `warm_up` iterations,
 * then `timed` ones. Time stamps are taken right before and after each pass, behind a fence; what a pass
 * leaves in the registers is what the next one starts from. It returns what is left in r15 (0, unless the
 * body derailed). Inside the body r15 is the loop counter, r14 the base of the data window, rsp a scratch
 * stack; vector register 15 starts as zeros (the index of gathers), the others with the frame's pattern. */
#ifndef PTL_BENCH_CODEGEN_H
#define PTL_BENCH_CODEGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/layout.h"

enum { PTL_KERNEL_ALIGN = 64 };

/* What surrounds the body takes at most this many bytes. */
enum { PTL_KERNEL_OVERHEAD = 1024 };

/* What a function is made of. */
typedef struct ptl_loop_code {
    const uint8_t* body;
    size_t size;
    const uint8_t* ahead; /* runs once, after registers are initialised and ahead of both passes; or NULL */
    size_t ahead_size;
    unsigned vector_bits; /* widest vector register to initialise: 0, 128, 256 or 512 */
    bool keeps_stack;     /* r13 starts as what rsp starts as */
} ptl_loop_code;

enum { PTL_KERNEL_STACK_BASE = 13 }; /* the number of that register */

/* Writes the function to out (size + ahead_size + PTL_KERNEL_OVERHEAD bytes must fit) as it will run `at`
 * bytes into the code (a multiple of PTL_KERNEL_ALIGN), with the frame at PTL_FRAME_AT. Returns the bytes
 * written. */
size_t ptl_codegen_kernel(uint8_t* out, uint64_t at, const ptl_loop_code* loop);

/* What a block of real code needs to start from (docs/measuring.md). */
typedef struct ptl_block_setup {
    unsigned vector_bits; /* widest vector register to initialise: 0, 128, 256 or 512 */
    bool writes;          /* it writes to memory: the page is filled anew for every iteration */
    bool x87;             /* it uses the x87 stack or MMX registers, which are emptied for every iteration */
} ptl_block_setup;

/* The same for straight code that owns all registers and starts from the same state in every iteration: all
 * general registers, rsp and r15 among them, and all words of the page hold PTL_PAGE_PATTERN. What the
 * iteration does beside the body is the same for any body, and fenced off from it, so that the difference of
 * two bodies of so many copies is what the further copies take. */
size_t ptl_codegen_block(uint8_t* out, uint64_t at, const uint8_t* body, size_t size,
                         const ptl_block_setup* setup);

/* Bodies of the reference loops. Each returns the bytes written; *units is the number of chain links or
 * instructions. */
size_t ptl_codegen_add_chain(uint8_t* out, unsigned* units);  /* dependent adds: 1 cycle each */
size_t ptl_codegen_imul_chain(uint8_t* out, unsigned* units); /* dependent multiplies */
size_t ptl_codegen_sentinel(uint8_t* out, unsigned* units);   /* independent adds, for one iteration */

/* Bodies of controls: throughput that is a whole number of cycles, or of instructions a cycle, on any core.
 */
size_t ptl_codegen_adds(uint8_t* out, unsigned* units);
size_t ptl_codegen_nops(uint8_t* out, unsigned* units); /* 5 bytes each */
size_t ptl_codegen_imuls(uint8_t* out, unsigned* units);
size_t ptl_codegen_loads(uint8_t* out, unsigned* units);       /* 64 bits each, within one cache line */
size_t ptl_codegen_vector_adds(uint8_t* out, unsigned* units); /* vpaddd of 256 bits */

enum { PTL_REFERENCE_BODY_MAX = 4096 };

#endif
