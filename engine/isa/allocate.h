/* Operand allocation: schemes to instances without read-after-write dependencies (Algorithm 3.1, §3.2.1). */
#ifndef PTL_ISA_ALLOCATE_H
#define PTL_ISA_ALLOCATE_H

#include "isa/codec.h"
#include "isa/policy.h"

/* The set an operand takes its value from. Written-only operands that wait for their old value count as
 * updated: 8 and 16 bit registers (they are merged into the full one) and the policy's merging mnemonics. */
ptl_use ptl_operand_use(const ptl_scheme* scheme, const ptl_operand* operand, const ptl_policy* policy);

/* The constant for an immediate operand (lines 8-9): 2^(W-8) + 42 has no special meaning to any instruction
 * and cannot be encoded shorter. For 32 bits W is 16: 298 cannot be encoded shorter either, and is narrow
 * enough for one place in Intel's cache of decoded instructions, where more than 16 bits next to a memory
 * operand need two. The policy knows the exceptions. */
int64_t ptl_operand_immediate(const ptl_scheme* scheme, const ptl_operand* operand, const ptl_policy* policy);

/* Concrete operands for n schemes in order; out has n elements.
 *
 * Within the sequence no register or memory slot that a read-only operand names is ever written, and
 * written-only operands share none with updated ones; registers that a scheme fixes belong to the set of
 * their use, and to no set if uses disagree. PTL_UNSUPPORTED for schemes with operands of other files
 * (segment, control, tile registers, absolute addresses). */
ptl_status ptl_allocate(const ptl_scheme* const* sequence, size_t n, const ptl_policy* policy,
                        unsigned layout, ptl_instance* out, ptl_error* error);

#endif
