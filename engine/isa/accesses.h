/* What an instruction reads and writes: registers, flags, memory. Dependencies rest on it.
 *
 * A register stands for all names that alias with it (isa/policy.h): a write of eax or xmm3 is one of rax or
 * zmm3, whose other bits become zero or do not count. A write of 8 or 16 bits keeps the others, and so reads
 * the register, too; ah is a part of rax like al. So does a legacy write of a part of an xmm register. A
 * conditional write reads. Flags are counted one by one. */
#ifndef PTL_ISA_ACCESSES_H
#define PTL_ISA_ACCESSES_H

#include "isa/codec.h"
#include "isa/policy.h"

#define PTL_MEMORY_OPERANDS_MAX 4

typedef struct ptl_memory_access {
    ptl_value address; /* base, index, scale, number, segment */
    uint32_t bytes;
    bool reads, writes;
} ptl_memory_access;

typedef struct ptl_accesses {
    /* A bit per number, per file. */
    uint32_t read[PTL_FILES];    /* values; what lea adds up */
    uint32_t address[PTL_FILES]; /* bases and indices of memory that is accessed */
    uint32_t written[PTL_FILES];
    uint32_t flags_read, flags_written; /* ZYDIS_CPUFLAG_* */
    unsigned memory_count;
    ptl_memory_access memory[PTL_MEMORY_OPERANDS_MAX];
} ptl_accesses;

/* The address of a memory operand, hidden ones too: base, index, scale, number, segment. */
ptl_value ptl_operand_address(const ptl_instance* instance, unsigned operand);

/* All accesses of a decoded instance. */
void ptl_accesses_of(const ptl_instance* instance, ptl_accesses* out);

#endif
