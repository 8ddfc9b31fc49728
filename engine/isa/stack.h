/* Instructions that move the stack pointer by a known number of bytes: push, pop, calls, returns.
 *
 * Cores follow these moves at rename (a stack engine), so that no instance waits for the one before. But the
 * pointer leaves its memory if nothing takes it back. At the end of a loop body `mov rsp, r13` does, where
 * r13 holds what rsp held before the loop. It reads no moved rsp, so that nothing waits for the stack engine,
 * and takes an issue slot; a port as well on cores that execute moves of registers. No operand names r13 in
 * such a body. */
#ifndef PTL_ISA_STACK_H
#define PTL_ISA_STACK_H

#include "isa/scheme.h"

enum { PTL_STACK_POINTER = 4, PTL_STACK_BASE = 13 }; /* numbers of general-purpose registers */

/* The machine code that takes rsp back: mov rsp, r13. */
#define PTL_STACK_RESTORE "\x4c\x89\xec"

/* By how many bytes an instance moves rsp: negative for push and call, positive for pop and ret; 0 if it does
 * not, or by an amount that depends on anything. */
int ptl_scheme_stack_bytes(const ptl_scheme* s);

/* Does a loop body with it need r13 and the code that takes rsp back? What moves rsp by a known number of
 * bytes does, and leave. */
bool ptl_scheme_moves_stack(const ptl_scheme* s);

/* A return to the caller in the same segment that takes nothing else off the stack. */
bool ptl_scheme_is_return(const ptl_scheme* s);

#endif
