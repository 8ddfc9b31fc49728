/* Tells what follows from a mnemonic: does it load, store, compare, accumulate; its flags, category and
 * feature. */
#ifndef PTL_ISA_AARCH64_DERIVE_TRAITS_H
#define PTL_ISA_AARCH64_DERIVE_TRAITS_H

#include "isa/aarch64/derive/derive.h"

bool ptl_trait_is_load(const char* mnemonic); /* prefetches, too */
bool ptl_trait_is_store(const char* mnemonic);
bool ptl_trait_has_status(const char* mnemonic);    /* a store that says whether it happened */
bool ptl_trait_has_no_result(const char* mnemonic); /* comparisons, branches, writes to system registers */

/* Tells whether the old value of the first operand counts. */
bool ptl_trait_updates(const char* mnemonic, const ptl_a64_form* form);

/* Fills flags, branch, category, feature and the width of memory operands. */
void ptl_trait_fill(ptl_derived* d);

#endif
