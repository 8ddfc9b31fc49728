/* Instances (a scheme with concrete operands) to bytes and back. No allocation, no state: any thread. */
#ifndef PTL_ISA_CODEC_H
#define PTL_ISA_CODEC_H

#include "isa/scheme.h"

/* The value of one operand; which fields count is said by the scheme's operand of the same index. */
typedef struct ptl_value {
    uint16_t reg;     /* register (fixed ones too): a number of the architecture */
    uint16_t base;    /* memory, address: a register or 0; the instruction pointer if it is relative to it */
    uint16_t index;   /* general purpose, or vector if the operand's register_class says so; or 0 */
    uint16_t segment; /* register: fs or gs for an override, otherwise 0 */
    uint8_t scale;    /* 1, 2, 4, 8, 16; 0 without index */
    int64_t number;   /* displacement; immediate (sign-extended if the operand is_signed, otherwise its low
                       * bits);   branch distance from the end of the instruction */
} ptl_value;

enum { PTL_ROUND_NEAREST = 1 };

typedef struct ptl_instance {
    ptl_scheme scheme;
    uint8_t rounding; /* if the scheme is_rounding, from PTL_ROUND_NEAREST on; otherwise 0 */
    ptl_value values[PTL_OPERANDS_MAX]; /* of the visible operands; those that are not free need not be set
                                         * for encoding */
} ptl_instance;

/* Encodes. What comes out decodes to the same scheme and values, or it is an error:
 * PTL_BAD_INPUT when the values do not fit the scheme (e.g. an imm32 that fits in 8 bits belongs to another
 * scheme), PTL_UNSUPPORTED when the encoder below does not know the form. *n is at most PTL_INSTRUCTION_MAX.
 */
ptl_status ptl_encode(const ptl_instance* instance, uint8_t out[PTL_INSTRUCTION_MAX], size_t* n,
                      ptl_error* error);

/* Decodes one instruction; *n is its length. PTL_BAD_INPUT when the bytes are no instruction. */
ptl_status ptl_decode(const ptl_architecture* architecture, const uint8_t* bytes, size_t size,
                      ptl_instance* out, size_t* n, ptl_error* error);

/* Tells whether two instances are the same instruction: scheme name, visible free values, rounding. */
bool ptl_instance_equal(const ptl_instance* a, const ptl_instance* b);

/* Simple operands for every free operand: distinct registers, a base and a displacement, immediates
 * 2^(W-8)+42 (Algorithm 3.1). variant 0, 1, 2, ... chooses other registers. Used to check schemes, and as the
 * sample of ptl_scheme_from_name. */
void ptl_instance_sample(const ptl_scheme* scheme, unsigned variant, ptl_instance* out);

#endif
