/* Tells what building chains has to know of an architecture. Part of isa/architecture.h. */
#ifndef PTL_ISA_CHAIN_RULES_H
#define PTL_ISA_CHAIN_RULES_H

#include "isa/codec.h"
#include "isa/policy.h"

/* These are used for cutting dependencies and ahead of the loop. */
typedef enum ptl_tool {
    PTL_TOOL_COPY_GPR,
    PTL_TOOL_COPY_SSE,
    PTL_TOOL_COPY_XMM,
    PTL_TOOL_COPY_YMM,
    PTL_TOOL_COPY_ZMM,
    PTL_TOOL_COPY_MASK,
    PTL_TOOL_COPY_MMX,
    PTL_TOOL_ZERO_GPR,
    PTL_TOOL_ZERO_SSE,
    PTL_TOOL_ZERO_VEX,
    PTL_TOOL_ONES,
    PTL_TOOL_POINTER,
    PTL_TOOL_STORE,
    PTL_TOOL_TEST,
    PTL_TOOL_INC,
    PTL_TOOL_CLC,
    PTL_TOOL_STACK_LOAD,  /* pushes on a stack of registers, from memory */
    PTL_TOOL_STACK_STORE, /* pops from it into a register */
    PTL_TOOLS
} ptl_tool;

/* Tells what registers a scheme uses that do not go together in one loop: they can make each other slow, or
 * are the same ones. */
enum {
    PTL_VECTORS_LEGACY = 1, /* as SSE does: upper parts are kept */
    PTL_VECTORS_WHOLE = 2,
    PTL_VECTORS_WIDE = 4, /* more than 128 bits */
    PTL_VECTORS_MMX = 8,
    PTL_VECTORS_STACK = 16 /* x87's, which MMX registers are a part of */
};

/* A tool, and the flags to which it gives values that depend on nothing on the chain: one without operands,
 * one that reads constants, or one that updates a spare register (its first operand). */
typedef struct ptl_flag_tool {
    ptl_tool tool;
    uint32_t flags;
} ptl_flag_tool;

typedef struct ptl_chain_rules {
    const char* const* tools; /* names of schemes, by ptl_tool; NULL: not used */
    /* Returns what copies a register of the file, so that no bit of the old value is left; `class`: how wide
     * it is used. */
    ptl_tool (*copy)(bool legacy, ptl_file file, ptl_register_class class);
    unsigned (*vectors)(const ptl_scheme* scheme);  /* PTL_VECTORS_LEGACY | ... */
    const char* (*fault)(const ptl_scheme* scheme); /* why it is no link of a chain; NULL: it may be */
    bool (*is_division)(
        const ptl_scheme* scheme); /* its dividend's upper half must be less than the divisor */
    uint8_t upper_half;            /* number of the register that holds it */
    bool (*wants_ones)(const ptl_scheme* scheme,
                       unsigned operand); /* what is read there must have all bits set */
    /* Tells whether an instance whose result is used as a base reads the memory's base beside the carrier:
     * then the result is that, if the carrier was 0 or that. Or NULL: none does. */
    bool (*makes_base)(const ptl_scheme* scheme);
    const ptl_flag_tool* flag_tools; /* in the order of preference; ends with no flags */
    uint32_t flags_kept;             /* flags that survive the end of the loop */
    uint32_t flags_as_one;           /* flags that cores rename as one register: one who reads several of
                                        them waits once */
    int64_t stack_constant; /* where the number lies that is pushed on a stack of registers, from the memory
                             * base on */
    /* Code that runs once ahead of a loop over a chain (as ptl_architecture.setup, but that numbers which
     * links read from memory leave those in registers as they are). Or NULL. */
    ptl_status (*setup)(const ptl_instance* instances, size_t n, const ptl_policy* policy, uint8_t* out,
                        size_t capacity, size_t* size, ptl_error* error);
    uint32_t registers[PTL_FILES]; /* that every scheme can name: a bit per number */
} ptl_chain_rules;

#endif
