/* One instruction as text that ptl_assemble_text reads back: of x86-64 in Intel syntax. */
#ifndef PTL_ISA_TEXT_FORMAT_H
#define PTL_ISA_TEXT_FORMAT_H

#include "isa/scheme.h"

#define PTL_TEXT_SIZE 160 /* enough for any instruction */

/* Memory operands of x86-64 carry their size; branch targets and rip-relative displacements are relative to
 * the next instruction. PTL_BAD_INPUT if the bytes are no instruction. */
ptl_status ptl_format_instruction(const ptl_architecture* architecture, const uint8_t* bytes, size_t size,
                                  char out[PTL_TEXT_SIZE], ptl_error* error);

#endif
