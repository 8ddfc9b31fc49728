/* From a statement of assembler text to a request for Zydis' encoder. */
#ifndef PTL_ISA_TEXT_REQUEST_H
#define PTL_ISA_TEXT_REQUEST_H

#include "isa/x86_64/text_encode.h"

bool ptl_is_vector_register(ZydisRegister r);

/* Only EVEX has 512 bits, registers 16 to 31 and decorations. */
bool ptl_needs_evex(const ptl_statement* s);

/* memory_size: bytes, since the text may leave it out. with_mask: EVEX instructions have a mask operand
 * behind the first one, k0 for none. False if there is no room for it. */
bool ptl_build_request(const ptl_statement* s, const ptl_branch* branch, uint16_t memory_size, bool with_mask,
                       ZydisEncoderRequest* r);

#endif
