/* A walk through the opcode space of A64 that meets every form at least once, with registers fixed. */
#ifndef PTL_ISA_AARCH64_DERIVE_WALK_H
#define PTL_ISA_AARCH64_DERIVE_WALK_H

#include <stdbool.h>
#include <stdint.h>

/* Called with each candidate; most are no instructions. Returns false to stop the walk. */
typedef bool ptl_a64_visit(void* context, uint32_t word);

/* False if the visitor stopped it. */
bool ptl_a64_walk(ptl_a64_visit* visit, void* context);

#endif
