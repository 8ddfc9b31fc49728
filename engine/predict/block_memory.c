#include "predict/block_memory.h"

#include <math.h>
#include <string.h>

/* Iterations are looked at from LATER on, a multiple of every period, when stores that move at different pace
 * have left each other's lines. */
enum { STORES_AT_ONCE = 2, BANK_BYTES = 8, LATER = 1 << 16, NARROW_MAX = 8, STALLING_PERIODS = 8 };

/* Tells whether an access was to the same place of a line in the iteration before. */
static bool stays(const ptl_followed* f) {
    return f->steady && f->step % PTL_LINE == 0;
}

/* Tells whether b reaches the bank, by its number in a line, as a does. */
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
        if (list[i].writes || !stays(&list[i])) continue;
        uint64_t bank = list[i].address.offset / size % (PTL_LINE / size);
        size_t loads = 0;
        for (size_t k = 0; k < count; k++)
            loads += !list[k].writes && stays(&list[k]) && same_bank(&list[i], &list[k], bank, size);
        if (loads > most) most = loads;
    }
    return most;
}

/* The line of an access, or its part of so many bytes, after so many iterations. */
static uint64_t line_of(const ptl_followed* a, uint64_t iteration, uint64_t size) {
    return (a->address.offset + iteration * (uint64_t)a->step) / size;
}

/* A store of one of the iterations. */
typedef struct stored {
    size_t at;
    uint64_t iteration;
} stored;

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

/* Narrow stores of late, the last one of each line, oldest first. */
typedef struct narrow_stores {
    struct {
        stored store;
        size_t turn;
    } of[NARROW_MAX];
    unsigned count;
} narrow_stores;

/* The stores of a block on their way to the cache. */
typedef struct store_walk {
    const ptl_followed* list;
    size_t count;
    const ptl_cache_limits* limits;
    size_t turns, stalls;
    narrow_stores narrow;
} store_walk;

static bool same_line(const store_walk* w, stored a, stored b) {
    const ptl_followed *one = &w->list[a.at], *other = &w->list[b.at];
    uint64_t size = w->limits->stored_bytes ? w->limits->stored_bytes : PTL_LINE;
    return one->address.unknowns == other->address.unknowns &&
           line_of(one, a.iteration, size) == line_of(other, b.iteration, size);
}

static void add_narrow(store_walk* w, stored s) {
    narrow_stores* n = &w->narrow;
    unsigned k = 0;
    while (k < n->count && !same_line(w, n->of[k].store, s)) k++;
    if (k == n->count && n->count < NARROW_MAX) n->count++;
    if (k == NARROW_MAX) k = 0;
    memmove(n->of + k, n->of + k + 1, (n->count - 1 - k) * sizeof *n->of);
    n->of[n->count - 1].store = s;
    n->of[n->count - 1].turn = w->turns;
}

/* Tells whether a store comes back to the line of a narrow one too early. All of these are written when it
 * does. */
static bool comes_back(store_walk* w, stored s, size_t turn) {
    narrow_stores* n = &w->narrow;
    for (unsigned k = 0; k < n->count; k++) {
        if (turn - n->of[k].turn > w->limits->narrow_lines || !same_line(w, n->of[k].store, s)) continue;
        n->count = 0;
        return true;
    }
    return false;
}

/* Tells whether two in a row do not leave at once, whatever is ahead of them. */
static bool parted(const store_walk* w, stored a, stored b) {
    bool handed = w->limits->handed_alone && (w->list[a.at].handed || w->list[b.at].handed);
    return handed || !same_line(w, a, b);
}

/* Follows so many stores from one that begins a turn. Returns the one behind them. */
static stored follow_stores(store_walk* w, stored s, size_t stores) {
    const ptl_cache_limits* l = w->limits;
    for (size_t n = 0, row = 0; n < stores; n++) {
        stored next = next_store(w->list, w->count, s);
        w->turns += row % (l->stored_at_once ? l->stored_at_once : STORES_AT_ONCE) == 0;
        if (l->narrow_stall > 0 && w->list[s.at].bytes <= l->narrow_bytes) add_narrow(w, s);
        row = parted(w, s, next) ? 0 : row + 1;
        w->stalls += !same_line(w, s, next) && comes_back(w, next, w->turns + 1);
        s = next;
    }
    return s;
}

