/* Bit sets of a fixed number of bits, e.g. sets of schemes. Sets of ports are plain uint32_t masks. */
#ifndef PTL_BASE_BITSET_H
#define PTL_BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct ptl_bitset {
    size_t bits;
    uint64_t* words; /* (bits + 63) / 64 of them; the bits beyond are always 0 */
} ptl_bitset;

/* Empty set of that many bits in the arena; words is NULL when there is no memory. */
ptl_bitset ptl_bitset_new(ptl_arena* a, size_t bits);

void ptl_bitset_add(ptl_bitset* s, size_t i);
bool ptl_bitset_has(const ptl_bitset* s, size_t i);
void ptl_bitset_fill(ptl_bitset* s);
size_t ptl_bitset_count(const ptl_bitset* s);
bool ptl_bitset_subset(const ptl_bitset* a, const ptl_bitset* b); /* a within b */
void ptl_bitset_and(ptl_bitset* a, const ptl_bitset* b);          /* a := a and b */
void ptl_bitset_or(ptl_bitset* a, const ptl_bitset* b);
/* The first member that is not below from, or s->bits if there is none. */
size_t ptl_bitset_next(const ptl_bitset* s, size_t from);

#endif
