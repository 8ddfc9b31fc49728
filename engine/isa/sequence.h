/* From an experiment (a multiset of schemes) to the machine code of an unrolled loop body (§3.2.1). */
#ifndef PTL_ISA_SEQUENCE_H
#define PTL_ISA_SEQUENCE_H

#include "isa/allocate.h"
#include "isa/breaker.h"
#include "isa/companions.h"

#define PTL_SEQUENCE_MAX 65536 /* instructions in one body */

/* Returns how many copies of an experiment of this length come closest to the target; at least 1. */
size_t ptl_experiment_copies(size_t length, size_t target);

/* The order of `copies` copies of an experiment: order[j] is the scheme (0..n-1) of instruction j, every
 * scheme spread evenly over the whole. order has room for copies * (sum of counts) elements, which must not
 * exceed PTL_SEQUENCE_MAX. Deterministic. */
ptl_status ptl_experiment_sequence(const unsigned* counts, size_t n, size_t copies, uint16_t* order,
                                   ptl_error* error);

/* Most bytes that an instance and what stands around it take. */
#define PTL_INSTANCE_SIZE (PTL_INSTRUCTION_MAX + PTL_AHEAD_SIZE + 2 * PTL_COMPANIONS_SIZE)

/* Encodes n instances in a row. With a policy, zeroing idioms go ahead of those that need them to be
 * independent (isa/breaker.h), and companions around those that have some (isa/companions.h); without (NULL),
 * none. offsets (or NULL) gets n + 1 positions, each where what
 * belongs to the instance begins. *size is what was used of capacity; PTL_LIMIT if that is too small. */
ptl_status ptl_assemble_instances(const ptl_instance* instances, size_t n, const ptl_policy* policy,
                                  uint8_t* out, size_t capacity, size_t* size, uint32_t* offsets,
                                  ptl_error* error);

/* Writes the code that must run once ahead of a loop over the instances, of a layout of the policy's: what
 * their architecture needs so that they can run at all (the x87 stack, bases that move). *size is 0 if they
 * need none. PTL_LIMIT if capacity is too small. */
ptl_status ptl_setup_instances(const ptl_instance* instances, size_t n, const ptl_policy* policy,
                               unsigned layout, uint8_t* out, size_t capacity, size_t* size,
                               ptl_error* error);

/* The same behind the instances, in every iteration: what takes back what they moved (isa/stack.h,
 * isa/moving.h). */
ptl_status ptl_restore_instances(const ptl_instance* instances, size_t n, const ptl_policy* policy,
                                 unsigned layout, uint8_t* out, size_t capacity, size_t* size,
                                 ptl_error* error);

/* Bits of the widest vector register of n instances; masks come with 512. */
unsigned ptl_instances_vector_bits(const ptl_instance* instances, size_t n);

#define PTL_SETUP_SIZE 1000 /* bytes of either that are enough for any layout of operands */

#endif
