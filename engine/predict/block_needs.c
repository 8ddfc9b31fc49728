#include "predict/block_needs.h"

#include "predict/block_memory.h"
#include "predict/block_values.h"
#include "predict/grow.h"

typedef struct writer {
    uint32_t item;
    uint8_t place;
    uint8_t iteration;
    bool there;
    const ptl_memory_access* memory; /* of a store */
} writer;

/* Who wrote what last, in the order of the program. */
typedef struct history {
    ptl_code_block* block;
    ptl_aliasing aliasing;
    uint8_t iteration, last; /* needs are those of the last iteration */
    bool follows;            /* what registers hold: there are loads and stores to be matched */
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
    if (!ptl_grow(&b->needs, &b->need_capacity, b->need_count + 1, sizeof *b->needs)) return false;
    n.from = w->item;
    n.out = w->place;
    n.distance = (uint8_t)(h->iteration - w->iteration);
    b->needs[b->need_count++] = n;
    return true;
}

/* Whether a register was written after a store. */
static bool written_since(const history* h, uint16_t name, const writer* store) {
    unsigned number;
    ptl_file file = name ? ptl_register_place(h->block->model->architecture, name, &number) : PTL_FILES;
    if (file == PTL_FILES) return false;
    const writer* w = &h->of[resource_of(file, number)];
    return w->there &&
           (w->iteration > store->iteration || (w->iteration == store->iteration && w->item >= store->item));
}

static bool moved_since(const history* h, const ptl_memory_access* m, const writer* store) {
    return written_since(h, m->address.base, store) || written_since(h, m->address.index, store);
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
    if (k == SIZE_MAX) return true;
    const ptl_stored* s = &h->values.stores[k];
    uint64_t behind = ptl_values_behind(&h->values, s->address, address);
    bool elsewhere = behind != address.offset - s->address.offset; /* the same byte, by another page */
    n.outside = elsewhere || behind > s->bytes || behind + m->bytes > s->bytes;
    n.indexed = m->address.index != 0;
    n.moved = moved_since(h, m, &h->stores[k]) || moved_since(h, h->stores[k].memory, &h->stores[k]);
    return add_need(h, &h->stores[k], n);
}

static bool add_reads(history* h, uint32_t i) {
    const ptl_accesses* a = &h->block->items[i].accesses;
    if (h->iteration < h->last) return true;
    for (unsigned k = 0; k < a->touch_count; k++) {
        const ptl_touch* t = &a->touches[k];
        uint8_t r = resource_of(t->file, t->number);
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
        h->of[resource_of(t->file, t->number)] = w;
    }
    for (uint32_t bits = a->flags_written; bits; bits &= bits - 1) {
        unsigned bit = (unsigned)__builtin_ctz(bits);
        w.place = ptl_place_of_flag(bit);
        h->of[PTL_RESOURCE_FLAGS + bit] = w;
    }
    for (unsigned k = 0; k < a->memory_count; k++) {
        if (!a->memory[k].writes) continue;
        if (!ptl_grow(&h->stores, &h->store_capacity, h->store_count + 1, sizeof *h->stores)) return false;
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
        if (!ptl_grow(&h->followed, &h->followed_capacity, at + 2, sizeof *h->followed)) return false;
        ptl_followed now = {.address = ptl_values_address(&h->values, item, k), .bytes = m->bytes};
        for (int writes = 0; writes < 2; writes++) {
            if (writes ? !m->writes : !m->reads) continue;
            const ptl_followed* before = &h->followed[h->followed_count];
            bool same = h->iteration && before->address.unknowns == now.address.unknowns;
            now.writes = writes;
            now.step = same ? (int64_t)(now.address.offset - before->address.offset) : 0;
            now.stays = same && now.step % PTL_LINE == 0;
            h->followed[h->followed_count++] = now;
        }
    }
    return true;
}

/* Whether loads and stores must be matched by their addresses. */
static bool must_follow(const ptl_code_block* b, ptl_aliasing aliasing) {
    bool reads = false, writes = false;
    if (b->model->cache.bank_loads > 0 || b->model->cache.stored_lines > 0) reads = writes = true;
    for (uint32_t i = 0; i < b->count; i++)
        for (unsigned k = 0; !b->uses[i].left_out && k < b->items[i].accesses.memory_count; k++) {
            reads = reads || b->items[i].accesses.memory[k].reads;
            writes = writes || b->items[i].accesses.memory[k].writes;
        }
    return reads && writes && aliasing == PTL_ALIAS_SAME;
}

static bool go_through(history* h) {
    const ptl_code_block* b = h->block;
    for (; h->iteration <= h->last; h->iteration++) {
        h->followed_count = 0;
        for (uint32_t i = 0; i < b->count; i++) {
            if (b->uses[i].left_out) continue;
            if (h->follows && !follow(h, i)) return false;
            if (!add_reads(h, i) || !add_writes(h, i)) return false;
            if (h->follows && !ptl_values_step(&h->values, &b->items[i])) return false;
        }
    }
    return true;
}

ptl_status ptl_block_find_needs(ptl_code_block* b, ptl_premises premises, ptl_error* error) {
    history h = {.block = b, .aliasing = premises.aliasing, .follows = must_follow(b, premises.aliasing)};
    h.last = h.follows ? PTL_BLOCK_ITERATIONS - 1 : 1;
    if (!h.follows && h.aliasing == PTL_ALIAS_SAME) h.aliasing = PTL_ALIAS_NO;
    if (h.follows) ptl_values_start(&h.values, b->model->architecture, premises.start);
    b->need_count = 0;
    bool memory = go_through(&h);
    b->memory_cycles = ptl_memory_bound(h.followed, h.followed_count, &b->model->cache);
    free(h.followed);
    ptl_values_free(&h.values);
    free(h.stores);
    return memory ? PTL_OK : ptl_no_memory(error, "for the dependencies of a block");
}
