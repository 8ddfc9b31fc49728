/* Places as small numbers: where a value enters or leaves an instance of a scheme.
 *
 *     "2"        operand 2 of scheme.operands, from 1 on: the register's value, or that in memory
 *     "2.base"   the base register of memory (or lea) operand 2;  "2.index"  its index
 *     "cf"       a flag; also pf, af, zf, sf, df, of; of A64 n, z, c, v */
#ifndef PTL_PREDICT_PLACE_NUMBER_H
#define PTL_PREDICT_PLACE_NUMBER_H

#include "isa/architecture.h"

#define PTL_PLACE_FLAGS (PTL_OPERANDS_MAX * PTL_PARTS) /* the number of flag bit 0 */
#define PTL_PLACE_NUMBERS (PTL_PLACE_FLAGS + 32)       /* how many there are */
#define PTL_NO_PLACE PTL_PLACE_NUMBERS                 /* what is no place */
#define PTL_PLACE_TEXT_SIZE 16                         /* of a place's text, with the final 0 */

static inline uint8_t ptl_place_of_operand(unsigned operand, ptl_operand_part part) {
    return (uint8_t)(operand * PTL_PARTS + part);
}
/* bit: the flag's position among the architecture's */
static inline uint8_t ptl_place_of_flag(unsigned bit) {
    return (uint8_t)(PTL_PLACE_FLAGS + bit);
}

/* Tells whether it is the index of an address. */
static inline bool ptl_place_is_index(uint8_t place) {
    return place < PTL_PLACE_FLAGS && place % PTL_PARTS == PTL_PART_INDEX;
}

/* Tells whether it is a register of an address. */
static inline bool ptl_place_is_address(uint8_t place) {
    return place < PTL_PLACE_FLAGS && place % PTL_PARTS != PTL_PART_VALUE;
}

/* The place of this text, or PTL_NO_PLACE. Whether a scheme has it, is not asked. */
uint8_t ptl_place_number(const ptl_architecture* architecture, const char* text);

void ptl_place_text(const ptl_architecture* architecture, uint8_t place, char text[PTL_PLACE_TEXT_SIZE]);

#endif
