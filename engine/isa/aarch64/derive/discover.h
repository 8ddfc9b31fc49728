/* The fields of a form, found by decoding variants of one of its instructions. */
#ifndef PTL_ISA_AARCH64_DERIVE_DISCOVER_H
#define PTL_ISA_AARCH64_DERIVE_DISCOVER_H

#include "isa/aarch64/derive/derive.h"
#include "isa/aarch64/derive/probe.h"

/* Flips each bit of the word. What changes is a value of one operand (the bit belongs to its field), or the
 * shape (the bit belongs to the opcode), or nothing (the bit is as the manual's "should be" has it). Fills
 * form.mask, .value, operands with their fields, operand_count, word and mnemonic. False, with one line in
 * message, if the values of a field are no line. */
bool ptl_discover(ptl_probe* probe, uint32_t word, const ptl_shape* shape, ptl_derived* out, char* message,
                  size_t message_size);

#endif
