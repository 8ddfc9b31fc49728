/* Abstract blocks (dissertation §8.1.4): abstract instructions and aliasing constraints.
 *
 * Values: once made, an abstract block does not change. The caller owns the memory, one piece of
 * ptl_abstract_bytes; the domain must live as long. Blocks are passed as decoded instances with, for each,
 * its scheme's index in the domain (PTL_NO_NAME if it is outside of the universe). */
#ifndef PTL_ANICA_ABSTRACT_H
#define PTL_ANICA_ABSTRACT_H

#include "anica/alias.h"
#include "anica/block.h"
#include "anica/domain.h"

/* The words of a bit set that are not all 0. */
typedef struct ptl_span {
    uint32_t from, to;
} ptl_span;

typedef struct ptl_abstract {
    size_t length;      /* instructions */
    ptl_node* nodes;    /* rows of domain->feature_count nodes */
    ptl_bitset* sets;   /* by instruction: the schemes it represents */
    ptl_span* spans;    /* of the sets: those of concrete blocks are nearly empty */
    size_t alias_count; /* entries of the aliasing abstraction that are not top */
    ptl_alias* aliases; /* ascending by a, then b; no pair twice */
} ptl_abstract;

/* Memory for a block of so many instructions and constraints. */
size_t ptl_abstract_bytes(const ptl_domain* d, size_t length, size_t alias_count);

/* Lays a block out in memory of that size, aligned for any type: all nodes top, constraints unset. Its sets
 * are made by ptl_abstract_finish, when its nodes are set. */
ptl_abstract* ptl_abstract_place(const ptl_domain* d, void* memory, size_t length, size_t alias_count);
ptl_status ptl_abstract_finish(const ptl_domain* d, ptl_abstract* a, ptl_error* error);

/* The aliasing abstraction of a block (eq. 8.16): an entry for every pair of matching operands, in order.
 * Returns how many there are; out may be NULL. */
size_t ptl_alias_represent(const ptl_instance* block, size_t length, ptl_alias* out);

/* Representation (eq. 8.6) of a block whose schemes are all in the universe. `out` was placed for as many
 * instructions and constraints (ptl_alias_represent). */
ptl_status ptl_abstract_represent(ptl_domain* d, const ptl_instance* block, const uint32_t* schemes,
                                  ptl_abstract* out, ptl_error* error);

/* The entry of this pair, or NULL if it is top. The pair may be given in any order. */
const ptl_alias* ptl_abstract_alias(const ptl_abstract* a, ptl_operand_ref x, ptl_operand_ref y);

/* Order (eq. 8.4, 8.9, 8.14); equality. */
bool ptl_abstract_leq(const ptl_domain* d, const ptl_abstract* a, const ptl_abstract* b);
bool ptl_abstract_equal(const ptl_domain* d, const ptl_abstract* a, const ptl_abstract* b);

/* Tells whether a block is represented (eq. 8.5, 8.10, 8.15). */
bool ptl_abstract_contains(const ptl_abstract* a, const ptl_instance* block, const uint32_t* schemes,
                           size_t length);

/* Generality (§8.1.7): the least number of schemes that one of the instructions represents. */
size_t ptl_abstract_generality(const ptl_abstract* a);

#endif
