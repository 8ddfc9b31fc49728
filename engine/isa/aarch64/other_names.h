/* Other names of A64's instructions, as people and compilers write them: mov, cmp, lsl, cset, nop, ... */
#ifndef PTL_ISA_AARCH64_OTHER_NAMES_H
#define PTL_ISA_AARCH64_OTHER_NAMES_H

#include "isa/aarch64/shape.h"

/* Returns how many rules there are. */
unsigned ptl_a64_alias_count(void);

/* Fills in what the statement is by rule k; false if the rule is about others. */
bool ptl_a64_alias_resolve(unsigned k, const ptl_shape* shape, ptl_shape* out);

/* Tells whether a rule is about this mnemonic. */
bool ptl_a64_is_alias(const char* mnemonic);

#endif
