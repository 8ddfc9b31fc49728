#include "predict/block_needs.h"

#include <stdlib.h>

#include "base/room.h"
#include "isa/policy.h"
#include "isa/register_stack.h"
#include "predict/block_memory.h"
#include "predict/block_values.h"

typedef struct writer {
    uint32_t item;
    uint8_t place;
    uint8_t iteration;
    bool there;
    const ptl_memory_access* memory; /* of a store */
} writer;

/* Holds who wrote what last, in the order of the program. */
typedef struct history {
    ptl_code_block* block;
    ptl_aliasing aliasing;
    uint8_t iteration, last; /* needs are those of the last iteration */
    int top;                 /* by how much items have moved it (isa/register_stack.h) */
    const ptl_memory_renaming* renaming;
    bool follows; /* what registers hold: there are loads and stores to be matched */
    writer of[PTL_RESOURCES];
    ptl_values values;
    writer* stores; /* as values.stores has them */
    size_t store_count, store_capacity;
    ptl_followed* followed; /* of the last iteration; of the one before until it is overwritten */
    size_t followed_count, followed_capacity;
} history;

static uint8_t resource_of(unsigned file, unsigned number) {
    return (uint8_t)(file * 32 + number);
}

static bool add_need(history* h, const writer* w, ptl_need n) {
    ptl_code_block* b = h->block;
    if (!w->there) return true;
    if (!ptl_room(&b->needs, &b->need_capacity, b->need_count + 1, sizeof *b->needs)) return false;
    n.from = w->item;
    n.out = w->place;
    n.distance = (uint8_t)(h->iteration - w->iteration);
    b->needs[b->need_count++] = n;
    return true;
}

/* Tells whether a register of an address was written after a store, so that the load is not renamed. */
static bool hides_store(const history* h, uint16_t name, const writer* store) {
    const ptl_architecture* a = h->block->model->architecture;
    unsigned number;
    ptl_file file = name ? ptl_register_place(a, name, &number) : PTL_FILES;
    if (file == PTL_FILES) return false;
    const writer* w = &h->of[resource_of(file, number)];
    if (!w->there || w->iteration < store->iteration) return false;
    if (w->iteration == store->iteration && w->item < store->item) return false;
    return ptl_is_stack_pointer(a, name) ? !h->renaming->stack : !h->renaming->moved;
}

static bool moved_away(const history* h, const ptl_memory_access* m, const writer* store) {
    return hides_store(h, m->address.base, store) || hides_store(h, m->address.index, store);
}

/* Tells whether the address of a load stands in its code in other numbers than that of the store: both count
 * from where they stand, and stand in different places. */
static bool counts_from_elsewhere(const history* h, uint32_t i, const ptl_memory_access* m,
                                  const writer* store) {
    if (!ptl_is_instruction_pointer(h->block->model->architecture, m->address.base)) return false;
    bool same_place = store->item == i && h->renaming == &h->block->model->renaming[PTL_CODE_LOOP];
    return !same_place && !h->renaming->moved;
}

/* Tells whether the load of item i, which begins so many bytes behind what was stored, looks its address
 * up. */
static bool looks_up(const history* h, uint32_t i, const ptl_memory_access* m, const writer* store,
                     uint64_t behind) {
    const ptl_memory_renaming* r = h->renaming;
    const ptl_memory_access* s = store->memory;
    bool other_base = m->address.base != s->address.base || m->address.index != s->address.index;
    bool of_stack = ptl_is_stack_pointer(h->block->model->architecture, m->address.base);
    if (!(of_stack ? r->framed : r->plain)) return true;
    return (m->address.index && !r->indexed) || (other_base && !r->other_base) || (behind && !r->inside) ||
           moved_away(h, m, store) || moved_away(h, s, store) || counts_from_elsewhere(h, i, m, store);
}

