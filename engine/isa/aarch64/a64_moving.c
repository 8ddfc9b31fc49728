/* Addresses that move by themselves (isa/moving.h). */
#include "isa/aarch64/aarch64.h"

ptl_move ptl_a64_move(const ptl_scheme* scheme, const ptl_operand* operand) {
    const ptl_a64_operand* o = ptl_a64_form_operand(scheme, operand);
    if (!o || !o->writeback) return (ptl_move){0};
    unsigned k = (unsigned)(operand - scheme->operands);
    bool ahead = o->writeback == PTL_A64_PRE_INDEX;
    const ptl_operand* amount = &scheme->operands[ahead ? k : k + 1];
    return (ptl_move){.moves = true,
                      .ahead = ahead,
                      .amount = (uint8_t)(amount - scheme->operands),
                      .bytes = amount->has_constant ? (uint16_t)amount->constant : 0};
}
