#include "anica/choose.h"

#include <string.h>

enum { CELLS = PTL_BLOCK_LENGTH_MAX * PTL_OPERANDS_MAX, WORDS = (CELLS + 63) / 64 };

/* A forest of operands that must alias (union-find); all but parent is of a class and kept at its root. */
typedef struct chooser {
    const ptl_plan* const* plans;
    size_t length;
    unsigned words;         /* of neighbours in use */
    unsigned count, memory; /* operands that can alias, free memory operands */
    uint8_t cells[CELLS];   /* the operands that can alias: instruction * PTL_OPERANDS_MAX + operand */
    uint8_t parent[CELLS];
    uint8_t value[CELLS];
    uint8_t shape[CELLS];
    uint8_t space[CELLS];
    uint32_t allowed[CELLS];                        /* to every member */
    uint32_t forbidden[CELLS];                      /* by neighbours that have a value */
    uint64_t neighbours[CELLS][WORDS];              /* classes that must not alias with it */
    uint32_t slots;                                 /* that the memory has room for */
    uint32_t taken[PTL_SHAPE_VECTOR + PTL_CLASSES]; /* slots by shape */
} chooser;

const char* ptl_choice_text(ptl_choice c) {
    static const char* const texts[PTL_CHOICES] = {
        "",
        "operands that must alias are fixed to different registers",
        "an operand that must alias with a fixed one cannot have its register (reserved, or not encodable)",
        "memory operands that must alias cannot have one address",
        "operands that must not alias are the same by their schemes or by other constraints",
        "must-not-alias constraints leave no register or memory slot"};
    return (unsigned)c < PTL_CHOICES ? texts[c] : "?";
}

static void add_cell(chooser* c, unsigned cell, const ptl_plan_operand* o) {
    c->cells[c->count++] = (uint8_t)cell;
    c->parent[cell] = (uint8_t)cell;
    c->value[cell] = o->value;
    c->shape[cell] = o->shape;
    c->space[cell] = o->space;
    c->allowed[cell] = o->allowed;
    c->forbidden[cell] = 0;
    for (unsigned w = 0; w < c->words; w++) c->neighbours[cell][w] = 0;
    c->memory += o->space == PTL_SPACE_MEMORY && o->role == PTL_ROLE_FREE;
}

static unsigned slot_shift_of(const chooser* c) {
    unsigned shift = 3;
    for (size_t i = 0; i < c->length; i++)
        if (c->plans[i]->slot_shift > shift) shift = c->plans[i]->slot_shift;
    return shift;
}

/* 16 slots, more only if there might not be enough: the fewer, the more often operands alias by chance. */
static uint32_t slots_of(const chooser* c, uint32_t memory_bytes, unsigned shift) {
    uint32_t room = memory_bytes >> shift, wanted = c->memory <= 8 ? 16 : PTL_SLOTS;
    uint32_t n = room < wanted ? room : wanted;
    return n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
}

static void start(chooser* c, const ptl_plan* const* plans, size_t length) {
    c->plans = plans;
    c->length = length;
    c->words = (unsigned)(length * PTL_OPERANDS_MAX + 63) / 64;
    c->count = c->memory = 0;
    memset(c->taken, 0, sizeof c->taken);
    for (unsigned i = 0; i < length; i++)
        for (unsigned k = 0; k < plans[i]->operand_count; k++)
            if (plans[i]->operands[k].space != PTL_SPACE_NONE)
                add_cell(c, i * PTL_OPERANDS_MAX + k, &plans[i]->operands[k]);
}

static unsigned root_of(chooser* c, unsigned cell) {
    while (c->parent[cell] != cell) cell = c->parent[cell] = c->parent[c->parent[cell]];
    return cell;
}

/* The space of an operand if it exists in the schemes chosen. */
static unsigned space_at(const chooser* c, ptl_operand_ref r) {
    if (r.instruction >= c->length || r.operand >= c->plans[r.instruction]->operand_count)
        return PTL_SPACE_NONE;
    return c->plans[r.instruction]->operands[r.operand].space;
}

