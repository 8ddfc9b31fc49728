/* Templates of x86-64's machine code (isa/template.h). Internal to engine/isa/x86_64.
 *
 * x86 keeps its operands apart: each register is in one field (ModRM.reg, ModRM.rm, VEX.vvvv, the low bits of
 * the opcode, an immediate byte, EVEX.aaa) and one or two extension bits, memory in ModRM, SIB and
 * displacement. Where the decoder says which field holds which operand, values can be exchanged freely. */
#ifndef PTL_ISA_X86_64_X86_TEMPLATE_H
#define PTL_ISA_X86_64_X86_TEMPLATE_H

#include "isa/template.h"

typedef enum ptl_code_form {
    PTL_FORM_NONE, /* no template */
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

/* It lies in ptl_template.own: may_alias. */
typedef struct __attribute__((may_alias)) ptl_x86_template {
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
} ptl_x86_template;

_Static_assert(sizeof(ptl_x86_template) <= sizeof(ptl_template) &&
                   _Alignof(ptl_x86_template) <= _Alignof(ptl_template),
               "a template has room for it");

#endif