/* Cycles per iteration in which stores leave: those in a row to one line, some at once. A row of all stores
 * is no limit: 0. */
static double store_cycles(const ptl_followed* list, size_t count, const ptl_cache_limits* limits) {
    size_t stores = 0, n = 0;
    for (size_t i = 0; i < count; i++) stores += list[i].writes;
    if (!stores || !(limits->stored_lines > 0)) return 0;
    store_walk w = {.list = list, .count = count, .limits = limits};
    uint64_t period = period_of(list, count);
    stored s = next_store(list, count, (stored){count - 1, LATER - 1});
    size_t all = stores * period;
    for (; n < all && !parted(&w, s, next_store(list, count, s)); n++) s = next_store(list, count, s);
    if (n == all) return 0;
    s = next_store(list, count, s);
    size_t periods = limits->narrow_stall > 0 ? STALLING_PERIODS : 1;
    if (periods > 1) s = follow_stores(&w, s, all); /* the first narrow stores hold up later ones */
    size_t turns = w.turns, stalls = w.stalls;
    follow_stores(&w, s, all * periods);
    double cycles = (double)(w.turns - turns) / limits->stored_lines;
    return (cycles + (double)(w.stalls - stalls) * limits->narrow_stall) / (double)(period * periods);
}

double ptl_memory_bound(const ptl_followed* list, size_t count, const ptl_cache_limits* limits) {
    uint64_t size = limits->bank_bytes ? limits->bank_bytes : BANK_BYTES;
    double loads = limits->bank_loads > 0 ? (double)most_of_bank(list, count, size) / limits->bank_loads : 0;
    double stores = store_cycles(list, count, limits);
    return loads > stores ? loads : stores;
}

/* Tells whether two are loads whose addresses are known to differ by so many bytes, the same in each
 * iteration. */
static bool move_together(const ptl_followed* a, const ptl_followed* b) {
    bool loads = !a->writes && !b->writes && a->steady && b->steady;
    return loads && !a->relative && a->address.unknowns == b->address.unknowns && a->step == b->step;
}

/* The share of iterations in which a load crosses a line, if its array lies so many bytes behind the
 * beginning of one. */
static double share_crossing(const ptl_followed* f, uint64_t behind) {
    uint64_t step = (uint64_t)f->step % PTL_LINE;
    unsigned period = step ? (unsigned)(PTL_LINE / (step & (0 - step))) : 1, crossing = 0;
    for (unsigned i = 0; i < period; i++)
        crossing += (f->address.offset + behind + i * step) % PTL_LINE + f->bytes > PTL_LINE;
    return (double)crossing / period;
}

static double all_crossing(const ptl_followed* list, size_t count, size_t first, uint64_t behind) {
    double sum = 0;
    for (size_t k = first; k < count; k++)
        if (move_together(&list[first], &list[k])) sum += share_crossing(&list[k], behind);
    return sum;
}

/* Tells whether one ahead of it moves as it does. */
static bool seen_before(const ptl_followed* list, size_t at) {
    for (size_t k = 0; k < at; k++)
        if (move_together(&list[k], &list[at])) return true;
    return false;
}

void ptl_memory_crossings(ptl_followed* list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!move_together(&list[i], &list[i]) || seen_before(list, i)) continue;
        uint64_t best = 0;
        double least = INFINITY;
        for (uint64_t behind = 0; behind < PTL_LINE && least > 0; behind++) {
            double crossing = all_crossing(list, count, i, behind);
            if (!(crossing < least)) continue;
            least = crossing;
            best = behind;
        }
        for (size_t k = i; k < count; k++)
            if (move_together(&list[i], &list[k])) list[k].crossings = share_crossing(&list[k], best);
    }
}
