#include "isa/allocate_bases.h"

#include "isa/architecture.h"

enum { FIXED_MAX = 6, ROOM = 1024 /* bytes that a base moves through in a loop body */ };

/* Returns how the operand moves its base, as an index of ptl_bases.kinds; -1 if it does not. */
static int kind_of(const ptl_scheme* s, const ptl_operand* o, ptl_move* m) {
    if (o->kind != PTL_MEMORY || !s->architecture->move) return -1;
    *m = s->architecture->move(s, o);
    if (!m->moves) return -1;
    int amount = m->bytes ? 2 : s->operands[m->amount].kind == PTL_REGISTER ? 1 : 0;
    return 2 * amount + ptl_operand_writes(o);
}

static bool is_fixed(int kind) {
    return kind / 2 == 2;
}

void ptl_bases_note(ptl_bases* b, const ptl_scheme* s) {
    for (unsigned k = 0; k < s->visible_count; k++) {
        ptl_move m;
        int kind = kind_of(s, &s->operands[k], &m);
        if (kind < 0) continue;
        b->kinds[kind].uses++;
        if (m.bytes > b->kinds[kind].bytes) b->kinds[kind].bytes = m.bytes;
    }
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static unsigned most(unsigned a, unsigned b) {
    return a > b ? a : b;
}

/* Bases that come back by themselves, if each is used an even number of times. */
static unsigned returning(unsigned uses) {
    unsigned limit = most(1, least(PTL_BASES_MAX, uses / 2));
    for (unsigned n = limit; n > limit / 2; n--)
        if (uses % (2 * n) == 0) return n;
    return limit;
}

/* Bases that the end of the body takes back. */
static unsigned taken_back(unsigned uses, unsigned bytes, size_t n) {
    unsigned for_time = least(FIXED_MAX, (unsigned)((12 * (size_t)uses + n - 1) / n));
    unsigned for_room = (uses * bytes + ROOM - 1) / ROOM;
    return most(1, least(PTL_BASES_MAX, most(for_time, for_room)));
}

void ptl_bases_take(ptl_bases* b, ptl_register_set* set, unsigned keep, size_t n) {
    unsigned kinds = 0;
    for (int kind = 0; kind < PTL_BASE_KINDS; kind++) kinds += b->kinds[kind].uses > 0;
    unsigned share = kinds && set->count > keep ? (set->count - keep) / kinds : 0;
    for (int kind = 0; kind < PTL_BASE_KINDS; kind++) {
        unsigned uses = b->kinds[kind].uses;
        if (uses == 0) continue;
        unsigned wanted = is_fixed(kind) ? taken_back(uses, b->kinds[kind].bytes, n) : returning(uses);
        for (unsigned i = 0; i < wanted && i < share; i++)
            b->kinds[kind].numbers[b->kinds[kind].count++] = set->numbers[--set->count];
    }
}

int ptl_bases_next(ptl_bases* b, const ptl_scheme* s, const ptl_operand* o) {
    ptl_move m;
    int kind = kind_of(s, o, &m);
    if (kind < 0 || b->kinds[kind].count == 0) return -1;
    return b->kinds[kind].numbers[b->kinds[kind].next++ % b->kinds[kind].count];
}