/* Tells whether the constraint says anything about the schemes chosen (eq. 8.15). */
static bool applies(const chooser* c, const ptl_alias* alias) {
    unsigned space = space_at(c, alias->a);
    return space != PTL_SPACE_NONE && space == space_at(c, alias->b);
}

static unsigned cell_at(ptl_operand_ref r) {
    return (unsigned)r.instruction * PTL_OPERANDS_MAX + r.operand;
}

static ptl_choice unite(chooser* c, unsigned a, unsigned b) {
    unsigned x = root_of(c, a), y = root_of(c, b);
    if (x == y) return PTL_CHOSEN;
    if (c->shape[x] != c->shape[y]) return PTL_CLASH_ADDRESS;
    if (c->value[x] == PTL_NO_VALUE) c->value[x] = c->value[y];
    if (c->value[y] != PTL_NO_VALUE && c->value[x] != c->value[y])
        return c->space[x] == PTL_SPACE_MEMORY ? PTL_CLASH_ADDRESS : PTL_CLASH_FIXED;
    c->allowed[x] &= c->allowed[y];
    c->parent[y] = (uint8_t)x;
    return PTL_CHOSEN;
}

static ptl_choice separate(chooser* c, unsigned a, unsigned b) {
    unsigned x = root_of(c, a), y = root_of(c, b);
    if (x == y) return PTL_CLASH_SAME;
    c->neighbours[x][y / 64] |= UINT64_C(1) << y % 64;
    c->neighbours[y][x / 64] |= UINT64_C(1) << x % 64;
    return PTL_CHOSEN;
}

static ptl_choice constrain(chooser* c, const ptl_alias* aliases, size_t count, ptl_alias_kind kind) {
    for (size_t i = 0; i < count; i++) {
        if (aliases[i].kind != kind || !applies(c, &aliases[i])) continue;
        unsigned a = cell_at(aliases[i].a), b = cell_at(aliases[i].b);
        ptl_choice result = kind == PTL_MUST_ALIAS ? unite(c, a, b) : separate(c, a, b);
        if (result != PTL_CHOSEN) return result;
    }
    return PTL_CHOSEN;
}

/* Registers that have to differ or it is no instruction. */
static ptl_choice separate_distinct(chooser* c) {
    for (unsigned i = 0; i < c->length; i++) {
        const ptl_plan* p = c->plans[i];
        for (unsigned k = 0; k < PTL_OPERANDS_MAX && k < p->operand_count; k++) {
            for (unsigned left = p->operands[k].distinct; left; left &= left - 1) {
                unsigned cell = i * PTL_OPERANDS_MAX;
                ptl_choice result = separate(c, cell + k, cell + (unsigned)__builtin_ctz(left));
                if (result != PTL_CHOSEN) return result;
            }
        }
    }
    return PTL_CHOSEN;
}

/* A class has its value: tells the classes that must not alias with it. */
static ptl_choice tell_neighbours(chooser* c, unsigned root) {
    unsigned value = c->value[root];
    for (unsigned w = 0; w < c->words; w++) {
        for (uint64_t left = c->neighbours[root][w]; left; left &= left - 1) {
            unsigned other = 64 * w + (unsigned)__builtin_ctzll(left);
            if (c->value[other] == value && c->shape[other] == c->shape[root]) return PTL_CLASH_SAME;
            if (value < 32) c->forbidden[other] |= UINT32_C(1) << value;
        }
    }
    return PTL_CHOSEN;
}

