/* Addresses that move by themselves (isa/moving.h): their amounts, and what a loop over them needs. */
#include "isa/aarch64/aarch64.h"

enum {
    STEP = 16,        /* by which numbers move a base: a multiple of what every form's field counts in */
    ROOM_BEHIND = 64, /* of the range of a layout: the widest access */
};

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

/* The address of an instance that moves: its operand; -1 if it has none. */
static int moving_operand(const ptl_scheme* s, ptl_move* m) {
    *m = (ptl_move){0};
    for (unsigned k = 0; k < s->visible_count; k++) {
        if (s->operands[k].kind != PTL_MEMORY) continue;
        *m = ptl_a64_move(s, &s->operands[k]);
        if (m->moves) return (int)k;
    }
    return -1;
}

static bool by_register(const ptl_scheme* s, const ptl_move* m) {
    return s->operands[m->amount].kind == PTL_REGISTER;
}

static unsigned base_of(const ptl_instance* instance, int k) {
    unsigned number = 0;
    ptl_a64_register_place(instance->values[k].base, &number);
    return number;
}

static void set_amount(ptl_instance* instance, const ptl_move* m, int64_t steps) {
    ptl_value* v = &instance->values[m->amount];
    if (by_register(&instance->scheme, m))
        v->reg = ptl_a64_register(PTL_A64_X, steps > 0 ? PTL_A64_FORTH : PTL_A64_BACK);
    else
        v->number = steps * STEP;
}

/* Forth and back in turn. Of an odd number of uses of a base the last two go forth, and back by twice as
 * much, where numbers say it; otherwise the base is taken back behind the instances. */
void ptl_a64_settle(ptl_instance* instances, size_t n) {
    ptl_instance *last[32] = {0}, *before[32] = {0};
    unsigned uses[32] = {0};
    ptl_move m;
    for (size_t i = 0; i < n; i++) {
        int k = moving_operand(&instances[i].scheme, &m);
        if (k < 0 || m.bytes) continue;
        unsigned base = base_of(&instances[i], k);
        set_amount(&instances[i], &m, uses[base]++ % 2 ? -1 : 1);
        before[base] = last[base];
        last[base] = &instances[i];
    }
    for (unsigned base = 0; base < 32; base++) {
        if (uses[base] < 3 || uses[base] % 2 == 0) continue;
        moving_operand(&last[base]->scheme, &m);
        if (by_register(&last[base]->scheme, &m)) continue;
        set_amount(last[base], &m, -2);
        moving_operand(&before[base]->scheme, &m);
        set_amount(before[base], &m, 1);
    }
}

/* ---- code of the loop */

/* Instances do this to a base. */
typedef struct base {
    bool is_used, is_written; /* what lies there is written */
    uint8_t order;            /* among the bases of its range */
    int64_t moved;            /* bytes, by all instances together */
} base;

typedef struct bases {
    base of[32];
    unsigned count[2]; /* of those where memory is read, and where it is written */
    uint32_t widest;   /* bytes of an access, a power of two */
    bool by_register;
} bases;

static int64_t amount_of(const ptl_instance* instance, const ptl_move* m) {
    const ptl_value* v = &instance->values[m->amount];
    if (m->bytes) return m->bytes;
    if (!by_register(&instance->scheme, m)) return v->number;
    return v->reg == ptl_a64_register(PTL_A64_X, PTL_A64_FORTH) ? PTL_A64_AMOUNT : -PTL_A64_AMOUNT;
}

static bases follow(const ptl_instance* instances, size_t n) {
    bases all = {.widest = STEP};
    for (size_t i = 0; i < n; i++) {
        ptl_move m;
        int k = moving_operand(&instances[i].scheme, &m);
        if (k < 0) continue;
        const ptl_operand* o = &instances[i].scheme.operands[k];
        base* b = &all.of[base_of(&instances[i], k)];
        if (!b->is_used)
            *b = (base){true, ptl_operand_writes(o), (uint8_t)all.count[ptl_operand_writes(o)]++, 0};
        b->moved += amount_of(&instances[i], &m);
        while (all.widest * 8 < o->width) all.widest *= 2;
        all.by_register |= !m.bytes && by_register(&instances[i].scheme, &m);
    }
    return all;
}

