/* From an instance to the request of the Zydis encoder. Internal to engine/isa/x86_64. */
#ifndef PTL_ISA_ENCODER_REQUEST_H
#define PTL_ISA_ENCODER_REQUEST_H

#include <Zydis/Zydis.h>

#include "isa/codec.h"

/* The ways to ask for the same instruction that the encoder answers differently, from the usual to the rare.
 */
#define PTL_ENCODER_REQUEST_WAYS 6

/* allowed: ZydisEncodableEncoding bits. False if way `way` (0 ... PTL_ENCODER_REQUEST_WAYS - 1) does not
 * apply. */
bool ptl_encoder_request_build(const ptl_instance* instance, unsigned allowed, unsigned way,
                               ZydisEncoderRequest* out);

/* The bit of the scheme's own encoding. */
unsigned ptl_encoder_request_encoding(const ptl_scheme* s);

#endif
