/* The same code with other registers: a change that no throughput depends on.
 *
 * Every register file is permuted as a whole, so that equal registers stay equal, distinct ones distinct, and
 * all names of a register move together. Registers move within groups that encodings treat alike, so that
 * instructions mostly keep their lengths (some moves have two forms). These do not move:
 * - registers that a scheme of the code fixes (cl of a shift, rdx and rax of mul), and numbers of ah, bh, ch,
 * dh;
 * - rsp, and where addresses name registers of their group rbp, r12 and r13, whose addresses are encoded
 * otherwise, and lea with them is another lea for some processors;
 * - r14, r15 and xmm15, which measuring needs (arch/x86_64/policy.lua), k0, which as a mask means none, and
 * x87's stack;
 * - vector registers, if an instruction names several in a row. */
#ifndef PTL_ISA_RENAME_H
#define PTL_ISA_RENAME_H

#include "isa/codec.h"

#define PTL_RENAMINGS 3 /* that differ, where groups have room */

/* Writes the renamed code of the same instructions: every group of free registers turned by `turn` (1 ...
 * PTL_RENAMINGS) quarters of its length. capacity: PTL_INSTRUCTION_MAX bytes an instruction are enough.
 * PTL_BAD_INPUT if the code cannot be decoded. */
ptl_status ptl_rename(const ptl_architecture* architecture, const uint8_t* code, size_t size, unsigned turn,
                      uint8_t* out, size_t capacity, size_t* written, ptl_error* error);

#endif
