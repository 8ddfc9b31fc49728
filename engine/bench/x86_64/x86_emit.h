/* Pieces of machine code that all kernels of x86-64 are made of. */
#ifndef PTL_BENCH_X86_64_X86_EMIT_H
#define PTL_BENCH_X86_64_X86_EMIT_H

#include "bench/emitter.h"
#include "bench/x86_64/x86_frame.h"

enum { PTL_X86_RSP = 4, PTL_X86_RSI = 6, PTL_X86_R15 = 15 };

/* push 0x202; popfq: interrupts on, everything else off, alignment checks and direction among it */
#define PTL_X86_CLEAR_FLAGS "\x68\x02\x02\x00\x00\x9d"

/* Code that is written as a string. */
#define PTL_X86_EMIT(e, literal) ptl_emit_bytes(e, literal, sizeof(literal) - 1)

/* mov rsi, frame: the functions below with an offset need it. */
void ptl_x86_emit_frame(ptl_emitter* e);

/* mov reg, [rsi + offset] */
void ptl_x86_emit_load_gpr(ptl_emitter* e, unsigned reg, size_t offset);

/* The frame's pattern into all vector registers up to this width, and its mask; vector register 15 becomes
 * zero. */
void ptl_x86_emit_load_vectors(ptl_emitter* e, unsigned vector_bits);

/* mov [address], rax and mov rax, [address]: the only moves that need no register for a 64-bit address. */
void ptl_x86_emit_store_rax(ptl_emitter* e, uint64_t address);
void ptl_x86_emit_load_rax(ptl_emitter* e, uint64_t address);

/* Writes the time, when all before it is done, to *at. rax and rdx must be saved. */
void ptl_x86_emit_stamp(ptl_emitter* e, uint64_t at);

/* The displacement of a jump to `target`, behind its opcode: "\xe9" (always) or "\x0f\x85" (if not zero). */
void ptl_x86_emit_jump_back(ptl_emitter* e, size_t target);

/* Emits what a function begins with: it saves what its caller needs, and initialises flags, x87 and MXCSR.
 * rsi is the frame then. */
void ptl_x86_emit_enter(ptl_emitter* e);

/* Emits what a function ends with, wherever rsp is: it returns rax. rsi must be the frame. */
void ptl_x86_emit_leave(ptl_emitter* e, unsigned vector_bits);

#endif
