#include <string.h>

#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"
#include "isa/x86_64/x87.h"

typedef enum companion {
    FLD_ONE,   /* fld qword ptr [base + PTL_X87_ONE] */
    FSTP_TOP,  /* fstp st0 */
    MOV_FRAME, /* mov rbp, r13 */
    CALL,      /* a call of what stands behind the jump */
    JMP,       /* over the instance, to where it returns */
} companion;

static const char* const schemes[] = {"fld m64", "fstp st", "mov r64, r64", "call rel32", "jmp rel8"};

static void add(ptl_companions* c, companion kind) {
    if (c->count == PTL_COMPANIONS_MAX) return;
    c->schemes[c->count] = schemes[kind];
    c->list[c->count++] = (uint8_t)kind;
}

static void restore_x87(const ptl_scheme* s, ptl_companions* c) {
    ptl_x87_effect effect = ptl_scheme_x87_effect(s);
    for (unsigned i = 0; i < effect.pushes; i++) add(c, FSTP_TOP);
    if (effect.updates_top) {
        add(c, FSTP_TOP);
        add(c, FLD_ONE);
    }
    for (unsigned i = 0; i < effect.pops; i++) add(c, FLD_ONE);
}

ptl_companions ptl_x86_companions(const ptl_scheme* s) {
    ptl_companions c = {0};
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_LEAVE:
        add(&c, MOV_FRAME);
        c.ahead = 1;
        break;
    default:
        if (ptl_scheme_is_x87(s)) restore_x87(s, &c);
        if (!ptl_x86_is_return(s)) break;
        add(&c, CALL);
        add(&c, JMP);
        c.ahead = 2;
    }
    return c;
}

static size_t write_load(const ptl_policy* policy, uint8_t* out) {
    const uint32_t displacement = PTL_X87_ONE;
    size_t n = 0;
    out[n++] = policy->memory_base >= 8 ? 0x41 : 0x40;
    out[n++] = 0xdd;
    out[n++] = (uint8_t)(0x80 | (policy->memory_base & 7));
    if ((policy->memory_base & 7) == 4) out[n++] = 0x24;
    memcpy(out + n, &displacement, 4);
    return n + 4;
}

/* 15 bytes. Four stand between the jump and the instance, where nothing executes them: branches that are
 * taken and lie in one cache line hinder each other's prediction. */
#define LONG_NOP "\x66\x66\x66\x66\x66\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00"

static size_t write_one(companion c, const ptl_policy* policy, uint8_t* out) {
    static const struct {
        const char* bytes;
        size_t size;
    } codes[] = {
        [FLD_ONE] = {"", 0},
        [FSTP_TOP] = {"\xdd\xd8", 2},
        [MOV_FRAME] = {"\x4c\x89\xed", 3},
        [CALL] = {"\xe8\x3e\x00\x00\x00", 5},
        [JMP] = {"\xeb\x3d" LONG_NOP LONG_NOP LONG_NOP LONG_NOP, 2 + 60},
    };
    if (c == FLD_ONE) return write_load(policy, out);
    memcpy(out, codes[c].bytes, codes[c].size);
    return codes[c].size;
}

size_t ptl_x86_write_companions(const ptl_scheme* s, const ptl_policy* policy, bool behind,
                                uint8_t out[PTL_COMPANIONS_SIZE]) {
    ptl_companions c = ptl_x86_companions(s);
    size_t size = 0;
    for (unsigned i = behind ? c.ahead : 0; i < (behind ? c.count : c.ahead); i++)
        size += write_one((companion)c.list[i], policy, out + size);
    return size;
}
