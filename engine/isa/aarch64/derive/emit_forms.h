/* The derived forms as C: the tables that isa/aarch64/form.h declares. */
#ifndef PTL_ISA_AARCH64_DERIVE_EMIT_FORMS_H
#define PTL_ISA_AARCH64_DERIVE_EMIT_FORMS_H

#include <stdio.h>

#include "isa/aarch64/derive/derive.h"

/* False if memory ends or the file cannot be written. */
bool ptl_emit(const ptl_derivation* d, FILE* out);

#endif
