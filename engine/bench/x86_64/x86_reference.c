#include <string.h>

#include "bench/x86_64/x86_emit.h"
#include "bench/x86_64/x86_target.h"

static size_t repeat(uint8_t* out, const uint8_t* code, size_t size, unsigned times) {
    for (unsigned i = 0; i < times; i++) memcpy(out + i * size, code, size);
    return size * times;
}

static size_t add_chain(uint8_t* out, unsigned* units) {
    *units = 180;
    return repeat(out, (const uint8_t*)"\x48\x01\xd0", 3, *units); /* add rax, rdx */
}

static size_t imul_chain(uint8_t* out, unsigned* units) {
    *units = 60;
    return repeat(out, (const uint8_t*)"\x48\x0f\xaf\xc2", 4, *units); /* imul rax, rdx */
}

/* test rdx, rdx: no instance waits for another one, as those of an addition do for their own register. Where
 * uops are bound to ports early, chains of additions cost more than ports do (Zen 5: 0.1875 cycles, six
 * adders). */
static size_t independent_tests(uint8_t* out, unsigned units) {
    return repeat(out, (const uint8_t*)"\x48\x85\xd2", 3, units);
}

static size_t sentinel(uint8_t* out, unsigned* units) {
    return independent_tests(out, *units = 1200);
}

static size_t tests(uint8_t* out, unsigned* units) {
    return independent_tests(out, *units = 120);
}

/* 5 bytes each */
static size_t nops(uint8_t* out, unsigned* units) {
    return repeat(out, (const uint8_t*)"\x0f\x1f\x44\x00\x00", 5, *units = 120);
}

static size_t imuls(uint8_t* out, unsigned* units) {
    /* imul reg, rdx over eight chains */
    static const uint8_t regs[8] = {0, 1, 3, 5, 6, 7, 8, 9};
    ptl_emitter e = {out, 0};
    for (*units = 0; *units < 40; ++*units) {
        unsigned r = regs[*units % 8];
        ptl_emit_byte(&e, 0x48 | r >> 3 << 2);
        PTL_X86_EMIT(&e, "\x0f\xaf");
        ptl_emit_byte(&e, 0xc2 | (r & 7) << 3);
    }
    return e.n;
}

static size_t loads(uint8_t* out, unsigned* units) {
    /* mov reg, [r14 + 8 * k] */
    ptl_emitter e = {out, 0};
    for (*units = 0; *units < 80; ++*units) {
        ptl_emit_byte(&e, 0x49);
        ptl_emit_byte(&e, 0x8b);
        ptl_emit_byte(&e, 0x46 | (*units % 4) << 3);
        ptl_emit_byte(&e, 8 * (*units % 8));
    }
    return e.n;
}

static size_t vector_adds(uint8_t* out, unsigned* units) {
    /* vpaddd ymm(k), ymm0, ymm1 for k = 4 .. 7 */
    ptl_emitter e = {out, 0};
    for (*units = 0; *units < 80; ++*units) {
        PTL_X86_EMIT(&e, "\xc5\xfd\xfe");
        ptl_emit_byte(&e, 0xc1 | (4 + *units % 4) << 3);
    }
    return e.n;
}

const ptl_reference_body ptl_x86_bodies[PTL_REFERENCES] = {
    [PTL_CHAIN] = {imul_chain, 0},  [PTL_ADD_CHAIN] = {add_chain, 0},       [PTL_SENTINEL] = {sentinel, 0},
    [PTL_CONTROL] = {tests, 0},     [PTL_CONTROL + 1] = {nops, 0},          [PTL_CONTROL + 2] = {imuls, 0},
    [PTL_CONTROL + 3] = {loads, 0}, [PTL_CONTROL + 4] = {vector_adds, 256},
};
