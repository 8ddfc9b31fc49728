/* Pieces of machine code that all kernels of AArch64 are made of. Registers are numbers; 31 is sp or the zero
 * register, as the instruction has it. `offset` is one into the frame, of which the scratch register (x26)
 * holds the address. */
#ifndef PTL_BENCH_AARCH64_A64_EMIT_H
#define PTL_BENCH_AARCH64_A64_EMIT_H

#include "bench/aarch64/a64_frame.h"
#include "bench/aarch64/a64_target.h"
#include "bench/emitter.h"

/* Offsets of the frame's fields. */
#define PTL_A64_OWN(name) offsetof(ptl_a64_frame, name)
#define PTL_A64_FIELD(name) offsetof(ptl_frame, name)

#define PTL_A64_NOP UINT32_C(0xd503201f)
#define PTL_A64_FENCE                                                                                        \
    UINT32_C(0xd5033fdf) /* isb: what is before it is done; what follows is fetched anew                     \
                          */
#define PTL_A64_MEMORY_FENCE UINT32_C(0xd5033b9f) /* dsb ish: memory accesses are done, too */
#define PTL_A64_CLEAR_FLAGS UINT32_C(0xd51b421f)  /* msr nzcv, xzr */

/* An instruction. */
#define ptl_a64_emit(e, word) ptl_emit_imm32(e, (uint32_t)(word))

/* mov reg, value: one instruction for each 16 bits that are not 0. */
void ptl_a64_emit_constant(ptl_emitter* e, unsigned reg, uint64_t value);

/* mov x26, frame */
void ptl_a64_emit_frame(ptl_emitter* e);

/* ldr reg, [x26, offset] and str reg, [x26, offset] */
void ptl_a64_emit_load(ptl_emitter* e, unsigned reg, size_t offset);
void ptl_a64_emit_store(ptl_emitter* e, unsigned reg, size_t offset);

/* mov sp, reg */
void ptl_a64_emit_set_sp(ptl_emitter* e, unsigned reg);

/* The frame's pattern into v0 to v30, and zeros into v31; nothing, if there are no vectors (0 bits). */
void ptl_a64_emit_load_vectors(ptl_emitter* e, unsigned vector_bits);

/* Writes the time, when all before it is done, into the frame. Uses x0. */
void ptl_a64_emit_stamp(ptl_emitter* e, size_t offset);

/* NOPs, and then a fence that ends at a multiple of PTL_KERNEL_ALIGN, for code that runs at `at`. */
void ptl_a64_emit_aligned_fence(ptl_emitter* e, uint64_t at);

/* b target; cbnz reg, target; cbz reg, forward over so many instructions behind it. Flags stay as they are.
 */
void ptl_a64_emit_jump(ptl_emitter* e, size_t target);
void ptl_a64_emit_jump_unless_zero(ptl_emitter* e, unsigned reg, size_t target);
void ptl_a64_emit_skip_if_zero(ptl_emitter* e, unsigned reg, unsigned instructions);

/* sub reg, reg, 1; flags stay as they are */
void ptl_a64_emit_decrement(ptl_emitter* e, unsigned reg);

/* Emits what a function begins with: it saves what its caller needs, sets FPCR, and clears FPSR and flags.
 * x26 is the frame then. */
void ptl_a64_emit_enter(ptl_emitter* e);

/* Emits what a function ends with, wherever sp is: it returns x0. x26 must be the frame. */
void ptl_a64_emit_leave(ptl_emitter* e);

#endif
