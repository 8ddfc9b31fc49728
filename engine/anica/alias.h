/* Tells which operands of a basic block can alias, and whether they do (dissertation §8.1.4, eq. 8.13-8.16).
 *
 * Operands are counted as in their scheme: visible ones first, then hidden ones. Those that can alias are
 * registers of the files of isa/policy.h (explicit, implicit, hidden) and memory (explicit, hidden); all
 * others (flags, rip, addresses of lea, immediates, branch targets, control registers, ...) cannot. Registers
 * alias if they have the same file and number: ah aliases with rax, xmm3 with zmm3. Memory aliases if it is
 * syntactically identical: base, index, scale, displacement, segment; how wide it is does not matter. */
#ifndef PTL_ANICA_ALIAS_H
#define PTL_ANICA_ALIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/accesses.h"

/* An operand of a block; both counted from 0. */
typedef struct ptl_operand_ref {
    uint8_t instruction, operand;
} ptl_operand_ref;

typedef enum ptl_alias_kind { PTL_MUST_ALIAS, PTL_MUST_NOT_ALIAS } ptl_alias_kind;

/* One entry of the aliasing abstraction (eq. 8.13) that is not top; a is before b (by instruction, then by
 * operand). Two operands of one instruction are a pair, too. */
typedef struct ptl_alias {
    ptl_operand_ref a, b;
    uint8_t kind; /* ptl_alias_kind */
} ptl_alias;

/* Operands can alias within such a space: one of the register files, or memory. Operands match if they are of
 * the same space. */
typedef enum ptl_alias_space {
    PTL_SPACE_GPR = PTL_FILE_GPR,
    PTL_SPACE_VECTOR = PTL_FILE_VECTOR,
    PTL_SPACE_MASK = PTL_FILE_MASK,
    PTL_SPACE_MMX = PTL_FILE_MMX,
    PTL_SPACE_X87 = PTL_FILE_X87,
    PTL_SPACE_MEMORY = PTL_FILES,
    PTL_SPACE_NONE, /* cannot alias, or does not exist */
    PTL_SPACES = PTL_SPACE_NONE
} ptl_alias_space;

ptl_alias_space ptl_operand_space(const ptl_scheme* scheme, unsigned operand);

/* Tells whether the operand exists and can alias at all. */
bool ptl_operand_can_alias(const ptl_scheme* scheme, unsigned operand);

/* Tells whether operand k of a and operand l of b exist and match; a and b may be the same scheme. */
bool ptl_operands_match(const ptl_scheme* a, unsigned k, const ptl_scheme* b, unsigned l);

/* Tells whether operand k of a and operand l of b exist, match and alias. Values of operands that an instance
 * does not choose need not be set. a and b may be the same instance. */
bool ptl_operands_alias(const ptl_instance* a, unsigned k, const ptl_instance* b, unsigned l);

/* Tells whether a block satisfies the constraint (eq. 8.15): constraints on operands that do not exist or do
 * not match are satisfied. */
bool ptl_alias_holds(const ptl_alias* constraint, const ptl_instance* block, size_t length);

#endif
