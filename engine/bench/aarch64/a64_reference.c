#include "bench/aarch64/a64_emit.h"

/* Instructions without their registers: rd, rn << 5, rm << 16. */
#define ADD UINT32_C(0x8b000000)
#define MUL_W                                                                                                \
    UINT32_C(0x1b007c00) /* of 32 bits: those of 64 take longer on some cores, and more than one cycle each  \
                          */
#define LDR_X UINT32_C(0xf9400000)
#define ADD_4S UINT32_C(0x4ea08400)

/* More chains than any core needs for its units; and the second operand, which nothing writes. */
enum { CHAINS = 20, OTHER = 25 };

/* op x(r), x(r), x25 with r = 0 ... registers - 1 in turn: so many chains, or one. */
static size_t chains(uint8_t* out, uint32_t op, unsigned units, unsigned registers) {
    ptl_emitter e = {out, 0};
    for (unsigned i = 0; i < units; i++) {
        uint32_t r = i % registers;
        ptl_a64_emit(&e, op | OTHER << 16 | r << 5 | r);
    }
    return e.n;
}

static size_t add_chain(uint8_t* out, unsigned* units) {
    return chains(out, ADD, *units = 180, 1);
}

static size_t mul_chain(uint8_t* out, unsigned* units) {
    return chains(out, MUL_W, *units = 60, 1);
}

static size_t sentinel(uint8_t* out, unsigned* units) {
    return chains(out, ADD, *units = 1200, CHAINS);
}

static size_t adds(uint8_t* out, unsigned* units) {
    return chains(out, ADD, *units = 240, CHAINS);
}

static size_t nops(uint8_t* out, unsigned* units) {
    ptl_emitter e = {out, 0};
    for (*units = 0; *units < 240; ++*units) ptl_a64_emit(&e, PTL_A64_NOP);
    return e.n;
}

static size_t muls(uint8_t* out, unsigned* units) {
    return chains(out, MUL_W, *units = 80, CHAINS);
}

static size_t loads(uint8_t* out, unsigned* units) {
    /* ldr x(i % 4), [x28, 8 * (i % 8)] */
    ptl_emitter e = {out, 0};
    for (unsigned i = 0; i < 120; i++)
        ptl_a64_emit(&e, LDR_X | (i % 8) << 10 | (uint32_t)PTL_A64_DATA << 5 | i % 4);
    *units = 120;
    return e.n;
}

static size_t vector_adds(uint8_t* out, unsigned* units) {
    /* add v(4 + i % 8).4s, v0.4s, v1.4s */
    ptl_emitter e = {out, 0};
    for (unsigned i = 0; i < 120; i++) ptl_a64_emit(&e, ADD_4S | 1 << 16 | (4 + i % 8));
    *units = 120;
    return e.n;
}

const ptl_reference_body ptl_a64_bodies[PTL_REFERENCES] = {
    [PTL_CHAIN] = {mul_chain, 0},   [PTL_ADD_CHAIN] = {add_chain, 0},       [PTL_SENTINEL] = {sentinel, 0},
    [PTL_CONTROL] = {adds, 0},      [PTL_CONTROL + 1] = {nops, 0},          [PTL_CONTROL + 2] = {muls, 0},
    [PTL_CONTROL + 3] = {loads, 0}, [PTL_CONTROL + 4] = {vector_adds, 128},
};
