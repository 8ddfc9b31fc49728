/* Follows what registers and memory hold while a block runs, as sums of unknowns: so addresses are known to
 * be the same though their registers were written in between.
 *
 * A value is  a * x + b * y + ... + offset  of unknowns x, y, ..., modulo 2^64. The unknowns stand for what
 * registers and memory held first, and for results of functions that nothing is known of, the same for the
 * same inputs. Each of them has a random number of 64 bits; the sum of these, with the factors, stands for
 * the sum of the unknowns: two values of equal sums are equal but for their offsets, but for a chance of
 * 2^-64.
 *
 * Memory of unequal sums is taken to be different. */
#ifndef PTL_PREDICT_BLOCK_VALUES_H
#define PTL_PREDICT_BLOCK_VALUES_H

#include "predict/code_block.h"

typedef struct ptl_sum {
    uint64_t unknowns; /* 0: none, the value is the offset */
    uint64_t offset;
} ptl_sum;

/* A store: the address that it writes to, and the value. */
typedef struct ptl_stored {
    ptl_sum address;
    uint32_t bytes;
    ptl_sum value;
} ptl_stored;

typedef struct ptl_values {
    const ptl_architecture* architecture;
    ptl_start start;
    uint64_t code; /* what accesses near the code add to their displacements; 0: not known */
    ptl_sum of[PTL_RESOURCE_MEMORY]; /* registers and flags */
    uint64_t steps;                  /* items evaluated */
    ptl_stored* stores;              /* in the order of the program */
    size_t store_count, store_capacity;
} ptl_values;

void ptl_values_start(ptl_values* v, const ptl_code_block* b, ptl_start start);

/* The address of a memory access of the item that comes next. */
ptl_sum ptl_values_address(const ptl_values* v, const ptl_item* item, unsigned access);

/* The last store that writes a byte of it, as a position in `stores`; SIZE_MAX: none. */
size_t ptl_values_store_before(const ptl_values* v, ptl_sum address, uint32_t bytes);

/* Executes an item; its stores are appended. False: no memory. */
bool ptl_values_step(ptl_values* v, const ptl_item* item);

void ptl_values_free(ptl_values* v);

#endif