/* By how much store k has moved since the same store of the iteration before; false: that is not known. */
static bool store_step(const history* h, size_t k, int64_t* step) {
    for (size_t i = k; i-- > 0;) {
        if (h->stores[i].item != h->stores[k].item || h->stores[i].memory != h->stores[k].memory) continue;
        ptl_sum before = h->values.stores[i].address, now = h->values.stores[k].address;
        *step = (int64_t)(now.offset - before.offset);
        return before.unknowns == now.unknowns;
    }
    return false;
}

/* The same of the load of this address, which is among those of its item that were followed last. */
static bool load_step(const history* h, ptl_sum address, int64_t* step) {
    for (size_t i = h->followed_count; i-- > 0;) {
        const ptl_followed* f = &h->followed[i];
        if (f->writes || f->address.unknowns != address.unknowns || f->address.offset != address.offset)
            continue;
        *step = f->step;
        return f->steady;
    }
    return false;
}

/* Tells whether store k and the load of this address are to each other as they were in the iteration
 * before. */
static bool keep_pace(const history* h, size_t k, ptl_sum address) {
    int64_t of_store, of_load;
    return store_step(h, k, &of_store) && load_step(h, address, &of_load) && of_store == of_load;
}

/* Tells whether, for a load that stays at this address, the same store went elsewhere after store k, by an
 * address that nothing is known of: what store k did it does not do in every iteration. */
static bool went_away(const history* h, size_t k, ptl_sum address) {
    int64_t step;
    if (!load_step(h, address, &step) || step) return false;
    for (size_t i = k + 1; i < h->store_count; i++)
        if (h->stores[i].item == h->stores[k].item && h->stores[i].memory == h->stores[k].memory)
            return h->values.stores[i].address.unknowns != h->values.stores[k].address.unknowns;
    return false;
}

/* The need of a load, if there is one. */
static bool add_load(history* h, uint32_t i, unsigned access) {
    const ptl_item* item = &h->block->items[i];
    const ptl_memory_access* m = &item->accesses.memory[access];
    ptl_need n = {
        .to = i, .in = ptl_place_of_operand(m->operand, PTL_PART_VALUE), .resource = PTL_RESOURCE_MEMORY};
    if (h->aliasing == PTL_ALIAS_NO || !h->store_count) return true;
    if (h->aliasing == PTL_ALIAS_ALL) return add_need(h, &h->stores[h->store_count - 1], n);
    ptl_sum address = ptl_values_address(&h->values, item, access);
    size_t k = ptl_values_store_before(&h->values, address, m->bytes);
    if (k == SIZE_MAX || went_away(h, k, address)) return true;
    const ptl_stored* s = &h->values.stores[k];
    uint64_t behind = address.offset - s->address.offset;
    n.outside = behind > s->bytes || behind + m->bytes > s->bytes;
    n.apart = behind != 0;
    n.stays = n.outside && keep_pace(h, k, address);
    n.looked_up = looks_up(h, i, m, &h->stores[k], behind);
    return add_need(h, &h->stores[k], n);
}

/* The register of an item's touch, wherever the top of its stack is. */
static uint8_t resource_at(const history* h, uint32_t i, const ptl_touch* t, bool writes) {
    const ptl_item* item = &h->block->items[i];
    return resource_of(t->file, ptl_register_fixed_number(item->architecture, (ptl_file)t->file, t->number,
                                                          h->top, item->top_moves, writes));
}

static bool add_reads(history* h, uint32_t i) {
    const ptl_accesses* a = &h->block->items[i].accesses;
    if (h->iteration < h->last) return true;
    for (unsigned k = 0; k < a->touch_count; k++) {
        const ptl_touch* t = &a->touches[k];
        uint8_t r = resource_at(h, i, t, false);
        ptl_need n = {.to = i, .resource = r};
        n.in = ptl_place_of_operand(t->operand, (ptl_operand_part)t->part);
        if (t->reads && !add_need(h, &h->of[r], n)) return false;
    }
    for (uint32_t bits = a->flags_read; bits; bits &= bits - 1) {
        unsigned bit = (unsigned)__builtin_ctz(bits);
        uint8_t r = (uint8_t)(PTL_RESOURCE_FLAGS + bit);
        ptl_need n = {.to = i, .in = ptl_place_of_flag(bit), .resource = r};
        if (!add_need(h, &h->of[r], n)) return false;
    }
    for (unsigned k = 0; k < a->memory_count; k++)
        if (a->memory[k].reads && !add_load(h, i, k)) return false;
    return true;
}

