/* Expansions of abstract blocks (dissertation §8.1.4, eq. 8.7, 8.12, 8.17): each makes a block slightly more
 * general. They are monotone, and a block's direct successors are what they lead to (Def. 8.2). */
#ifndef PTL_ANICA_EXPAND_H
#define PTL_ANICA_EXPAND_H

#include "anica/abstract.h"

typedef struct ptl_expansion {
    bool of_alias;
    uint8_t instruction, feature; /* not of_alias: this node takes the step */
    ptl_step step;
    ptl_operand_ref a, b; /* of_alias: the constraint on this pair goes */
} ptl_expansion;

/* Counts the expansions that apply to the block. 0: it is top. */
ptl_status ptl_expansion_count(const ptl_domain* d, const ptl_abstract* a, size_t* n, ptl_error* error);

/* All of them: by instruction and feature, then constraints; always in the same order. */
ptl_status ptl_expansion_list(const ptl_domain* d, const ptl_abstract* a, ptl_expansion* out,
                              ptl_error* error);

/* Applies n expansions one after the other; those that do not apply (any more) are ignored. `out` was placed
 * for as many instructions and constraints as `a` has. */
ptl_status ptl_expand(const ptl_domain* d, const ptl_abstract* a, const ptl_expansion* list, size_t n,
                      ptl_abstract* out, ptl_error* error);

#endif
