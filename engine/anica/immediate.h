/* Tells what the immediate of an instruction is like. Instances of one scheme may behave differently by it:
 * shifts by 0 do (dissertation Table 8.5, F). A universe may have a scheme once for each kind of immediate;
 * such a variant is called after both: "shl r64, imm8 = 0". */
#ifndef PTL_ANICA_IMMEDIATE_H
#define PTL_ANICA_IMMEDIATE_H

#include "isa/codec.h"
#include "isa/policy.h"

typedef enum ptl_immediate {
    PTL_IMMEDIATE_ANY, /* no immediate, or nothing is said of it */
    PTL_IMMEDIATE_ZERO,
    PTL_IMMEDIATE_ONE,
    PTL_IMMEDIATE_SMALL, /* another one of -128 ... 127, or of an operand of at most 8 bits */
    PTL_IMMEDIATE_WIDE,  /* any other */
    PTL_IMMEDIATES       /* how many there are */
} ptl_immediate;

/* "", "0", "1", "small", "wide" */
const char* ptl_immediate_name(ptl_immediate immediate);

/* The position of the first immediate that instances of the scheme choose, or -1. */
int ptl_immediate_operand(const ptl_scheme* scheme);

/* Tells what the instance's first immediate is like; PTL_IMMEDIATE_ANY if it has none. A value in a longer
 * form than it needs, which no encoder writes, is wide. */
ptl_immediate ptl_immediate_of(const ptl_instance* instance);

/* Gives the instance's first immediate a value of this kind: the policy's where that is of the kind.
 * PTL_IMMEDIATE_ANY leaves it as it is. */
void ptl_immediate_set(ptl_instance* instance, ptl_immediate immediate, const ptl_policy* policy);

/* The kinds that immediates of the scheme can be of, bit 1 << kind for each; 0 without an immediate. An imm32
 * that fits in 8 bits belongs to another scheme where there is one, so `add r64, imm32` has wide ones
 * only. */
unsigned ptl_immediate_kinds(const ptl_scheme* scheme, const ptl_policy* policy);

/* The name of a variant; false if it does not fit. PTL_IMMEDIATE_ANY: the scheme's own. */
bool ptl_variant_name(const char* scheme, ptl_immediate immediate, char out[PTL_NAME_SIZE]);

/* Splits the name of a variant; a name without suffix has PTL_IMMEDIATE_ANY. */
ptl_immediate ptl_variant_split(const char* name, char scheme[PTL_NAME_SIZE]);

#endif
