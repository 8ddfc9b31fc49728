/* Does one abstract block subsume another (Definition 8.7)? As a boolean formula that is satisfiable if and
 * only if there is a mapping m of the first block's instructions to those of the second (section 8.1.6).
 *
 * Variables x[i][k]: m(i) = k. Every i has at least one k, and at most one (the definition's m is a
 * function); no k has two i (C1); x[i][k] only where the abstract instruction k is at least as specific as i
 * (C2); for constraints on two operands both mapped ones must be under the same constraint (C3); nothing is
 * mapped between m(i) and m(i + 1), counted forward and around the end (C4).
 *
 * What can alias, and what an abstract instruction represents, is for the caller to know: here are numbers
 * only. */
#ifndef PTL_SMT_SUBSUME_FORMULA_H
#define PTL_SMT_SUBSUME_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define PTL_SUBSUME_INSTRUCTIONS_MAX 64

/* A constraint on two operands, counted from 0: which of them is first makes no difference. */
typedef struct ptl_subsume_alias {
    uint8_t instruction[2], operand[2];
    uint8_t kind; /* equal kinds mean the same */
} ptl_subsume_alias;

/* A block: its number of instructions, its constraints. */
typedef struct ptl_subsume_block {
    size_t instructions;
    const ptl_subsume_alias* aliases;
    size_t alias_count;
} ptl_subsume_block;

/* within: b.instructions values for each instruction of a: whether instruction k of b represents nothing that
 * instruction i of a does not, at within[i * b.instructions + k]. mapping: a.instructions entries, m if there
 * is one; or NULL. PTL_LIMIT: too long. PTL_NO_MEMORY, PTL_INTERRUPTED, PTL_INTERNAL. */
ptl_status ptl_smt_subsumes(const ptl_subsume_block* a, const ptl_subsume_block* b, const bool* within,
                            uint8_t* mapping, bool* answer, ptl_error* error);

#endif
