/* Port sets with the unused ports squeezed out: what runs over all sets of ports runs over those in use. */
#ifndef PTL_MODEL_PORT_BITS_H
#define PTL_MODEL_PORT_BITS_H

#include "model/mapping.h"

/* Bit j of the result tells whether p has the j-th member of from. */
static inline uint32_t ptl_ports_gather(ptl_ports p, ptl_ports from) {
    if (!(from & (from + 1))) return p & from; /* nothing to squeeze out */
    uint32_t out = 0;
    for (unsigned j = 0; from; from &= from - 1, j++)
        if (p & from & -from) out |= UINT32_C(1) << j;
    return out;
}

/* The inverse: the j-th member of from for bit j. */
static inline ptl_ports ptl_ports_scatter(uint32_t bits, ptl_ports from) {
    if (!(from & (from + 1))) return bits & from;
    ptl_ports out = 0;
    for (unsigned j = 0; from; from &= from - 1, j++)
        if (bits >> j & 1) out |= from & -from;
    return out;
}

#endif
