/* x86-64: the functions that fill ptl_x86_64 (isa/architecture.h says what each of them does). Internal to
 * engine/isa/x86_64. */
#ifndef PTL_ISA_X86_64_X86_64_H
#define PTL_ISA_X86_64_X86_64_H

#include "isa/architecture.h"

/* Sets of the catalogue. */
enum {
    PTL_X86_LEGACY = 1, /* with 3DNow! */
    PTL_X86_VEX = 2,    /* with XOP */
    PTL_X86_EVEX = 4,
    PTL_X86_ALL = 7
};

/* x86_registers.c */
const char* ptl_x86_register_name(unsigned r);
ptl_register_class ptl_x86_register_class(unsigned r);
ptl_file ptl_x86_register_place(unsigned r, unsigned* number);
uint16_t ptl_x86_register_in_class(ptl_register_class c, unsigned number);
bool ptl_x86_stays(unsigned r);

/* x86_catalogue.c, scheme_lookup.c */
bool ptl_x86_each_scheme(unsigned sets, ptl_scheme_visit* visit, void* context);
bool ptl_x86_scheme_from_name(const char* name, ptl_scheme* out);

/* x86_codec.c, x86_sample.c */
ptl_status ptl_x86_decode(const uint8_t* bytes, size_t size, ptl_instance* out, size_t* n, ptl_error* error);
ptl_status ptl_x86_encode(const ptl_instance* instance, uint8_t out[PTL_INSTRUCTION_MAX], size_t* n,
                          ptl_error* error);
void ptl_x86_sample(const ptl_scheme* scheme, unsigned variant, ptl_instance* out);

/* x86_template.c, x86_template_write.c */
bool ptl_x86_template_make(const ptl_instance* instance, const uint8_t* bytes, size_t size,
                           ptl_template* out);
size_t ptl_x86_template_write(const ptl_template* template, const uint8_t* values, unsigned slot_shift,
                              uint8_t out[PTL_INSTRUCTION_MAX]);

/* x86_parse.c, x86_format.c, x86_line.c */
ptl_status ptl_x86_assemble(const char* text, size_t length, ptl_code* out, ptl_error* error);
ptl_status ptl_x86_format(const uint8_t* bytes, size_t size, char out[PTL_TEXT_SIZE], ptl_error* error);
bool ptl_x86_line(const uint8_t* bytes, size_t size, uint64_t address, bool att, ptl_line* out);

/* x86_accesses.c, x86_item_form.c */
uint16_t ptl_x86_hidden_index(const ptl_scheme* s);
bool ptl_x86_leaves_memory_alone(const ptl_scheme* s);
bool ptl_x86_merges(ptl_register_class c);
bool ptl_x86_keeps_old(const ptl_scheme* s, const ptl_operand* o);
bool ptl_x86_moves_on(const ptl_scheme* s); /* its addresses do, by themselves */
void ptl_x86_complete_accesses(const ptl_instance* instance, ptl_accesses* out);
void ptl_x86_item_form(const ptl_instance* instance, ptl_item_form* out);

/* x86_allocate.c, x86_stack.c, x86_breaker.c, x86_chains.c */
uint32_t ptl_x86_registers(const ptl_scheme* s, const ptl_operand* o);
bool ptl_x86_address(const ptl_scheme* s, const ptl_operand* o, const ptl_policy* policy,
                     int64_t displacement, bool exact, ptl_value* out);
ptl_loop_part ptl_x86_restore;
int ptl_x86_stack_bytes(const ptl_scheme* s);
bool ptl_x86_sets_stack_pointer(const ptl_scheme* s);
/* A return to the caller in the same segment that takes nothing else off the stack. */
bool ptl_x86_is_return(const ptl_scheme* s);
size_t ptl_x86_breaker(const ptl_scheme* s, const ptl_policy* policy, unsigned number,
                       uint8_t out[PTL_BREAKER_SIZE]);
bool ptl_x86_is_never_taken(const ptl_scheme* s);
extern const ptl_chain_rules ptl_x86_chains;

/* x86_companions.c; x87.h has ptl_x87_setup */
ptl_companions ptl_x86_companions(const ptl_scheme* s);
size_t ptl_x86_write_companions(const ptl_scheme* s, const ptl_policy* policy, bool behind,
                                uint8_t out[PTL_COMPANIONS_SIZE]);

#endif
