/* Forms of A64: what a scheme is encoded as. Every form is a bit pattern with fields, and operands whose
 * values the fields hold. The table of all forms is derived from Capstone when Portolan is built
 * (isa/aarch64/derive) and constant from then on: whoever encodes, decodes or looks up names shares it, from
 * any thread. */
#ifndef PTL_ISA_AARCH64_FORM_H
#define PTL_ISA_AARCH64_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTL_A64_PIECES_MAX 3
#define PTL_A64_OPERANDS_MAX 6
#define PTL_A64_NAME_SIZE 80

/* Tells what the bits of a field mean. */
typedef enum ptl_a64_coding {
    PTL_A64_NO_FIELD,
    PTL_A64_LINEAR,    /* value = bias + step * bits */
    PTL_A64_BITMASK32, /* logical immediate of 32 bits: a rotated run of ones, repeated */
    PTL_A64_BITMASK64,
    PTL_A64_BYTEMASK /* every bit stands for a byte of zeros or ones */
} ptl_a64_coding;

typedef struct ptl_a64_piece {
    uint8_t first, count; /* bits first .. first + count - 1 of the word */
} ptl_a64_piece;

/* One value of one operand. The pieces hold its bits, the lowest piece first. */
typedef struct ptl_a64_field {
    uint8_t coding; /* ptl_a64_coding */
    uint8_t piece_count;
    bool is_signed;
    int16_t bias;
    int16_t step;  /* negative for shifts to the right: more bits set, smaller shift */
    uint16_t last; /* the largest bits that are allowed, if fewer than the pieces hold; otherwise 0 */
    ptl_a64_piece pieces[PTL_A64_PIECES_MAX];
} ptl_a64_field;

/* Tells how an immediate is written behind the operand that it belongs to, or how the index of an address is
 * extended. */
typedef enum ptl_a64_modifier {
    PTL_A64_PLAIN, /* a number of its own */
    PTL_A64_LSL,
    PTL_A64_LSR,
    PTL_A64_ASR,
    PTL_A64_ROR,
    PTL_A64_MSL, /* shifts ones in */
    PTL_A64_UXTB,
    PTL_A64_UXTH,
    PTL_A64_UXTW,
    PTL_A64_UXTX,
    PTL_A64_SXTB,
    PTL_A64_SXTH,
    PTL_A64_SXTW,
    PTL_A64_SXTX,
    PTL_A64_LANE,     /* the number of an element: v.s[imm] */
    PTL_A64_COND,     /* eq, ne, ...: number 0 to 15 */
    PTL_A64_FLOAT,    /* a number with point, in 8 bits: sign, exponent, fraction; or the constant 0.0 */
    PTL_A64_BITMASK,  /* of a logical instruction */
    PTL_A64_BYTES,    /* bytes of zeros and ones: movi d, ... */
    PTL_A64_PREFETCH, /* pldl1keep, ... */
    PTL_A64_MODIFIERS /* how many there are */
} ptl_a64_modifier;

typedef enum ptl_a64_writeback {
    PTL_A64_NO_WRITEBACK,
    PTL_A64_PRE_INDEX,
    PTL_A64_POST_INDEX
} ptl_a64_writeback;

/* Registers as a form sees them. 31 is the zero register, or the stack pointer where the name says so. */
typedef enum ptl_a64_class {
    PTL_A64_NO_CLASS,
    PTL_A64_X,
    PTL_A64_W,
    PTL_A64_XSP,
    PTL_A64_WSP,
    PTL_A64_B,
    PTL_A64_H,
    PTL_A64_S,
    PTL_A64_D,
    PTL_A64_Q,
    PTL_A64_V, /* with an arrangement (4s) or an element (s[imm]) */
    PTL_A64_CLASSES
} ptl_a64_class;

enum { PTL_A64_VALUE, PTL_A64_BASE, PTL_A64_INDEX, PTL_A64_PARTS };

typedef enum ptl_a64_kind {
    PTL_A64_REGISTER,
    PTL_A64_MEMORY,
    PTL_A64_IMMEDIATE,
    PTL_A64_RELATIVE
} ptl_a64_kind;

/* An operand does one or both of these with its value. */
enum { PTL_A64_READS = 1, PTL_A64_WRITES = 2 };

typedef struct ptl_a64_operand {
    uint8_t kind;          /* ptl_a64_kind */
    uint8_t access;        /* PTL_A64_READS | PTL_A64_WRITES; of a list: of all its registers */
    uint8_t class;         /* of a register; of the index of an address */
    uint8_t element_width; /* bits of a vector's element */
    uint16_t width;    /* bits of the register (of the whole vector, of the element of a lane), of the memory
                        * access, of the encoded immediate */
    uint8_t list;      /* registers in a row: {v.16b, v.16b}; otherwise 1 */
    bool is_braced;    /* a list, even of one register */
    uint8_t modifier;  /* ptl_a64_modifier */
    uint8_t writeback; /* ptl_a64_writeback, of an address */
    bool is_literal;   /* memory at a distance from the instruction, without base */
    bool has_constant; /* an immediate that is printed, but not to choose */
    bool has_amount;   /* an address whose index is shifted by a fixed amount, constant */
    int16_t constant;
    ptl_a64_field fields[PTL_A64_PARTS]; /* value: register, immediate, displacement */
} ptl_a64_operand;

typedef enum ptl_a64_branch {
    PTL_A64_NO_BRANCH,
    PTL_A64_JUMP,
    PTL_A64_JUMP_IF,
    PTL_A64_CALL,
    PTL_A64_RETURN
} ptl_a64_branch;

/* Flags: bits of ptl_a64_form.flags_read and flags_written. */
enum { PTL_A64_FLAG_N = 1, PTL_A64_FLAG_Z = 2, PTL_A64_FLAG_C = 4, PTL_A64_FLAG_V = 8, PTL_A64_FLAGS = 15 };

typedef struct ptl_a64_form {
    const char* name; /* of the scheme: docs/scheme-names.md */
    uint32_t mask;    /* bits that are the same in all instructions of this form */
    uint32_t value;
    uint16_t mnemonic; /* ptl_a64_mnemonics */
    uint8_t operand_count;
    uint8_t branch;     /* ptl_a64_branch */
    uint8_t flags_read; /* PTL_A64_FLAG_N | ... */
    uint8_t flags_written;
    uint8_t category; /* ptl_a64_categories */
    uint8_t feature;  /* ptl_a64_features */
    ptl_a64_operand operands[PTL_A64_OPERANDS_MAX];
} ptl_a64_form;

/* In the order of their names (strcmp). */
extern const ptl_a64_form ptl_a64_forms[];
extern const unsigned ptl_a64_form_count;

/* Names of mnemonics in their order, from 1 on; 0 is none. */
extern const char* const ptl_a64_mnemonics[];
extern const unsigned ptl_a64_mnemonic_count;

/* Positions of forms, those with more fixed bits first, in buckets by bits 21 to 31 of the word:
 * ptl_a64_buckets[b] .. ptl_a64_buckets[b + 1] - 1 are positions in ptl_a64_bucket_forms. */
#define PTL_A64_BUCKETS 2048
extern const uint32_t ptl_a64_buckets[PTL_A64_BUCKETS + 1];
extern const uint16_t ptl_a64_bucket_forms[];

#endif
