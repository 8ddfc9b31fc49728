/* Issue slots in parts, so that R_max need not be whole. */
#ifndef PTL_SCHEDULE_SLOT_PARTS_H
#define PTL_SCHEDULE_SLOT_PARTS_H

#include "model/mapping.h"

#define PTL_SLOT_PARTS_LEAST 1024u
#define PTL_SLOT_PARTS_MOST (UINT64_C(1) << 40)

typedef struct ptl_slot_parts {
    uint64_t slot;  /* parts of a slot */
    uint64_t width; /* parts of the slots of a cycle */
} ptl_slot_parts;

/* Smaller parts for a small R_max, so that rounding down to whole ones makes it less than 0.1% smaller. */
static inline ptl_slot_parts ptl_slot_parts_of(double rmax) {
    ptl_slot_parts p = {PTL_SLOT_PARTS_LEAST, UINT64_MAX};
    if (!(rmax > 0 && rmax < PTL_RMAX_MAX)) return p;
    while (rmax * (double)p.slot < PTL_SLOT_PARTS_LEAST && p.slot < PTL_SLOT_PARTS_MOST) p.slot *= 2;
    p.width = (uint64_t)(rmax * (double)p.slot);
    if (p.width == 0) p.width = 1;
    return p;
}

#endif
