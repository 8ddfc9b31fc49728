/* A walk through the opcode space of 64-bit mode that meets every instruction form at least once. */
#ifndef PTL_ISA_OPCODE_SPACE_H
#define PTL_ISA_OPCODE_SPACE_H

#include <stddef.h>
#include <stdint.h>

/* Called with each candidate; most are no instructions. Returns 0 to stop the walk. */
typedef int ptl_opcode_visit(void* context, const uint8_t* bytes, size_t size);

/* Each walk returns 0 if the visitor stopped it. */
int ptl_walk_legacy(ptl_opcode_visit* visit, void* context);
int ptl_walk_vex(ptl_opcode_visit* visit, void* context); /* with XOP */
int ptl_walk_evex(ptl_opcode_visit* visit, void* context);

#endif
