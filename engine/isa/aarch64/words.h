/* Words of A64's assembly language that have a number: registers, conditions, shifts and extensions, prefetch
 * operations, arrangements. */
#ifndef PTL_ISA_AARCH64_WORDS_H
#define PTL_ISA_AARCH64_WORDS_H

#include "isa/aarch64/form.h"

/* "x3", "wsp", "xzr", "q31", "v4" (without arrangement): class (ptl_a64_class) and number. sp is number 31 of
 * class PTL_A64_XSP, xzr number 31 of PTL_A64_X; lr is x30. */
bool ptl_a64_read_register(const char* text, unsigned* class, unsigned* number);

/* The other way; v registers without arrangement. NULL if there is no such register. */
const char* ptl_a64_register_text(unsigned class, unsigned number);

/* The letter of a class in scheme names: "x", "wsp", "v", ... */
const char* ptl_a64_class_text(unsigned class);

/* Bits of an element by its letter: b, h, s, d, q; 0 if it is another. And the other way. */
unsigned ptl_a64_element_bits(char letter);
char ptl_a64_element_letter(unsigned bits);

/* Shifts and extensions: PTL_A64_LSL ... PTL_A64_SXTX; 0 if it is none. */
unsigned ptl_a64_find_modifier(const char* text);
const char* ptl_a64_modifier_text(unsigned modifier);

/* -1 if it is none. hs is cs, lo is cc. */
int ptl_a64_find_condition(const char* text);
const char* ptl_a64_condition_text(unsigned number);

/* pldl1keep, ...; -1 if it is none. NULL where a number has no name. */
int ptl_a64_find_prefetch(const char* text);
const char* ptl_a64_prefetch_text(unsigned number);

#endif
