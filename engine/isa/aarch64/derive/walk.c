#include "isa/aarch64/derive/walk.h"

#include <stddef.h>

/* Bits 21 to 31 choose among opcodes everywhere, bits 10 to 15 nearly everywhere; bits 16 to 20 are mostly a
 * register, bits 0 to 9 two registers. Where these choose, too, they take the values that do. */
typedef struct span {
    uint32_t mask, value;  /* of bits 21 to 31, as they stand in the word */
    const uint8_t* middle; /* what bits 16 to 20 take; the list ends with END */
    const uint8_t* second; /* bits 5 to 9 */
    const uint8_t* first;  /* bits 0 to 4 */
} span;

enum { END = 255 };

static const uint8_t register_4[] = {4, END}, register_2[] = {2, END}, register_1[] = {1, END};
static const uint8_t compared[] = {0,  8, 16,
                                   24, 1, END}; /* fcmp and its kin keep their opcode where others have Rd */
static const uint8_t scalar_sources[] = {2, 0, END}; /* fmov of a number has none */
static const uint8_t exceptions[] = {0, 1, 2, 3, END};
static const uint8_t returns[] = {2, 31, END};
static const uint8_t only_31[] = {31, END};
static const uint8_t transfers[] = {4, 0, 31,
                                    END}; /* a register, none, an index that follows from the size */
static const uint8_t all[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                              17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, END};

/* Where several spans have a word, the first one counts. System instructions are forms by hand (hand.c). */
static const span spans[] = {
    {0xFFC00000, 0xD5000000, NULL, NULL, NULL},
    {0xFF000000, 0xD4000000, register_4, register_2, exceptions},
    {0xFE000000, 0xD6000000, only_31, returns, exceptions},
    {0x1C000000, 0x14000000, register_4, register_2, register_1}, /* branches */
    {0x1C000000, 0x10000000, register_4, register_2, register_1}, /* immediates */
    {0x0A000000, 0x08000000, transfers, register_2, register_1},  /* loads and stores */
    {0x5FE00000, 0x5AC00000, all, register_2, register_1},        /* one or two sources */
    {0x0E000000, 0x0A000000, register_4, register_2, register_1}, /* registers */
    {0xFF000000, 0x1E000000, all, scalar_sources, compared},      /* scalars with point */
    {0x0E000000, 0x0E000000, all, register_2, register_1},        /* vectors */
};

static bool walk_span(const span* s, uint32_t high, ptl_a64_visit* visit, void* context) {
    if (!s->middle) return true;
    for (const uint8_t* middle = s->middle; *middle != END; middle++)
        for (const uint8_t* second = s->second; *second != END; second++)
            for (const uint8_t* first = s->first; *first != END; first++)
                for (uint32_t low = 0; low < 64; low++)
                    if (!visit(context,
                               high | (uint32_t)*middle << 16 | low << 10 | (uint32_t)*second << 5 | *first))
                        return false;
    return true;
}

bool ptl_a64_walk(ptl_a64_visit* visit, void* context) {
    for (uint32_t high = 0; high < 2048; high++) {
        for (size_t k = 0; k < sizeof spans / sizeof *spans; k++) {
            if ((high << 21 & spans[k].mask) != spans[k].value) continue;
            if (!walk_span(&spans[k], high << 21, visit, context)) return false;
            break;
        }
    }
    return true;
}
