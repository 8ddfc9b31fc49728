/* Forms by word and by name. */
#ifndef PTL_ISA_AARCH64_LOOKUP_H
#define PTL_ISA_AARCH64_LOOKUP_H

#include "isa/aarch64/form.h"

/* The form of an instruction; NULL if the word is none, or its behaviour is unpredictable by the manual (a
 * load of a pair into one register twice, a base that is written back and loaded). */
const ptl_a64_form* ptl_a64_form_of(uint32_t word);

/* NULL if no form has this name. */
const ptl_a64_form* ptl_a64_form_named(const char* name);

/* The number of a mnemonic; 0 if there is none of this name. */
unsigned ptl_a64_mnemonic_of(const char* name, size_t length);

#endif
