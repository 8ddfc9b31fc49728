/* Tells what an instruction reads and writes: registers, flags, memory. Dependencies rest on it.
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
#define PTL_TOUCHES_MAX 64

typedef struct ptl_memory_access {
    ptl_value address; /* base, index, scale, number, segment */
    uint32_t bytes;
    uint8_t operand;
    bool reads, writes;
} ptl_memory_access;

/* Tells what of an operand is meant: the register's value or that in memory, or a register of the address. */
typedef enum ptl_operand_part {
    PTL_PART_VALUE,
    PTL_PART_BASE,
    PTL_PART_INDEX,
    PTL_PARTS /* how many there are */
} ptl_operand_part;

/* One register, and through which operand it is read or written. */
typedef struct ptl_touch {
    uint8_t operand, part; /* ptl_operand_part */
    uint8_t file, number;
    bool reads, writes;
} ptl_touch;

typedef struct ptl_accesses {
    /* A bit per number, per file. */
    uint32_t read[PTL_FILES];    /* values; what lea adds up */
    uint32_t address[PTL_FILES]; /* bases and indices of memory that is accessed */
    uint32_t written[PTL_FILES];
    uint32_t flags_read, flags_written; /* bits of the architecture */
    unsigned memory_count;
    ptl_memory_access memory[PTL_MEMORY_OPERANDS_MAX];
    /* The same registers one by one, operand by operand. */
    unsigned touch_count;
    ptl_touch touches[PTL_TOUCHES_MAX];
} ptl_accesses;

/* The flags that instances wait for: a conditional write of flags reads them, too. */
uint32_t ptl_scheme_flags_waited(const ptl_scheme* scheme);

/* Tells whether an instance waits for the old value of this register operand: it reads it, or keeps a part of
 * it. */
bool ptl_operand_waits(const ptl_scheme* scheme, const ptl_operand* operand);

/* The address of a memory operand, hidden ones too: base, index, scale, number, segment. */
ptl_value ptl_operand_address(const ptl_instance* instance, unsigned operand);

/* These bits tell how a register is used. */
enum { PTL_TOUCH_VALUE = 1, PTL_TOUCH_ADDRESS = 2, PTL_TOUCH_WRITTEN = 4 };

/* Adds a register (0: none), and those behind it if there are `count` in a row, to what an instance does. */
void ptl_accesses_add(const ptl_architecture* architecture, unsigned operand, ptl_operand_part part,
                      unsigned r, unsigned count, unsigned uses, ptl_accesses* out);

/* All accesses of a decoded instance. */
void ptl_accesses_of(const ptl_instance* instance, ptl_accesses* out);

#endif
