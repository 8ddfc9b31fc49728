/* A64 behind isa/architecture.h: what engine/isa/aarch64 fills into ptl_aarch64. Internal to this folder. */
#ifndef PTL_ISA_AARCH64_AARCH64_H
#define PTL_ISA_AARCH64_AARCH64_H

#include "isa/aarch64/form.h"
#include "isa/architecture.h"

/* ---- registers: numbers from 1 on, 32 of each bank: x (31 is xzr), w, b, h, s, d, q, v; then sp, wsp, pc */
uint16_t ptl_a64_register(unsigned class, unsigned number); /* by ptl_a64_class and the number in the word */
bool ptl_a64_register_in_word(unsigned class, unsigned r,
                              unsigned* number); /* the other way; false: not of the class */
unsigned ptl_a64_pc(void);
const char* ptl_a64_register_name(unsigned r);
unsigned ptl_a64_register_number(const char* name, size_t length);
ptl_register_class ptl_a64_register_class(unsigned r);
ptl_register_class ptl_a64_scheme_class(unsigned class); /* ptl_a64_class to ptl_register_class */
ptl_file ptl_a64_register_place(unsigned r, unsigned* number);
uint16_t ptl_a64_register_in_class(ptl_register_class c, unsigned number);
bool ptl_a64_stays(unsigned r);
bool ptl_a64_is_zero(unsigned r);

/* ---- schemes */
void ptl_a64_scheme(const ptl_a64_form* form, ptl_scheme* out);
const ptl_a64_form* ptl_a64_form_of_scheme(const ptl_scheme* scheme);
/* Of an operand of a scheme: its part of the form; NULL for hidden ones. */
const ptl_a64_operand* ptl_a64_form_operand(const ptl_scheme* scheme, const ptl_operand* operand);
bool ptl_a64_each_scheme(unsigned sets, ptl_scheme_visit* visit, void* context);
bool ptl_a64_scheme_from_name(const char* name, ptl_scheme* out);

/* ---- machine code */
ptl_status ptl_a64_decode(const uint8_t* bytes, size_t size, ptl_instance* out, size_t* n, ptl_error* error);
ptl_status ptl_a64_encode(const ptl_instance* instance, uint8_t out[PTL_INSTRUCTION_MAX], size_t* n,
                          ptl_error* error);
void ptl_a64_sample(const ptl_scheme* scheme, unsigned variant, ptl_instance* out);
bool ptl_a64_template_make(const ptl_instance* instance, const uint8_t* bytes, size_t size,
                           ptl_template* out);
size_t ptl_a64_template_write(const ptl_template* t, const uint8_t* values, unsigned slot_shift,
                              uint8_t out[PTL_INSTRUCTION_MAX]);

/* A number for an immediate operand that no instruction takes for something special; variant 0, 1, ...
 * chooses others. */
int64_t ptl_a64_immediate_variant(const ptl_scheme* scheme, const ptl_operand* operand, unsigned variant);
int64_t ptl_a64_immediate(const ptl_scheme* scheme, const ptl_operand* operand); /* variant 0 */

/* ---- text */
ptl_status ptl_a64_assemble(const char* text, size_t length, ptl_code* out, ptl_error* error);
ptl_status ptl_a64_format(const uint8_t* bytes, size_t size, char out[PTL_TEXT_SIZE], ptl_error* error);

/* ---- dependencies, operand allocation */
/* Addresses without displacement are those of their base, so that what is stored has a base of its own: x25
 * holds that of the policy's memory + PTL_A64_STORES (engine/bench/aarch64 sets it). */
enum { PTL_A64_STORE_BASE = 25, PTL_A64_STORES = 2048 };

bool ptl_a64_keeps_old(const ptl_scheme* scheme, const ptl_operand* operand);
void ptl_a64_complete_accesses(const ptl_instance* instance, ptl_accesses* out);
void ptl_a64_item_form(const ptl_instance* instance, ptl_item_form* out);
bool ptl_a64_is_called(const ptl_scheme* s, const char* mnemonic);
bool ptl_a64_merges(ptl_register_class c);
uint32_t ptl_a64_registers(const ptl_scheme* scheme, const ptl_operand* operand);
bool ptl_a64_address(const ptl_scheme* scheme, const ptl_operand* operand, const ptl_policy* policy,
                     int64_t displacement, bool exact, ptl_value* out);
/* General registers that hold PTL_A64_AMOUNT and its negative in loop bodies with addresses that registers
 * move. */
enum { PTL_A64_FORTH = 24, PTL_A64_BACK = 23, PTL_A64_AMOUNT = 64 };
void ptl_a64_settle(ptl_instance* instances, size_t n);
ptl_loop_part ptl_a64_setup, ptl_a64_restore;
ptl_companions ptl_a64_companions(const ptl_scheme* scheme);
size_t ptl_a64_write_companions(const ptl_scheme* scheme, const ptl_policy* policy, bool behind,
                                uint8_t out[PTL_COMPANIONS_SIZE]);
ptl_move ptl_a64_move(const ptl_scheme* scheme, const ptl_operand* operand);
size_t ptl_a64_breaker(const ptl_scheme* scheme, const ptl_policy* policy, unsigned number,
                       uint8_t out[PTL_BREAKER_SIZE]);
bool ptl_a64_is_never_taken(const ptl_scheme* scheme);
extern const ptl_chain_rules ptl_a64_chains;

#endif
