/* The shape of an instruction's text: its mnemonic and operands, apart from the values. Words of one shape
 * are instructions of one form; what differs between them are the values of its fields. */
#ifndef PTL_ISA_AARCH64_SHAPE_H
#define PTL_ISA_AARCH64_SHAPE_H

#include "isa/aarch64/form.h"

#define PTL_SHAPE_OPERANDS_MAX PTL_A64_OPERANDS_MAX

typedef struct ptl_shape_operand {
    uint8_t kind; /* ptl_a64_kind */
    uint8_t class;
    uint8_t element_width;
    uint8_t vector_width; /* 64, 128; 0 of an element: v1.s[0] */
    uint8_t list;
    bool is_braced;
    uint8_t modifier;
    uint8_t writeback;
    bool is_literal;
    bool has_base, has_index, has_amount;
    bool is_sp;                    /* a register that was printed as sp or wsp: no part of the shape */
    uint8_t amount;                /* of the index of an address */
    int64_t values[PTL_A64_PARTS]; /* numbers of registers; immediate, displacement */
} ptl_shape_operand;

typedef struct ptl_shape {
    char mnemonic[16];
    uint8_t count;
    ptl_shape_operand operands[PTL_SHAPE_OPERANDS_MAX];
} ptl_shape;

/* A number with point is one of these where no instruction can hold it in 8 bits. */
enum { PTL_SHAPE_ZERO_FLOAT = 256, PTL_SHAPE_OTHER_FLOAT = 257 };

/* The 8 bits of fmov, or one of the two above. */
int64_t ptl_shape_float_code(double value);

/* Reads lower-case text: "add", "x1, x2, #3". Distances of branches count from the instruction, and in the
 * shape from its end. False if an operand is none of A64's; *fault (or NULL) then points at it. */
bool ptl_shape_read(const char* mnemonic, const char* operands, ptl_shape* out, const char** fault);

/* Tells whether two words have the same form: everything but the values. */
bool ptl_shape_same(const ptl_shape* a, const ptl_shape* b);

/* The same as text of at most size - 1 characters, for tables of shapes that were met. */
void ptl_shape_key(const ptl_shape* shape, char* out, size_t size);

#endif
