/* A walk through the opcode space of 64-bit mode that meets every instruction form at least once. */
#ifndef PTL_ISA_OPCODE_SPACE_H
#define PTL_ISA_OPCODE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called with each candidate; most are no instructions. Returns false to stop the walk. */
typedef bool ptl_opcode_visit(void* context, const uint8_t* bytes, size_t size);

/* Each walk returns false if the visitor stopped it. */
bool ptl_walk_legacy(ptl_opcode_visit* visit, void* context);
bool ptl_walk_vex(ptl_opcode_visit* visit, void* context); /* with XOP */
bool ptl_walk_evex(ptl_opcode_visit* visit, void* context);

#endif
