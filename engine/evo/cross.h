/* A child of two mappings, for the default evolution. */
#ifndef PTL_EVO_CROSS_H
#define PTL_EVO_CROSS_H

#include "evo/usage.h"

/* The ports of a mapping have no names of their own: to[y] is the port of `a` that port y of `b` seems to be,
 * by the uops of the schemes. A permutation. */
void ptl_evo_align(const ptl_evo_usage* a, const ptl_evo_usage* b, size_t schemes, unsigned ports,
                   uint8_t* to);

/* The usage with its ports renamed. */
ptl_evo_usage ptl_evo_rename(const ptl_evo_usage* u, const uint8_t* to);

#endif
