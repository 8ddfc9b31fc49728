#include "predict/block_memory.h"

/* Iterations are looked at from LATER on, a multiple of every period, when stores that move at different pace
 * have left each other's lines. */
enum { STORES_AT_ONCE = 2, BANK_BYTES = 8, LATER = 1 << 16 };

/* Whether b reaches the bank, by its number in a line, as a does. */
static bool same_bank(const ptl_followed* a, const ptl_followed* b, uint64_t bank, uint64_t size) {
    uint64_t banks = PTL_LINE / size;
    uint64_t from = (b->address.offset / size) % banks;
    uint64_t to = ((b->address.offset + b->bytes - 1) / size) % banks;
    bool covers =
        b->bytes >= PTL_LINE || (from <= to ? bank >= from && bank <= to : bank >= from || bank <= to);
    return a->address.unknowns == b->address.unknowns && covers;
}

/* The most loads of one bank, among those that are known to stay there. */
static size_t most_of_bank(const ptl_followed* list, size_t count, uint64_t size) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].writes || !list[i].stays) continue;
        uint64_t bank = list[i].address.offset / size % (PTL_LINE / size);
        size_t loads = 0;
        for (size_t k = 0; k < count; k++)
            loads += !list[k].writes && list[k].stays && same_bank(&list[i], &list[k], bank, size);
        if (loads > most) most = loads;
    }
    return most;
}

/* The line of an access, after so many iterations. */
static uint64_t line_of(const ptl_followed* a, uint64_t iteration) {
    return (a->address.offset + iteration * (uint64_t)a->step) / PTL_LINE;
}

/* A store of one of the iterations. */
typedef struct stored {
    size_t at;
    uint64_t iteration;
} stored;

static bool same_line(const ptl_followed* list, stored a, stored b) {
    return list[a.at].address.unknowns == list[b.at].address.unknowns &&
           line_of(&list[a.at], a.iteration) == line_of(&list[b.at], b.iteration);
}

static stored next_store(const ptl_followed* list, size_t count, stored s) {
    do
        if (++s.at == count) s = (stored){0, s.iteration + 1};
    while (!list[s.at].writes);
    return s;
}

/* Iterations after which all stores are at the same places of lines again. */
static uint64_t period_of(const ptl_followed* list, size_t count) {
    uint64_t steps = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].writes) steps |= (uint64_t)list[i].step % PTL_LINE;
    return steps ? PTL_LINE / (steps & (0 - steps)) : 1;
}

/* Turns per iteration in which stores leave: those in a row to one line, two at once. A row of all stores is
 * no limit: 0. */
static double store_turns(const ptl_followed* list, size_t count) {
    size_t stores = 0, turns = 0, row = 0;
    for (size_t i = 0; i < count; i++) stores += list[i].writes;
    if (!stores) return 0;
    uint64_t period = period_of(list, count);
    stored first = next_store(list, count, (stored){count - 1, LATER - 1}), s = first;
    size_t all = stores * period, n = 0;
    for (; n < all && same_line(list, s, next_store(list, count, s)); n++) s = next_store(list, count, s);
    if (n == all) return 0;
    s = next_store(list, count, s);
    for (n = 0; n < all; n++) {
        stored next = next_store(list, count, s);
        turns += row % STORES_AT_ONCE == 0;
        row = same_line(list, s, next) ? row + 1 : 0;
        s = next;
    }
    return (double)turns / (double)period;
}

double ptl_memory_bound(const ptl_followed* list, size_t count, const ptl_cache_limits* limits) {
    uint64_t size = limits->bank_bytes ? limits->bank_bytes : BANK_BYTES;
    double loads = limits->bank_loads > 0 ? (double)most_of_bank(list, count, size) / limits->bank_loads : 0;
    double stores = limits->stored_lines > 0 ? store_turns(list, count) / limits->stored_lines : 0;
    return loads > stores ? loads : stores;
}
