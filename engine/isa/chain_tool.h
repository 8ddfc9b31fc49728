/* Instances of the instructions that cut dependencies and set registers up. Internal to engine/isa. */
#ifndef PTL_ISA_CHAIN_TOOL_H
#define PTL_ISA_CHAIN_TOOL_H

#include "isa/chain_state.h"

/* The tool's scheme, valid as long as the state. */
ptl_status ptl_tool_scheme(ptl_chain_state* s, ptl_tool tool, const ptl_scheme** out, ptl_error* error);

/* The tool with the numbers of its register operands, in order (as many as it has). */
ptl_status ptl_tool_instance(ptl_chain_state* s, ptl_tool tool, unsigned first, unsigned second,
                             ptl_instance* out, ptl_error* error);

/* A tool with memory: the register and [base + displacement], in the order of its operands; or the register,
 * the base and the displacement as a number. */
ptl_status ptl_tool_memory(ptl_chain_state* s, ptl_tool tool, unsigned number, int64_t displacement,
                           ptl_instance* out, ptl_error* error);

#endif
