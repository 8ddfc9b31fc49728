/* Computes what the first cache bounds, where it is not as wide as its ports: loads of one bank, and stores
 * to different lines. Addresses are as block_values.h knows them. */
#ifndef PTL_PREDICT_BLOCK_MEMORY_H
#define PTL_PREDICT_BLOCK_MEMORY_H

#include "predict/block_values.h"
#include "predict/memory_facts.h"

/* An access to memory of the last iteration that was followed. */
typedef struct ptl_followed {
    ptl_sum address;
    uint32_t item; /* of the block */
    uint32_t bytes;
    bool writes;
    bool handed;      /* of a store: a load gets what it stored */
    bool relative;    /* it counts from where the instruction stands: how far from others nothing tells,
                         but where blocks are measured */
    bool steady;      /* by how much it moved since the iteration before is known: `step` */
    int64_t step;     /* bytes by which it moves from one iteration to the next; 0: none, or not known */
    double crossings; /* of a load: lines that it crosses in an iteration, where they lie best for all */
} ptl_followed;

/* Cycles per iteration at least, for accesses in the order of the program. Loads that stay in their place of
 * a line, as others do that reach the same bank, come `bank_loads` a cycle; stores to one line as many as
 * ports let, but only `stored_lines` lines a cycle: the mean of many iterations, as pushes are now in one
 * line, now in two. Narrow stores, and such that are handed to loads, cost more where the limits say so.
 * Lines of unequal sums are different ones. */
double ptl_memory_bound(const ptl_followed* list, size_t count, const ptl_cache_limits* limits);

/* Sets how often the loads of a loop cross a line. Where an array lies nothing tells, so those whose
 * addresses differ by a number lie where fewest of them cross: of three vectors of 64 bytes, 8 bytes apart,
 * two. One whose next address is not known crosses none. */
void ptl_memory_crossings(ptl_followed* list, size_t count);

#endif
