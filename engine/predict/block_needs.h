/* Finds what the items of a block wait for. */
#ifndef PTL_PREDICT_BLOCK_NEEDS_H
#define PTL_PREDICT_BLOCK_NEEDS_H

#include "predict/code_block.h"

/* Fills b->needs; items that b->uses leaves out are not there. PTL_NO_MEMORY. */
ptl_status ptl_block_find_needs(ptl_code_block* b, ptl_premises premises, ptl_error* error);

#endif
