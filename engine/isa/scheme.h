/* Instruction schemes (dissertation §2.1): a mnemonic with typed operands, what it reads and writes.
 *
 * A scheme is derived from one decoded instruction; no table of schemes exists. Its name is unique, over
 * all architectures: two schemes with the same name are the same scheme. docs/scheme-names.md has the
 * grammar. Plain data, may be copied. */
#ifndef PTL_ISA_SCHEME_H
#define PTL_ISA_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct ptl_architecture ptl_architecture; /* isa/architecture.h */

#define PTL_NAME_SIZE 80       /* of a scheme's name, with the final 0 */
#define PTL_OPERANDS_MAX 10    /* with hidden ones */
#define PTL_INSTRUCTION_MAX 15 /* bytes, of any architecture */
#define PTL_MNEMONICS_MAX 2048 /* numbers of mnemonics are below it */

typedef enum ptl_encoding {
    PTL_LEGACY,
    PTL_VEX,
    PTL_EVEX,
    PTL_XOP,
    PTL_3DNOW,
    PTL_A64,
    PTL_ENCODINGS /* how many there are */
} ptl_encoding;

typedef enum ptl_operand_kind {
    PTL_REGISTER,
    PTL_MEMORY,
    PTL_ADDRESS,   /* computed, nothing is accessed: lea */
    PTL_IMMEDIATE, /* with a constant if it is printed but not encoded: shl r64, 1 */
    PTL_RELATIVE,  /* branch target, relative to the next instruction */
} ptl_operand_kind;

typedef enum ptl_register_class {
    PTL_NO_CLASS,
    PTL_GPR8, /* with ah, bh, ch, dh */
    PTL_GPR16,
    PTL_GPR32,
    PTL_GPR64,
    PTL_XMM,
    PTL_YMM,
    PTL_ZMM,
    PTL_MASK, /* k0 to k7 */
    PTL_MMX,
    PTL_X87,
    PTL_TILE,
    PTL_SEGMENT,
    PTL_CONTROL,
    PTL_DEBUG,
    PTL_BOUND,
    PTL_FLAGS,
    PTL_IP,
    PTL_OTHER, /* mxcsr, gdtr, x87 control word, ... : always fixed */
    /* A64 */
    PTL_X,   /* x0 to x30, xzr */
    PTL_W,   /* their lower halves */
    PTL_XSP, /* x0 to x30, sp */
    PTL_WSP,
    PTL_B, /* 8, 16, 32, 64, 128 bits of v0 to v31 as one number */
    PTL_H,
    PTL_S,
    PTL_D,
    PTL_Q,
    PTL_V, /* v0 to v31 as a row of elements: width and element_width tell */
    PTL_CLASSES
} ptl_register_class;

typedef enum ptl_visibility {
    PTL_EXPLICIT,
    PTL_IMPLICIT, /* printed, but not to choose: cl in shl r64, cl */
    PTL_HIDDEN,   /* not printed: rsp in push r64 */
} ptl_visibility;

/* Access bits. A conditional write keeps the old value if it does not happen: it reads, too, as far as
 * dependencies go; ptl_operand_reads and ptl_operand_writes answer in that sense. */
enum { PTL_READ = 1, PTL_WRITE = 2, PTL_COND_READ = 4, PTL_COND_WRITE = 8 };

/* Tells what is executed next, as far as the scheme shows it. */
typedef enum ptl_flow {
    PTL_FLOW_ON, /* what follows it */
    PTL_FLOW_JUMP,
    PTL_FLOW_CONDITIONAL, /* a jump or what follows */
    PTL_FLOW_CALL,
    PTL_FLOW_RETURN,
    PTL_FLOW_OTHER /* a branch, but none of these: xbegin */
} ptl_flow;

/* Prefixes of x86 that are part of a scheme. */
enum {
    PTL_PREFIX_LOCK = 1,
    PTL_PREFIX_REP = 2,
    PTL_PREFIX_REPE = 4,
    PTL_PREFIX_REPNE = 8,
    PTL_PREFIX_BND = 16,
    PTL_PREFIX_NOTRACK = 32,
    PTL_PREFIX_XACQUIRE = 64,
    PTL_PREFIX_XRELEASE = 128,
};

