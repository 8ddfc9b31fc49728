/* Forms whose operands Capstone never prints as they are encoded, because it always has an alias: bit fields,
 * hints, barriers, system registers. */
#ifndef PTL_ISA_AARCH64_DERIVE_HAND_H
#define PTL_ISA_AARCH64_DERIVE_HAND_H

#include "isa/aarch64/derive/derive.h"

/* The first returns how many such forms there are; the second fills in number k: its pattern, fields and
 * operands; out is otherwise zero. */
unsigned ptl_hand_count(void);
void ptl_hand_form(unsigned k, ptl_derived* out);

/* Tells whether one of them has this word. */
bool ptl_hand_has(uint32_t word);

/* Fields that cannot be found by flipping bits, because not every value is allowed or the values are not a
 * line: logical immediates, numbers with point, masks of bytes, the amounts of extended registers. False if
 * this operand has none. */
bool ptl_hand_field(uint32_t word, const ptl_shape_operand* operand, ptl_a64_field* out);

#endif
