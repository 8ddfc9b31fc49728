/* Places of a scheme: where a value enters or leaves its instances. Latencies are from one place to another.
 *
 *     "2"        operand 2 of scheme.operands, from 1 on: the register's value, or that in memory
 *     "2.base"   the base register of memory (or lea) operand 2;  "2.index"  its index
 *     "cf"       a flag; also pf, af, zf, sf, df, of; of A64 n, z, c, v */
#ifndef PTL_ISA_PLACE_H
#define PTL_ISA_PLACE_H

#include "isa/policy.h"

#define PTL_PLACES_MAX 40 /* of a scheme: three an operand, and the flags */
#define PTL_PLACE_SIZE 12 /* of a place's text, with the final 0 */

typedef enum ptl_place_kind {
    PTL_PLACE_REGISTER,
    PTL_PLACE_MEMORY,
    PTL_PLACE_BASE,
    PTL_PLACE_INDEX,
    PTL_PLACE_FLAG
} ptl_place_kind;

typedef struct ptl_place {
    uint8_t kind;           /* ptl_place_kind */
    uint8_t operand;        /* its index; 0 for flags */
    uint8_t register_class; /* ptl_register_class of what is there; PTL_NO_CLASS in memory and for flags */
    bool input;             /* instances wait for it: a register that is written in part counts */
    bool output;            /* instances write it; what they leave undefined counts */
    uint32_t flag;          /* its bit, or 0 */
} ptl_place;

/* Tells whether instances write back to the base of this memory operand: then it is an output, too. */
bool ptl_base_moves(const ptl_scheme* scheme, const ptl_operand* operand);

/* All places of a scheme: by operand, then flags. Returns how many. */
unsigned ptl_places(const ptl_scheme* scheme, ptl_place out[PTL_PLACES_MAX]);

/* The place of this text; PTL_BAD_INPUT if the scheme has none. */
ptl_status ptl_place_find(const ptl_scheme* scheme, const char* text, ptl_place* out, ptl_error* error);

void ptl_place_write(const ptl_architecture* architecture, const ptl_place* place, char text[PTL_PLACE_SIZE]);

/* "register", "memory", "base", "index", "flag" */
const char* ptl_place_kind_name(ptl_place_kind kind);

#endif