/* Classes with fixed operands; the roots of the others go to free. */
static ptl_choice settle_fixed(chooser* c, uint8_t* free, unsigned* free_count) {
    *free_count = 0;
    for (unsigned i = 0; i < c->count; i++) {
        unsigned cell = c->cells[i];
        if (c->parent[cell] != cell) continue;
        if (c->value[cell] == PTL_NO_VALUE) {
            free[(*free_count)++] = (uint8_t)cell;
            continue;
        }
        if (c->value[cell] < 32 && !(c->allowed[cell] >> c->value[cell] & 1)) return PTL_CLASH_RESERVED;
        ptl_choice result = tell_neighbours(c, cell);
        if (result != PTL_CHOSEN) return result;
    }
    return PTL_CHOSEN;
}

/* Slots whose use by memory of this shape overlaps with no memory that looks different. */
static uint32_t slots_for(const chooser* c, unsigned shape) {
    uint32_t others = 0;
    for (unsigned s = 0; s < PTL_SHAPE_VECTOR + PTL_CLASSES; s++)
        if (s != shape) others |= c->taken[s];
    return c->slots & ~others;
}

static unsigned pick_bit(ptl_rng* rng, uint32_t set) {
    for (uint32_t skip = ptl_pick(rng, (uint32_t)__builtin_popcount(set)); skip; skip--) set &= set - 1;
    return (unsigned)__builtin_ctz(set);
}

static ptl_choice settle_free(chooser* c, unsigned root, ptl_rng* rng) {
    uint32_t candidates = c->allowed[root] & ~c->forbidden[root];
    if (c->space[root] == PTL_SPACE_MEMORY) candidates &= slots_for(c, c->shape[root]);
    if (!candidates) return PTL_NOTHING_LEFT;
    c->value[root] = (uint8_t)pick_bit(rng, candidates);
    if (c->space[root] == PTL_SPACE_MEMORY) c->taken[c->shape[root]] |= UINT32_C(1) << c->value[root];
    return tell_neighbours(c, root);
}

static ptl_choice settle_all_free(chooser* c, uint8_t* free, unsigned count, ptl_rng* rng) {
    for (unsigned left = count; left; left--) { /* in random order */
        unsigned i = ptl_pick(rng, left), root = free[i];
        free[i] = free[left - 1];
        ptl_choice result = settle_free(c, root, rng);
        if (result != PTL_CHOSEN) return result;
    }
    return PTL_CHOSEN;
}

static void read_off(chooser* c, ptl_rng* rng, uint8_t values[][PTL_OPERANDS_MAX]) {
    for (unsigned i = 0; i < c->length; i++) {
        for (unsigned k = 0; k < c->plans[i]->operand_count; k++) {
            const ptl_plan_operand* o = &c->plans[i]->operands[k];
            values[i][k] = o->role == PTL_ROLE_ADDRESS ? (uint8_t)pick_bit(rng, c->slots) : PTL_NO_VALUE;
            if (o->space != PTL_SPACE_NONE) values[i][k] = c->value[root_of(c, i * PTL_OPERANDS_MAX + k)];
        }
    }
}

ptl_choice ptl_choose(const ptl_plan* const* plans, size_t length, const ptl_alias* aliases,
                      size_t alias_count, uint32_t memory_bytes, ptl_rng* rng, uint8_t* slot_shift,
                      uint8_t values[][PTL_OPERANDS_MAX]) {
    chooser c;
    uint8_t free[CELLS];
    unsigned free_count;
    start(&c, plans, length);
    *slot_shift = (uint8_t)slot_shift_of(&c);
    c.slots = slots_of(&c, memory_bytes, *slot_shift);
    ptl_choice result = constrain(&c, aliases, alias_count, PTL_MUST_ALIAS);
    if (result == PTL_CHOSEN) result = constrain(&c, aliases, alias_count, PTL_MUST_NOT_ALIAS);
    if (result == PTL_CHOSEN) result = separate_distinct(&c);
    if (result == PTL_CHOSEN) result = settle_fixed(&c, free, &free_count);
    if (result == PTL_CHOSEN) result = settle_all_free(&c, free, free_count, rng);
    if (result == PTL_CHOSEN) read_off(&c, rng, values);
    return result;
}
