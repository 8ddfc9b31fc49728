/* Instructions that move the stack pointer by a known number of bytes: push, pop, calls, returns.
 *
 * Cores follow these moves at rename (a stack engine), so that no instance waits for the one before. But the
 * pointer leaves its memory if nothing takes it back. At the end of a loop body the architecture's `restore`
 * does (`mov rsp, r13`), from the register `stack_base`, which holds what the pointer held
 * before the loop. It reads no moved rsp, so that nothing waits for the stack engine, and takes an issue
 * slot; a port as well on cores that execute moves of registers. No operand names that register in such a
 * body. */
#ifndef PTL_ISA_STACK_H
#define PTL_ISA_STACK_H

#include "isa/scheme.h"

/* Returns by how many bytes an instance moves the stack pointer: negative for push and call, positive for pop
 * and ret; 0 if it does not, or by an amount that depends on anything. */
int ptl_scheme_stack_bytes(const ptl_scheme* s);

/* Does a loop body with it need stack_base and the code that takes the pointer back? What moves the pointer
 * by a known number of bytes does, and leave. */
bool ptl_scheme_moves_stack(const ptl_scheme* s);

#endif
