/* Names of A64's schemes; docs/scheme-names.md is the grammar. */
#ifndef PTL_ISA_AARCH64_DERIVE_NAME_H
#define PTL_ISA_AARCH64_DERIVE_NAME_H

#include "isa/aarch64/derive/derive.h"

/* Fills d->name; false if it does not fit. */
bool ptl_derive_name(ptl_derived* d);

#endif
