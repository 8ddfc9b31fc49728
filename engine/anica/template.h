/* Machine code of one scheme with places for its operands: what the encoder wrote for one instance, taken
 * apart, so that other registers and displacements can be put in without asking the encoder again. Internal
 * to engine/anica.
 *
 * x86 keeps its operands apart: each register is in one field (ModRM.reg, ModRM.rm, VEX.vvvv, the low bits of
 * the opcode, an immediate byte, EVEX.aaa) and one or two extension bits, memory in ModRM, SIB and
 * displacement. Where the decoder says which field holds which operand, values can be exchanged freely. */
#ifndef PTL_ANICA_TEMPLATE_H
#define PTL_ANICA_TEMPLATE_H

#include "anica/block.h"
#include "isa/codec.h"

typedef enum ptl_code_form {
    PTL_FORM_NONE, /* no template: ask the encoder */
    PTL_FORM_LEGACY,
    PTL_FORM_VEX, /* and XOP; two-byte VEX where the operands allow it */
    PTL_FORM_EVEX,
} ptl_code_form;

/* Fields that hold a register. */
typedef enum ptl_code_field {
    PTL_FIELD_REG,
    PTL_FIELD_RM,
    PTL_FIELD_VVVV,
    PTL_FIELD_IS4,
    PTL_FIELD_OPCODE,
    PTL_FIELD_MASK,
    PTL_FIELDS
} ptl_code_field;

enum { PTL_NO_OPERAND = 0xFF };

typedef struct ptl_template {
    uint8_t form; /* ptl_code_form */
    uint8_t prefix_count, opcode_count, tail_count;
    uint8_t prefixes[4];
    uint8_t rex;        /* legacy: W and the bits that no operand takes */
    uint8_t payload[4]; /* VEX: escape byte and two more; EVEX: 62 and three; extension bits not inverted */
    uint8_t opcode[3];
    uint8_t modrm; /* without the operands' bits */
    bool has_modrm;
    uint8_t tail[9];            /* immediates; the suffix of 3DNow! */
    uint8_t fields[PTL_FIELDS]; /* operand in the field, or PTL_NO_OPERAND */
    uint8_t memory;             /* operand, or PTL_NO_OPERAND */
    uint8_t index;              /* vector register of gathers, or PTL_NO_OPERAND */
    uint8_t displacement_shift; /* EVEX: log2 of what a displacement of 8 bits counts in */
    uint8_t base;               /* register of slots */
    uint16_t low_bytes;         /* bit per operand whose registers 4-7 need REX: spl, bpl, sil, dil */
} ptl_template;

/* Takes apart the machine code of an instance whose memory operand, if it has one, has a displacement of 64
 * from a register that needs no SIB byte. False if the template cannot be made: form is PTL_FORM_NONE then.
 */
bool ptl_template_make(const ptl_instance* instance, const uint8_t* bytes, size_t size, ptl_template* out);

/* Writes the machine code with these values (see ptl_block); returns its length. form must not be
 * PTL_FORM_NONE. */
size_t ptl_template_write(const ptl_template* t, const uint8_t* values, unsigned slot_shift,
                          uint8_t out[PTL_INSTRUCTION_MAX]);

#endif
