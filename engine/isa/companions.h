/* Instructions that stand around each instance of a scheme where it is measured, so that it leaves what it
 * found: the depth of the x87 stack and a constant in st0, the stack pointer, rbp.
 *
 * They take ports and time, other than zeroing idioms and NOPs (isa/breaker.h). What is measured is all of
 * them; the uops of the companions, which are schemes of their own, are taken off at the end. fld and
 * fstp, which are each other's, are told apart by what all that have them share
 * (lua/portolan/mapping/companions.lua). */
#ifndef PTL_ISA_COMPANIONS_H
#define PTL_ISA_COMPANIONS_H

#include "isa/policy.h"

#define PTL_COMPANIONS_MAX 4
#define PTL_COMPANIONS_SIZE 80 /* bytes of those ahead, or behind, at most */

typedef struct ptl_companions {
    unsigned ahead, count;                   /* how many stand ahead of the instance, and in all */
    uint8_t list[PTL_COMPANIONS_MAX];        /* what they are: the architecture's own */
    const char* schemes[PTL_COMPANIONS_MAX]; /* names of their schemes */
} ptl_companions;

/* The companions of a scheme, in the order of the code. */
ptl_companions ptl_scheme_companions(const ptl_scheme* s);

/* Machine code of the companions ahead of an instance, or of those behind. Returns the bytes written. */
size_t ptl_write_companions(const ptl_scheme* s, const ptl_policy* policy, bool behind,
                            uint8_t out[PTL_COMPANIONS_SIZE]);

#endif
