/* Machine code around a measured loop body (x86-64, System V).
 *
 * A kernel is compiled to a function of one argument, the number of iterations:
 *     save callee-saved registers and rsp; initialise flags, MXCSR, x87, vector and general registers;
 *     loop: BODY; dec r15; jnz loop; restore; return what is left in r15 (0, unless the body derailed).
 * Inside the body r15 is the loop counter, r14 the base of the data window, rsp a scratch stack; vector
 * register 15 starts as zeros (the index of gathers), the others with the frame's pattern. */
#ifndef PTL_BENCH_CODEGEN_H
#define PTL_BENCH_CODEGEN_H

#include <stddef.h>
#include <stdint.h>

/* Everything that generated code reads or saves besides its body; lives at a fixed address in the worker. */
typedef struct ptl_frame {
    uint64_t saved_rsp;
    uint32_t mxcsr; /* FTZ and DAZ set: subnormals cost nothing (dissertation, section 3.2.1) */
    uint32_t reserved;
    uint64_t gpr[16];   /* initial values in encoding order: rax, rcx, rdx, rbx, rsp, rbp, ... */
    uint64_t mask;      /* initial value of k1-k7 */
    uint64_t vector[8]; /* initial value of every vector register */
} ptl_frame;

enum { PTL_KERNEL_ALIGN = 64 };

/* What surrounds the body takes at most this many bytes. */
enum { PTL_KERNEL_OVERHEAD = 1024 };

/* Writes the function to out (size + PTL_KERNEL_OVERHEAD bytes must fit) as it will run at address `at` (a
 * multiple of PTL_KERNEL_ALIGN). vector_bits: widest vector register to initialise: 0, 128, 256 or 512.
 * Returns the bytes written. */
size_t ptl_codegen_kernel(uint8_t* out, uint64_t at, const ptl_frame* frame, const uint8_t* body, size_t size,
                          unsigned vector_bits);

/* Bodies of the reference loops. Each returns the bytes written; *units is the number of chain links or
 * instructions. */
size_t ptl_codegen_add_chain(uint8_t* out, unsigned* units);  /* dependent adds: 1 cycle each */
size_t ptl_codegen_imul_chain(uint8_t* out, unsigned* units); /* dependent multiplies */
size_t ptl_codegen_sentinel(uint8_t* out, unsigned* units);   /* independent adds */

enum { PTL_REFERENCE_BODY_MAX = 1024 };

#endif
