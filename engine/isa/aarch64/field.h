/* Values of operands to bits of a word and back. */
#ifndef PTL_ISA_AARCH64_FIELD_H
#define PTL_ISA_AARCH64_FIELD_H

#include "isa/aarch64/form.h"

/* The bits of the word that the field has. */
uint32_t ptl_a64_field_mask(const ptl_a64_field* field);
unsigned ptl_a64_field_width(const ptl_a64_field* field);

/* The raw bits of the field in this word, its lowest piece lowest; and a word with other ones. */
uint32_t ptl_a64_field_bits(const ptl_a64_field* field, uint32_t word);
uint32_t ptl_a64_field_put_bits(const ptl_a64_field* field, uint32_t word, uint32_t bits);

/* The value that the word's bits stand for; false if they are reserved. */
bool ptl_a64_field_read(const ptl_a64_field* field, uint32_t word, int64_t* value);

/* Puts the value into the word; false if the field cannot hold it. */
bool ptl_a64_field_write(const ptl_a64_field* field, int64_t value, uint32_t* word);

#endif
