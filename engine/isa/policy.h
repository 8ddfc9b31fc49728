/* A register and memory policy: which operands Algorithm 3.1 (dissertation §3.2.1) may choose.
 *
 * Registers are numbered within their file as the hardware does. On x86-64 0 = rax/eax/ax/al, 1 = rcx, 2 =
 * rdx, 3 = rbx, 4 = rsp, ...; xmm3, ymm3 and zmm3 are number 3 of the vector file. One number stands for all
 * names that alias: it is the representative. arch/NAME/policy.lua declares the policy in use, with reasons.
 */
#ifndef PTL_ISA_POLICY_H
#define PTL_ISA_POLICY_H

#include "isa/scheme.h"

typedef enum ptl_file {
    PTL_FILE_GPR,
    PTL_FILE_VECTOR,
    PTL_FILE_MASK,
    PTL_FILE_MMX,
    PTL_FILE_X87,
    PTL_FILES
} ptl_file;

/* The sets O_R, O_W, O_RW of the algorithm. */
typedef enum ptl_use { PTL_USE_READ, PTL_USE_WRITTEN, PTL_USE_UPDATED, PTL_USES } ptl_use;

typedef struct ptl_register_set {
    uint8_t count;
    uint8_t numbers[32]; /* in the order of preference */
} ptl_register_set;

/* Displacements of one set of memory operands: first, first + stride, ... while the operand ends before
 * first + bytes. A stride of 0 packs the operands; any stride is rounded up to a multiple of the widest
 * operand of the sequence, so that operands are aligned and never overlap. */
typedef struct ptl_range {
    uint32_t first, bytes, stride;
} ptl_range;

#define PTL_LAYOUTS_MAX 8

typedef struct ptl_layout {
    char name[24];
    ptl_range ranges[PTL_USES];
} ptl_layout;

#define PTL_IMMEDIATES_MAX 64

typedef struct ptl_policy {
    const ptl_architecture* architecture;
    ptl_register_set sets[PTL_FILES][PTL_USES];
    uint32_t reserved[PTL_FILES]; /* bit per number: in no set, used by nothing */
    uint8_t memory_base;          /* number of the general-purpose register that holds the address */
    uint8_t vector_index;         /* number of the vector register that indexes gathers; holds zeros */
    bool lend;                    /* sets that a sequence does not need lend their registers to the others */
    uint32_t memory_bytes;        /* that exist behind the base */
    uint32_t layout_count;
    ptl_layout layouts[PTL_LAYOUTS_MAX];
    /* Mnemonics whose written-only register operand waits for its old value nevertheless. */
    uint8_t merging[PTL_MNEMONICS_MAX / 8];
    /* Immediates that differ from the rule of ptl_operand_immediate, by mnemonic. */
    uint32_t immediate_count;
    struct {
        uint16_t mnemonic;
        int64_t value;
    } immediates[PTL_IMMEDIATES_MAX];
} ptl_policy;

/* Are the sets disjoint, free of reserved registers, in range; do the ranges fit the memory and not overlap?
 */
ptl_status ptl_policy_check(const ptl_policy* policy, ptl_error* error);

/* The layout's position, or -1. */
int ptl_policy_layout(const ptl_policy* policy, const char* name);

/* PTL_FILES if the class belongs to none of the files. */
ptl_file ptl_file_of_class(ptl_register_class c);

/* Returns how many registers the file has. */
unsigned ptl_file_size(const ptl_architecture* architecture, ptl_file file);

/* The file and number of a register; PTL_FILES if it is in none. */
ptl_file ptl_register_place(const ptl_architecture* architecture, unsigned r, unsigned* number);

/* The register of this number as the class sees it: (PTL_GPR32, 1) -> ecx; 0 if there is none. */
uint16_t ptl_register_in_class(const ptl_architecture* architecture, ptl_register_class c, unsigned number);

/* The name of the register that stands for all that alias with it. */
const char* ptl_file_register_name(const ptl_architecture* architecture, ptl_file file, unsigned number);

/* Tells whether it is the instruction pointer, under any of its names. */
bool ptl_is_instruction_pointer(const ptl_architecture* architecture, unsigned r);

/* Tells whether it is the stack pointer, under any of its names. */
bool ptl_is_stack_pointer(const ptl_architecture* architecture, uint16_t r);

/* "gpr", "vector", ...; "read", "written", "updated" */
const char* ptl_file_name(ptl_file file);
const char* ptl_use_name(ptl_use use);

#endif