/* Returns where a base starts, in bytes from the memory's base: as the layout's operands lie, one behind the
 * other. */
static uint32_t start_of(const base* b, const bases* all, const ptl_policy* policy, unsigned layout) {
    const ptl_range* r = &policy->layouts[layout].ranges[b->is_written ? PTL_USE_WRITTEN : PTL_USE_READ];
    uint32_t stride = r->stride < all->widest ? all->widest : (r->stride + STEP - 1) / STEP * STEP;
    uint32_t room = r->bytes > ROOM_BEHIND ? r->bytes - ROOM_BEHIND : r->bytes;
    return r->first + b->order * stride % room;
}

typedef struct writer {
    uint8_t* out;
    size_t capacity, size;
} writer;

static void put_word(writer* w, uint32_t word) {
    if (w->size + 4 <= w->capacity)
        for (unsigned k = 0; k < 4; k++) w->out[w->size + k] = (uint8_t)(word >> 8 * k);
    w->size += 4;
}

/* add x<base>, <memory base>, start */
static void put_bases(writer* w, const bases* all, const ptl_policy* policy, unsigned layout, bool moved) {
    for (uint32_t r = 0; r < 32; r++) {
        const base* b = &all->of[r];
        if (!b->is_used || (moved && b->moved == 0)) continue;
        put_word(w, UINT32_C(0x91000000) | start_of(b, all, policy, layout) << 10 |
                        (uint32_t)policy->memory_base << 5 | r);
    }
}

static ptl_status finish(const writer* w, size_t* size, ptl_error* error) {
    *size = w->size;
    if (w->size <= w->capacity) return PTL_OK;
    return ptl_fail(error, PTL_LIMIT, NULL, NULL, "the code that sets bases exceeds %zu bytes", w->capacity);
}

/* Tells whether a base that only the end takes back gets past where it may go: loads to stores, these to the
 * end. */
static bool goes_too_far(const bases* all, const ptl_policy* policy, unsigned layout) {
    for (unsigned r = 0; r < 32; r++) {
        const base* b = &all->of[r];
        int64_t end = b->is_written ? policy->memory_bytes : PTL_A64_STORES;
        if (b->is_used && start_of(b, all, policy, layout) + b->moved > end) return true;
    }
    return false;
}

ptl_status ptl_a64_setup(const ptl_instance* instances, size_t n, const ptl_policy* policy, unsigned layout,
                         uint8_t* out, size_t capacity, size_t* size, ptl_error* error) {
    bases all = follow(instances, n);
    writer w = {out, capacity, 0};
    *size = 0;
    if (goes_too_far(&all, policy, layout))
        return ptl_fail(error, PTL_LIMIT, NULL, "use smaller counts",
                        "bases that move leave the %u bytes of memory within one loop body",
                        policy->memory_bytes);
    put_bases(&w, &all, policy, layout, false);
    if (all.by_register) {
        put_word(&w, UINT32_C(0xD2800000) | PTL_A64_AMOUNT << 5 | PTL_A64_FORTH);      /* movz */
        put_word(&w, UINT32_C(0x92800000) | (PTL_A64_AMOUNT - 1) << 5 | PTL_A64_BACK); /* movn */
    }
    return finish(&w, size, error);
}

ptl_status ptl_a64_restore(const ptl_instance* instances, size_t n, const ptl_policy* policy, unsigned layout,
                           uint8_t* out, size_t capacity, size_t* size, ptl_error* error) {
    bases all = follow(instances, n);
    writer w = {out, capacity, 0};
    put_bases(&w, &all, policy, layout, true);
    return finish(&w, size, error);
}
