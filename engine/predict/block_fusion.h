/* Finds what each item of a block asks of ports and the front end, with compares and jumps that become
 * one. */
#ifndef PTL_PREDICT_BLOCK_FUSION_H
#define PTL_PREDICT_BLOCK_FUSION_H

#include "predict/code_block.h"

/* Fills b->uses, which has room for all items. A conditional jump behind an instruction that fuses with it
 * takes no slot, and does what one uop of that instruction would do: one that could run wherever the jump
 * runs. */
void ptl_block_fuse(ptl_code_block* b, uint32_t without);

#endif
