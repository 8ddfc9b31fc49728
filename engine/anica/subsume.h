/* Subsumption of abstract blocks (dissertation Def. 8.7), by search. */
#ifndef PTL_ANICA_SUBSUME_H
#define PTL_ANICA_SUBSUME_H

#include "anica/abstract.h"

/* Tells whether a subsumes b, which may be longer: the instructions of a are mapped to different ones of b
 * (C1) that represent no more schemes (C2), whose aliasing says at least as much (C3), in an order that is a
 * rotation of that of a (C4). If so and map is not NULL, map[i] is the instruction of b that instruction i of
 * a is mapped to. A concrete block is subsumed if its representation is. */
bool ptl_subsumes(const ptl_abstract* a, const ptl_abstract* b, uint8_t* map);

#endif
