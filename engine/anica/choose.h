/* Greedy choice of operands under aliasing constraints (dissertation §8.1.5). Internal to engine/anica. */
#ifndef PTL_ANICA_CHOOSE_H
#define PTL_ANICA_CHOOSE_H

#include "anica/plan.h"
#include "base/rng.h"

/* Tells what came of the choice: PTL_CHOSEN, or why nothing was chosen. */
typedef enum ptl_choice {
    PTL_CHOSEN,
    PTL_CLASH_FIXED,    /* operands that must alias are fixed to different registers */
    PTL_CLASH_RESERVED, /* one that must alias with a fixed one cannot have that register */
    PTL_CLASH_ADDRESS,  /* memory that must alias cannot have one address */
    PTL_CLASH_SAME,     /* operands that must not alias are the same */
    PTL_NOTHING_LEFT,   /* must-not-alias constraints forbid all registers or slots */
    PTL_CHOICES
} ptl_choice;

/* A phrase for the failures, e.g. "operands that must alias are fixed to different registers". */
const char* ptl_choice_text(ptl_choice c);

/* Chooses values for all operands of a block of these schemes. *slot_shift becomes the one of the widest
 * memory operand. */
ptl_choice ptl_choose(const ptl_plan* const* plans, size_t length, const ptl_alias* aliases,
                      size_t alias_count, uint32_t memory_bytes, ptl_rng* rng, uint8_t* slot_shift,
                      uint8_t values[][PTL_OPERANDS_MAX]);

/* Uniform in [0, n), 0 < n < 2^32, without a division in most cases (Lemire 2019). */
static inline uint32_t ptl_pick(ptl_rng* rng, uint32_t n) {
    uint64_t product = (ptl_rng_u64(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t reject_below = -n % n; /* 2^32 mod n */
        while ((uint32_t)product < reject_below) product = (ptl_rng_u64(rng) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

#endif
