/* Machine code of one scheme with places for its operands: what the encoder wrote for one instance, taken
 * apart, so that other registers and displacements can be put in without asking the encoder again. */
#ifndef PTL_ISA_TEMPLATE_H
#define PTL_ISA_TEMPLATE_H

#include "isa/codec.h"

/* Values of operands: of a register its number; of memory n for slot n, [memory base + (n << slot_shift)], or
 * PTL_AT_REGISTER + r for [register r]. The address of lea has a slot, too. */
enum { PTL_SLOTS = 32, PTL_AT_REGISTER = 32, PTL_NO_VALUE = 0xFF };

/* Holds what the architecture keeps of the code, which is its own affair. */
typedef struct ptl_template {
    uint64_t own[8];
} ptl_template;

/* Takes apart the machine code of an instance whose memory operand, if it has one, has a displacement of 64
 * from the memory base. False if that cannot be done: then the encoder is to be asked. */
bool ptl_template_make(const ptl_instance* instance, const uint8_t* bytes, size_t size, ptl_template* out);

/* Writes the machine code with these values; returns its length, 0 if it has no room for a value. */
size_t ptl_template_write(const ptl_architecture* architecture, const ptl_template* t, const uint8_t* values,
                          unsigned slot_shift, uint8_t out[PTL_INSTRUCTION_MAX]);

#endif