typedef struct ptl_operand {
    uint8_t kind;           /* ptl_operand_kind */
    uint8_t visibility;     /* ptl_visibility */
    uint8_t access;         /* PTL_READ | ... ; 0 for immediates, addresses and branch targets */
    uint8_t register_class; /* ptl_register_class: of a register; of the index of vector addressing (VSIB) */
    uint16_t width;         /* bits of the register, of the memory access, of the encoded immediate */
    uint16_t fixed;         /* the register if the scheme fixes it, otherwise 0; hidden memory: the base */
    uint8_t element_width;  /* bits of one element (vector addressing: of one access); 0 if unknown */
    uint8_t broadcast;      /* of an EVEX memory operand with {1toN}: its number; otherwise 0 */
    uint8_t form;           /* the architecture's own: how the operand is written, 0 on x86-64 */
    uint8_t source_count; /* registers in a row that a multi-source operand (zmm+3) stands for, otherwise 1 */
    bool has_constant;    /* of an immediate: printed, but not encoded and not to choose */
    bool is_mask;         /* the {k} of an EVEX scheme; named after the operand before it */
    bool is_moffs;        /* memory by a 64-bit absolute address, without base and index: mov rax, moffs64 */
    bool is_mib;          /* memory whose index is not part of the address: bndldx */
    bool is_signed;       /* of an immediate: sign-extended to the width of the operation */
    int8_t constant;
} ptl_operand;

typedef struct ptl_scheme {
    char name[PTL_NAME_SIZE];
    const ptl_architecture* architecture;
    uint16_t mnemonic;
    uint16_t form; /* the architecture's own, as is `code`: 0 on x86-64 */
    uint32_t code;
    uint8_t encoding; /* ptl_encoding */
    uint8_t prefixes; /* PTL_PREFIX_LOCK | ... */
    uint8_t
        operand_count; /* explicit and implicit ones first, in the order of Intel syntax, then hidden ones */
    uint8_t visible_count;  /* explicit and implicit */
    uint8_t operand_width;  /* effective operand size in bits if only hidden operands tell it, otherwise 0 */
    uint8_t branch_type;    /* 0: it is no branch; otherwise the architecture's own number */
    uint8_t flow;           /* ptl_flow */
    uint8_t unmasked_slot;  /* EVEX, not masked: index where the encoder expects a k0; otherwise 0 */
    bool is_masked;         /* {k} */
    bool is_zeroing;        /* {z} */
    bool is_rounding;       /* {er}: the instruction holds a rounding mode; which one, the instance chooses */
    bool is_sae;            /* {sae} */
    uint32_t flags_read;    /* bits of the architecture */
    uint32_t flags_written; /* with those that become undefined */
    const char* category;   /* static strings of the architecture: "BINARY", "SSE", "AVX2", ... */
    const char* isa_set;
    const char* extension;
    ptl_operand operands[PTL_OPERANDS_MAX];
} ptl_scheme;

/* Tell whether the operand's old value matters, and whether it gets a new one. */
static inline bool ptl_operand_reads(const ptl_operand* o) {
    return (o->access & (PTL_READ | PTL_COND_READ | PTL_COND_WRITE)) != 0;
}
static inline bool ptl_operand_writes(const ptl_operand* o) {
    return (o->access & (PTL_WRITE | PTL_COND_WRITE)) != 0;
}

/* Tells whether it reads and writes something that no instance can choose (a fixed register, one that aliases
 * with it, a flag): every execution then waits for the one before. */
bool ptl_scheme_updates_fixed(const ptl_scheme* s);
bool ptl_scheme_updates_flags(const ptl_scheme* s); /* flags alone */

/* Tells whether an instance chooses a value for this operand. */
static inline bool ptl_operand_is_free(const ptl_operand* o) {
    return o->visibility != PTL_HIDDEN && o->fixed == 0 && !o->has_constant;
}

/* The widest vector register that it touches, in bits, or 0; masks and registers 16 to 31 come with 512. */
unsigned ptl_scheme_vector_bits(const ptl_scheme* s);

/* "legacy", "vex", "evex", "xop", "3dnow", "a64" */
const char* ptl_encoding_name(ptl_encoding encoding);
/* "gpr64", "xmm", "mask", ... */
const char* ptl_register_class_name(ptl_register_class c);
/* The name of class c in scheme names: "r64", "xmm", "k", ...; NULL for those that are always fixed. */
const char* ptl_register_class_symbol(ptl_register_class c);

#endif