static bool add_writes(history* h, uint32_t i) {
    const ptl_accesses* a = &h->block->items[i].accesses;
    writer w = {.item = i, .iteration = h->iteration, .there = true};
    for (unsigned k = 0; k < a->touch_count; k++) {
        const ptl_touch* t = &a->touches[k];
        if (!t->writes) continue;
        w.place = ptl_place_of_operand(t->operand, (ptl_operand_part)t->part);
        h->of[resource_at(h, i, t, true)] = w;
    }
    for (uint32_t bits = a->flags_written; bits; bits &= bits - 1) {
        unsigned bit = (unsigned)__builtin_ctz(bits);
        w.place = ptl_place_of_flag(bit);
        h->of[PTL_RESOURCE_FLAGS + bit] = w;
    }
    for (unsigned k = 0; k < a->memory_count; k++) {
        if (!a->memory[k].writes) continue;
        if (!ptl_room(&h->stores, &h->store_capacity, h->store_count + 1, sizeof *h->stores)) return false;
        w.place = ptl_place_of_operand(a->memory[k].operand, PTL_PART_VALUE);
        w.memory = &a->memory[k];
        h->stores[h->store_count++] = w;
    }
    return true;
}

/* Notes where an item accesses memory. False: no memory. */
static bool follow(history* h, uint32_t i) {
    const ptl_item* item = &h->block->items[i];
    for (unsigned k = 0; k < item->accesses.memory_count; k++) {
        const ptl_memory_access* m = &item->accesses.memory[k];
        size_t at = h->followed_count;
        if (!ptl_room(&h->followed, &h->followed_capacity, at + 2, sizeof *h->followed)) return false;
        ptl_followed now = {
            .address = ptl_values_address(&h->values, item, k),
            .item = i,
            .bytes = m->bytes,
            .relative = ptl_is_instruction_pointer(h->block->model->architecture, m->address.base),
        };
        for (int writes = 0; writes < 2; writes++) {
            if (writes ? !m->writes : !m->reads) continue;
            const ptl_followed* before = &h->followed[h->followed_count];
            bool same = h->iteration && before->address.unknowns == now.address.unknowns;
            now.writes = writes;
            now.step = same ? (int64_t)(now.address.offset - before->address.offset) : 0;
            now.steady = same;
            h->followed[h->followed_count++] = now;
        }
    }
    return true;
}

/* Tells whether loads and stores must be matched by their addresses. */
static bool must_follow(const ptl_code_block* b, ptl_aliasing aliasing) {
    bool reads = false, writes = false;
    const ptl_cache_limits* c = &b->model->cache;
    if (c->bank_loads > 0 || c->stored_lines > 0) reads = writes = true;
    bool crossings = b->is_loop && c->crossing_loads > 0; /* of loads alone, too */
    for (uint32_t i = 0; i < b->count; i++)
        for (unsigned k = 0; !b->uses[i].left_out && k < b->items[i].accesses.memory_count; k++) {
            reads = reads || b->items[i].accesses.memory[k].reads;
            writes = writes || b->items[i].accesses.memory[k].writes;
        }
    return reads && (writes || crossings) && aliasing == PTL_ALIAS_SAME;
}

static bool go_through(history* h) {
    const ptl_code_block* b = h->block;
    for (; h->iteration <= h->last; h->iteration++) {
        h->followed_count = 0;
        for (uint32_t i = 0; i < b->count; i++) {
            int moves =
                b->items[i].top_moves; /* of one that is left out, too: the others mean what they did */
            if (b->uses[i].left_out) {
                h->top += moves;
                continue;
            }
            if (h->follows && !follow(h, i)) return false;
            if (!add_reads(h, i) || !add_writes(h, i)) return false;
            h->top += moves;
            if (h->follows && !ptl_values_step(&h->values, &b->items[i])) return false;
        }
    }
    return true;
}

