/* Schemes as Zydis' decoder tells them. Internal to engine/isa/x86_64. */
#ifndef PTL_ISA_X86_64_X86_SCHEME_H
#define PTL_ISA_X86_64_X86_SCHEME_H

#include <Zydis/Zydis.h>

#include "isa/scheme.h"

_Static_assert(ZYDIS_MNEMONIC_MAX_VALUE < PTL_MNEMONICS_MAX, "policies have a bit for each mnemonic");

/* The scheme of a decoded instruction, all but its architecture. False if it has none: forms that Portolan
 * leaves out (32-bit addresses in hidden operands, Knights Corner). */
bool ptl_scheme_from_decoded(const ZydisDecodedInstruction* instruction, const ZydisDecodedOperand* operands,
                             ptl_scheme* out);

/* Fills s->name from the other fields; false if it does not fit. Used by ptl_scheme_from_decoded. */
bool ptl_scheme_write_name(ptl_scheme* s);

#endif
