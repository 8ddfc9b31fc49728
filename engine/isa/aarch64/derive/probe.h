/* One Capstone, asked for one word after the other. */
#ifndef PTL_ISA_AARCH64_DERIVE_PROBE_H
#define PTL_ISA_AARCH64_DERIVE_PROBE_H

#include <capstone/capstone.h>

#include "isa/aarch64/shape.h"

typedef struct ptl_probe {
    csh handle;
    cs_insn* instruction; /* of the last word that was decoded */
    unsigned asked;
} ptl_probe;

bool ptl_probe_open(ptl_probe* p);
void ptl_probe_close(ptl_probe* p);

/* Tells whether the word is an instruction; it is decoded as if it stood at address 0. */
bool ptl_probe_decode(ptl_probe* p, uint32_t word);

/* Its shape, with the mnemonic that the manual gives to this encoding where Capstone prints an alias. */
bool ptl_probe_shape(ptl_probe* p, uint32_t word, ptl_shape* out);

#endif