static uint64_t position(const ptl_code_block* b, uint64_t iteration, uint32_t item) {
    return iteration * b->count + item;
}

/* Cycles for which a load is held up that wants what a store cannot hand over; 0: it is not. */
static double held_up(const ptl_code_block* b, const ptl_need* n) {
    if (n->resource != PTL_RESOURCE_MEMORY || !n->outside || !n->stays) return 0;
    return n->apart ? b->model->cache.held_up : b->model->cache.held_up_from_start;
}

/* Cycles of an iteration in which a load has to wait until a store has reached the cache: it wants bytes of
 * it that the store cannot hand over. That store leaves after all loads before it have ended, so that loads
 * of stores which are behind the last wait wait anew. */
static double cycles_held_up(const ptl_code_block* b) {
    double cycles = 0;
    uint64_t last = 0;
    for (size_t k = 0; k < b->need_count; k++) /* of the iteration before: its last wait is no later */
        if (held_up(b, &b->needs[k]) > 0) last = position(b, PTL_BLOCK_ITERATIONS - 1, b->needs[k].to);
    for (size_t k = 0; k < b->need_count; k++) {
        const ptl_need* n = &b->needs[k];
        double wait = held_up(b, n);
        if (!(wait > 0) || position(b, PTL_BLOCK_ITERATIONS - n->distance, n->from) < last) continue;
        cycles += wait;
        last = position(b, PTL_BLOCK_ITERATIONS, n->to);
    }
    return cycles;
}

/* Notes which stores loads get the bytes of. */
static void mark_handed(history* h) {
    const ptl_code_block* b = h->block;
    for (size_t k = 0; k < b->need_count; k++) {
        const ptl_need* n = &b->needs[k];
        if (n->resource != PTL_RESOURCE_MEMORY || n->outside) continue;
        for (size_t i = 0; i < h->followed_count; i++)
            h->followed[i].handed |= h->followed[i].writes && h->followed[i].item == n->from;
    }
}

/* Notes which loads of a loop cross lines. */
static void mark_crossings(history* h) {
    ptl_memory_crossings(h->followed, h->followed_count);
    for (size_t i = 0; i < h->followed_count; i++)
        h->block->uses[h->followed[i].item].crossings += h->followed[i].crossings;
}

/* Tells whether an iteration leaves the top of a stack elsewhere than it found it: registers come back
 * later. */
static bool turns_stack(const ptl_code_block* b) {
    int top = 0;
    for (uint32_t i = 0; i < b->count; i++) top += b->items[i].top_moves;
    return top != 0;
}

ptl_status ptl_block_find_needs(ptl_code_block* b, ptl_premises premises, ptl_error* error) {
    ptl_code_kind kind = premises.start == PTL_START_ALIKE ? PTL_CODE_STRAIGHT : PTL_CODE_LOOP;
    const ptl_memory_renaming* renaming = &b->model->renaming[kind];
    history h = {.block = b,
                 .aliasing = premises.aliasing,
                 .renaming = renaming,
                 .follows = must_follow(b, premises.aliasing)};
    b->renaming = renaming;
    h.last = h.follows || turns_stack(b) ? PTL_BLOCK_ITERATIONS - 1 : 1;
    if (!h.follows && h.aliasing == PTL_ALIAS_SAME) h.aliasing = PTL_ALIAS_NO;
    if (h.follows) ptl_values_start(&h.values, b, premises.start);
    b->need_count = 0;
    bool memory = go_through(&h);
    if (memory && b->model->cache.handed_alone) mark_handed(&h);
    if (memory && b->is_loop && b->model->cache.crossing_loads > 0) mark_crossings(&h);
    double bound = ptl_memory_bound(h.followed, h.followed_count, &b->model->cache);
    double waits = memory ? cycles_held_up(b) : 0;
    b->memory_cycles = waits > bound ? waits : bound;
    free(h.followed);
    ptl_values_free(&h.values);
    free(h.stores);
    return memory ? PTL_OK : ptl_no_memory(error, "for the dependencies of a block");
}
