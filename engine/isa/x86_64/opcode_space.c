#include "isa/x86_64/opcode_space.h"

#include <string.h>

/* These follow the opcode: a ModRM byte, perhaps SIB, then bytes that serve as displacement and immediates.
 */
#define FILL 0x11
#define TAIL 10

/* Memory is always [rbx+rbx] or, with vector addressing, [rbx+xmm3]: with a SIB byte (some forms insist on
 * one) and with an index that, for some value of the reg field, differs from the other registers (gathers
 * insist on that). Registers take every value of reg, because reg may select the instruction; a few forms are
 * selected by rm, too. */
static const uint8_t every_rm[] = {0, 1, 2, 3, 4, 5, 6, 7};

typedef struct candidate {
    uint8_t bytes[24];
    size_t used;
} candidate;

static void put(candidate* c, unsigned byte) {
    c->bytes[c->used++] = (uint8_t)byte;
}

static bool visit_tail(candidate c, ptl_opcode_visit* visit, void* context) {
    memset(c.bytes + c.used, FILL, TAIL);
    return visit(context, c.bytes, c.used + TAIL);
}

/* The candidate up to its opcode, with every memory and register form behind it. */
static bool visit_forms(const candidate* head, unsigned rm_count, ptl_opcode_visit* visit, void* context) {
    for (unsigned reg = 0; reg < 8; reg++) {
        candidate memory = *head;
        put(&memory, reg << 3 | 4);
        put(&memory, 3 << 3 | 3);
        if (!visit_tail(memory, visit, context)) return false;
        for (unsigned k = 0; k < rm_count; k++) {
            candidate registers = *head;
            put(&registers, 0xC0u | reg << 3 | every_rm[k]);
            if (!visit_tail(registers, visit, context)) return false;
        }
    }
    return true;
}

/* 0F 0F /r suffix: the instruction is named by its last byte. */
static bool visit_3dnow(const candidate* head, ptl_opcode_visit* visit, void* context) {
    for (unsigned suffix = 0; suffix < 256; suffix++) {
        for (unsigned memory = 0; memory < 2; memory++) {
            candidate c = *head;
            put(&c, memory ? 0x04 : 0xC1);
            if (memory) put(&c, 0x1B);
            put(&c, suffix);
            if (!visit(context, c.bytes, c.used)) return false;
        }
    }
    return true;
}

/* Bytes of the one-byte map that are no opcodes in 64-bit mode: prefixes and escapes. 8F is both, pop and
 * XOP. */
static bool is_prefix_or_escape(unsigned opcode) {
    static const uint8_t set[] = {0x0F, 0x26, 0x2E, 0x36, 0x3E, 0x62, 0x64, 0x65,
                                  0x66, 0x67, 0xC4, 0xC5, 0xF0, 0xF2, 0xF3};
    return (opcode & 0xF0) == 0x40 || memchr(set, (int)opcode, sizeof set) != NULL;
}

static bool visit_legacy_opcode(const candidate* head, unsigned map, unsigned opcode, ptl_opcode_visit* visit,
                                void* context) {
    candidate c = *head;
    if (map >= 1) put(&c, 0x0F);
    if (map == 2) put(&c, 0x38);
    if (map == 3) put(&c, 0x3A);
    put(&c, opcode);
    if (map == 0 && is_prefix_or_escape(opcode)) return true;
    if (map == 0 && opcode == 0x8F) {
        put(&c, 0x04), put(&c, 0x1B);
        if (!visit_tail(c, visit, context)) return false;
        c.used -= 2;
        put(&c, 0xC1);
        return visit_tail(c, visit, context);
    }
    if (map == 1 && opcode == 0x0F) return visit_3dnow(&c, visit, context);
    if (map == 1 && (opcode == 0x38 || opcode == 0x3A)) return true;
    return visit_forms(&c, map < 2 ? 8 : 2, visit, context);
}

bool ptl_walk_legacy(ptl_opcode_visit* visit, void* context) {
    static const char* const prefixes[] = {"",     "\x66",     "\xF2",     "\xF3",
                                           "\xF0", "\x66\xF2", "\x66\xF3", "\x66\xF0"};
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
        for (unsigned w = 0; w < 2; w++) {
            candidate head = {.used = 0};
            for (const char* s = prefixes[p]; *s; s++) put(&head, (uint8_t)*s);
            if (w) put(&head, 0x48);
            for (unsigned map = 0; map < 4; map++)
                for (unsigned opcode = 0; opcode < 256; opcode++)
                    if (!visit_legacy_opcode(&head, map, opcode, visit, context)) return false;
        }
    }
    return true;
}

/* Three-byte VEX or XOP with vvvv = 1111: register 0, or none where the form has none. */
static bool walk_three_byte(unsigned escape, unsigned map, ptl_opcode_visit* visit, void* context) {
    for (unsigned selector = 0; selector < 16; selector++) { /* W, L, pp */
        for (unsigned opcode = 0; opcode < 256; opcode++) {
            candidate head = {.used = 0};
            put(&head, escape);
            put(&head, 0xE0 | map);
            put(&head, (selector >> 3) << 7 | 0x78 | (selector & 7));
            put(&head, opcode);
            if (!visit_forms(&head, 2, visit, context)) return false;
        }
    }
    return true;
}

bool ptl_walk_vex(ptl_opcode_visit* visit, void* context) {
    for (unsigned map = 1; map <= 3; map++)
        if (!walk_three_byte(0xC4, map, visit, context)) return false;
    for (unsigned map = 8; map <= 10; map++)
        if (!walk_three_byte(0x8F, map, visit, context)) return false;
    return true;
}

/* z, L'L, b, aaa in all combinations that can decode: zeroing needs a mask. V' = 1. */
static bool visit_evex_opcode(unsigned map, unsigned w_pp, unsigned opcode, ptl_opcode_visit* visit,
                              void* context) {
    for (unsigned length_b = 0; length_b < 8; length_b++) {
        for (unsigned masking = 0; masking < 3; masking++) { /* none, {k}, {k}{z} */
            candidate head = {.used = 0};
            put(&head, 0x62);
            put(&head, 0xF0 | map);
            put(&head, (w_pp >> 2) << 7 | 0x7C | (w_pp & 3));
            put(&head, (masking == 2 ? 0x80u : 0) | length_b << 4 | 8 | (masking ? 1 : 0));
            put(&head, opcode);
            if (!visit_forms(&head, 1, visit, context)) return false;
        }
    }
    return true;
}

bool ptl_walk_evex(ptl_opcode_visit* visit, void* context) {
    static const uint8_t maps[] = {1, 2, 3, 5, 6};
    for (size_t m = 0; m < sizeof maps; m++)
        for (unsigned w_pp = 0; w_pp < 8; w_pp++)
            for (unsigned opcode = 0; opcode < 256; opcode++)
                if (!visit_evex_opcode(maps[m], w_pp, opcode, visit, context)) return false;
    return true;
}
