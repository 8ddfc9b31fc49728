/* A register policy like arch/x86_64/policy.lua, for tests and benchmarks without Lua. */
#ifndef SAMPLING_POLICY_H
#define SAMPLING_POLICY_H

#include <stdio.h>
#include <string.h>

#include "isa/architecture.h"

static inline void policy_add(ptl_policy* p, ptl_file file, ptl_use use, unsigned first, unsigned count) {
    ptl_register_set* s = &p->sets[file][use];
    for (unsigned i = 0; i < count; i++) s->numbers[s->count++] = (uint8_t)(first + i);
}

/* vectors: 15 (xmm15 is reserved), or 32 to allow those that only EVEX schemes can have. */
static inline void sampling_policy(ptl_policy* p, unsigned vectors) {
    memset(p, 0, sizeof *p);
    p->architecture = &ptl_x86_64;
    p->memory_base = 14;
    p->vector_index = 15;
    p->memory_bytes = 4096;
    p->reserved[PTL_FILE_GPR] = 1u << 4 | 1u << 14 | 1u << 15;
    p->reserved[PTL_FILE_VECTOR] = 1u << 15;
    policy_add(p, PTL_FILE_GPR, PTL_USE_READ, 12, 2);
    policy_add(p, PTL_FILE_GPR, PTL_USE_WRITTEN, 5, 3);
    policy_add(p, PTL_FILE_GPR, PTL_USE_UPDATED, 0, 4);
    policy_add(p, PTL_FILE_GPR, PTL_USE_UPDATED, 8, 4);
    policy_add(p, PTL_FILE_VECTOR, PTL_USE_READ, 0, 4);
    policy_add(p, PTL_FILE_VECTOR, PTL_USE_WRITTEN, 4, 4);
    policy_add(p, PTL_FILE_VECTOR, PTL_USE_UPDATED, 8, 7);
    if (vectors > 16) policy_add(p, PTL_FILE_VECTOR, PTL_USE_UPDATED, 16, 16);
    policy_add(p, PTL_FILE_MASK, PTL_USE_READ, 1, 1);
    policy_add(p, PTL_FILE_MASK, PTL_USE_WRITTEN, 2, 4);
    policy_add(p, PTL_FILE_MASK, PTL_USE_UPDATED, 6, 2);
    policy_add(p, PTL_FILE_MMX, PTL_USE_READ, 0, 2);
    policy_add(p, PTL_FILE_MMX, PTL_USE_WRITTEN, 2, 2);
    policy_add(p, PTL_FILE_MMX, PTL_USE_UPDATED, 4, 4);
    policy_add(p, PTL_FILE_X87, PTL_USE_READ, 1, 1);
    policy_add(p, PTL_FILE_X87, PTL_USE_WRITTEN, 2, 2);
    policy_add(p, PTL_FILE_X87, PTL_USE_UPDATED, 4, 3);
    ptl_layout* layout = &p->layouts[p->layout_count++];
    snprintf(layout->name, sizeof layout->name, "line");
    for (uint32_t use = 0; use < PTL_USES; use++) layout->ranges[use] = (ptl_range){1024 * use, 1024, 0};
}

#endif
