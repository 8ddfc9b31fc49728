#include "predict/block_memory.h"

enum { BANKS = PTL_LINE / PTL_BANK, STORES_AT_ONCE = 2 };

static bool same_bank(const ptl_followed* a, const ptl_followed* b, unsigned bank) {
    uint64_t from = (b->address.offset / PTL_BANK) % BANKS;
    uint64_t to = ((b->address.offset + b->bytes - 1) / PTL_BANK) % BANKS;
    bool covers =
        b->bytes >= PTL_LINE || (from <= to ? bank >= from && bank <= to : bank >= from || bank <= to);
    return a->address.unknowns == b->address.unknowns && covers;
}

/* The most loads of one bank, among those that are known to stay there. */
static size_t most_of_bank(const ptl_followed* list, size_t count) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].writes || !list[i].stays) continue;
        unsigned bank = (unsigned)(list[i].address.offset / PTL_BANK % BANKS);
        size_t loads = 0;
        for (size_t k = 0; k < count; k++)
            loads += !list[k].writes && list[k].stays && same_bank(&list[i], &list[k], bank);
        if (loads > most) most = loads;
    }
    return most;
}

static bool same_line(const ptl_followed* a, const ptl_followed* b) {
    return a->address.unknowns == b->address.unknowns &&
           a->address.offset / PTL_LINE == b->address.offset / PTL_LINE;
}

static size_t next_store(const ptl_followed* list, size_t count, size_t at) {
    do at = (at + 1) % count;
    while (!list[at].writes);
    return at;
}

/* Turns in which stores leave: those in a row to one line, two at once. From the first that begins a line on;
 * 0 if all are to one line. */
static size_t store_turns(const ptl_followed* list, size_t count) {
    size_t stores = 0, first = count, turns = 0, row = 0;
    for (size_t i = 0; i < count; i++) {
        if (!list[i].writes) continue;
        stores++;
        size_t next = next_store(list, count, i);
        if (first == count && !same_line(&list[i], &list[next])) first = next;
    }
    if (first == count) return 0;
    for (size_t n = 0, i = first; n < stores; n++, i = next_store(list, count, i)) {
        turns += row % STORES_AT_ONCE == 0;
        row = same_line(&list[i], &list[next_store(list, count, i)]) ? row + 1 : 0;
    }
    return turns;
}

double ptl_memory_bound(const ptl_followed* list, size_t count, double bank_loads, double stored_lines) {
    double loads = bank_loads > 0 ? (double)most_of_bank(list, count) / bank_loads : 0;
    double stores = stored_lines > 0 ? (double)store_turns(list, count) / stored_lines : 0;
    return loads > stores ? loads : stores;
}
