/* Computes what single changes of a block or its core would give: sensitivity, as Gus has it, by the
 * bounds. */
#ifndef PTL_PREDICT_WHAT_IF_H
#define PTL_PREDICT_WHAT_IF_H

#include "predict/block_bounds.h"

/* Longer blocks are not tried instruction by instruction: the time grows with the square. */
#define PTL_WHAT_IF_ITEMS_MAX 512

/* Cycles per iteration without the item, in place of those of all. */
ptl_status ptl_cycles_without(ptl_block_work* w, ptl_premises premises, uint32_t item, double* cycles,
                              ptl_error* error);

/* With a second port that does all that this one does. */
ptl_status ptl_cycles_with_port(ptl_block_work* w, ptl_premises premises, unsigned port, double* cycles,
                                ptl_error* error);

/* With one issue slot per cycle more. */
ptl_status ptl_cycles_with_slot(ptl_block_work* w, ptl_premises premises, double* cycles, ptl_error* error);

#endif
