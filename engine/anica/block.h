/* Basic blocks as the sampler draws them. */
#ifndef PTL_ANICA_BLOCK_H
#define PTL_ANICA_BLOCK_H

#include "isa/template.h"

#define PTL_BLOCK_LENGTH_MAX 16 /* instructions in a block at most */
#define PTL_BLOCK_SIZE (PTL_BLOCK_LENGTH_MAX * PTL_INSTRUCTION_MAX)

/* A drawn block: schemes, values of their operands (isa/template.h), machine code. */
typedef struct ptl_block {
    uint8_t length;     /* instructions */
    uint8_t slot_shift; /* log2 of the bytes of a slot */
    uint16_t size;      /* of the machine code */
    uint32_t schemes[PTL_BLOCK_LENGTH_MAX];
    uint16_t ends[PTL_BLOCK_LENGTH_MAX]; /* of the instructions within the machine code */
    uint8_t values[PTL_BLOCK_LENGTH_MAX][PTL_OPERANDS_MAX];
    uint8_t bytes[PTL_BLOCK_SIZE];
} ptl_block;

#endif
