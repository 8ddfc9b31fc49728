/* Instances of the instructions that cut dependencies and set registers up. Internal to engine/isa. */
#ifndef PTL_ISA_CHAIN_TOOL_H
#define PTL_ISA_CHAIN_TOOL_H

#include "isa/chain_state.h"

/* div and idiv: the upper half of the dividend must be less than the divisor. */
bool ptl_is_division(const ptl_scheme* scheme);

/* What copies a register of the file, so that no bit of the old value is left. `class`: how wide it is used.
 */
ptl_tool ptl_tool_copy(const ptl_chain_state* s, ptl_file file, ptl_register_class class);

/* The tool with the numbers of its register operands, in order (as many as it has). */
ptl_status ptl_tool_instance(ptl_chain_state* s, ptl_tool tool, unsigned first, unsigned second,
                             ptl_instance* out, ptl_error* error);

/* A tool with memory: the register and [base + displacement], in the order of its operands. */
ptl_status ptl_tool_memory(ptl_chain_state* s, ptl_tool tool, unsigned number, int64_t displacement,
                           ptl_instance* out, ptl_error* error);

#endif
