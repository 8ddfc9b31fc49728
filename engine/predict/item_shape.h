/* Forms of an instruction that one scheme covers and cores treat apart, whatever the scheme: an address that
 * is computed with a factor, of three parts or from the instruction pointer, a register's second byte (ah).
 */
#ifndef PTL_PREDICT_ITEM_SHAPE_H
#define PTL_PREDICT_ITEM_SHAPE_H

#include "isa/codec.h"

typedef enum ptl_shape {
    PTL_SHAPE_PLAIN,
    PTL_SHAPE_RELATIVE,      /* it computes an address from the instruction pointer: lea rax, [rip+8] */
    PTL_SHAPE_SCALED,        /* it computes an address with a factor: lea rax, [rbx+rcx*4] */
    PTL_SHAPE_SUMMED,        /* it computes an address of three parts: lea rax, [rbx+rcx+8] */
    PTL_SHAPE_SUMMED_SCALED, /* of three parts, one of them with a factor: lea rax, [rbx+rcx*4+8] */
    PTL_SHAPE_HIGH,          /* it works on the second byte of a register, and writes no memory: test ah, 1 */
    PTL_SHAPES               /* how many there are */
} ptl_shape;

ptl_shape ptl_shape_of(const ptl_instance* instance);

#endif
