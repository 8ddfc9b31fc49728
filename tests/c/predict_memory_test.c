#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "predict/block_memory.h"

enum { LOADS_MAX = 8, PLACES = 2, ITERATIONS = 64, RUNS = 7, LATER = 1 << 20 };

static bool touches(const ptl_followed* f, unsigned bank, unsigned size) {
    for (uint32_t k = 0; k < f->bytes; k++)
        if ((f->address.offset + k) / size % (PTL_LINE / size) == bank) return true;
    return false;
}

static size_t loads_of_a_bank(const ptl_followed* list, size_t n, unsigned size) {
    size_t most = 0;
    for (unsigned place = 0; place < PLACES; place++)
        for (unsigned bank = 0; bank < PTL_LINE / size; bank++) {
            size_t loads = 0;
            for (size_t i = 0; i < n; i++)
                loads += !list[i].writes && list[i].steady && list[i].step % PTL_LINE == 0 &&
                         list[i].address.unknowns == place && touches(&list[i], bank, size);
            if (loads > most) most = loads;
        }
    return most;
}

/* A store on its way to the cache. */
typedef struct on_its_way {
    uint64_t place, line;
    bool narrow, handed;
    size_t turn; /* in which it leaves */
} on_its_way;

/* All stores of many iterations in a row, one by one. */
static size_t stores_of(const ptl_followed* list, size_t n, const ptl_cache_limits* l, on_its_way* stores) {
    uint64_t size = l->stored_bytes ? l->stored_bytes : PTL_LINE;
    size_t count = 0;
    for (size_t k = 0; k < ITERATIONS * RUNS; k++)
        for (size_t i = 0; i < n; i++)
            if (list[i].writes)
                stores[count++] = (on_its_way){
                    .place = list[i].address.unknowns,
                    .line = (list[i].address.offset + (LATER + k) * (uint64_t)list[i].step) / size,
                    .narrow = list[i].bytes <= l->narrow_bytes,
                    .handed = l->handed_alone && list[i].handed,
                };
    return count;
}

static bool same_line(const on_its_way* a, const on_its_way* b) {
    return a->place == b->place && a->line == b->line;
}

/* How often a store comes back too early to the line of a narrow one that was not yet written. */
static size_t stalls_of(const on_its_way* stores, size_t count, const ptl_cache_limits* l) {
    size_t stalls = 0, written = 0;
    for (size_t i = 1; i < count; i++) {
        bool stall = false;
        for (size_t k = written; k < i && !same_line(&stores[i - 1], &stores[i]); k++)
            stall = stall || (stores[k].narrow && same_line(&stores[k], &stores[i]) &&
                              stores[i].turn - stores[k].turn <= l->narrow_lines);
        if (stall) written = i;
        stalls += stall;
    }
    return stalls;
}

/* Cycles of many iterations, of which a turn takes some stores in a row to one line. */
static double cycles_of_stores(const ptl_followed* list, size_t n, const ptl_cache_limits* l) {
    static on_its_way stores[LOADS_MAX * ITERATIONS * RUNS];
    size_t count = stores_of(list, n, l, stores), turns = 0;
    bool all = true;
    for (size_t i = 1; i < count; i++)
        all = all && same_line(&stores[i], &stores[0]) && !stores[i].handed && !stores[i - 1].handed;
    if (all && !(count && stores[0].handed)) return 0;
    size_t at_once = l->stored_at_once ? l->stored_at_once : 2;
    for (size_t i = 0, row; i < count; i += row, turns++) {
        stores[i].turn = turns;
        for (row = 1; row < at_once && i + row < count; row++) {
            const on_its_way *a = &stores[i + row - 1], *b = &stores[i + row];
            if (!same_line(a, b) || a->handed || b->handed) break;
            stores[i + row].turn = turns;
        }
    }
    double stall = l->narrow_stall > 0 ? l->narrow_stall * (double)stalls_of(stores, count, l) : 0;
    return ((double)turns / l->stored_lines + stall) / (ITERATIONS * RUNS);
}

static void test_random_accesses(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(3);
    static const uint32_t sizes[] = {1, 2, 4, 8, 16, 32, 64};
    for (unsigned k = 0; k < 5000; k++) {
        ptl_followed list[LOADS_MAX];
        size_t n = ptl_rng_below(&rng, LOADS_MAX + 1);
        for (size_t i = 0; i < n; i++)
            list[i] = (ptl_followed){
                .address = {ptl_rng_below(&rng, PLACES), ptl_rng_below(&rng, 2 * PTL_LINE)},
                .bytes = sizes[ptl_rng_below(&rng, 7)],
                .writes = ptl_rng_below(&rng, 2),
                .handed = ptl_rng_below(&rng, 4) == 0,
                .steady = ptl_rng_below(&rng, 4) > 0,
                .step = k % 2
                            ? ((int64_t)ptl_rng_below(&rng, 5) - 2) * (ptl_rng_below(&rng, 2) ? 8 : PTL_LINE)
                            : 0,
            };
        unsigned size = k % 3 ? 4 : 8;
        ptl_cache_limits none = {0}, banks = {.bank_loads = 2, .bank_bytes = size},
                         lines = {.stored_lines = 1};
        ptl_cache_limits both = {.bank_loads = 2, .bank_bytes = size, .stored_lines = 1};
        assert_float_equal(ptl_memory_bound(list, n, &banks), (double)loads_of_a_bank(list, n, size) / 2,
                           1e-9);
        assert_float_equal(ptl_memory_bound(list, n, &lines), cycles_of_stores(list, n, &lines), 0.02);
        lines.handed_alone = k % 5 < 2;
        lines.stored_at_once = k % 11 < 4 ? 4 : 0;
        lines.stored_bytes = k % 7 < 3 ? 32 : 0;
        assert_float_equal(ptl_memory_bound(list, n, &lines), cycles_of_stores(list, n, &lines), 0.02);
        lines.narrow_stall = 3, lines.narrow_lines = 4, lines.narrow_bytes = 2;
        assert_float_equal(ptl_memory_bound(list, n, &lines), cycles_of_stores(list, n, &lines), 0.05);
        lines = (ptl_cache_limits){.stored_lines = 1};
        assert_true(ptl_memory_bound(list, n, &none) == 0);
        assert_true(ptl_memory_bound(list, n, &both) ==
                    fmax(ptl_memory_bound(list, n, &banks), ptl_memory_bound(list, n, &lines)));
    }
}

/* Lines that loads of one array and pace cross in many iterations, where it lies best, byte by byte. */
static double fewest_crossings(const ptl_followed* list, size_t n, uint64_t place, int64_t step) {
    size_t least = SIZE_MAX;
    for (uint64_t at = 0; at < PTL_LINE; at++) {
        size_t crossed = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < ITERATIONS; k++) {
                bool counts = !list[i].writes && list[i].steady && list[i].address.unknowns == place &&
                              list[i].step == step;
                uint64_t first = list[i].address.offset + at + (LATER + k) * (uint64_t)list[i].step;
                for (uint32_t b = 1; counts && b < list[i].bytes; b++) crossed += (first + b) % PTL_LINE == 0;
            }
        if (crossed < least) least = crossed;
    }
    return (double)least / ITERATIONS;
}

static void test_crossings(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(5);
    static const uint32_t sizes[] = {1, 8, 16, 32, 64};
    static const int64_t steps[] = {0, 8, 16, 24, 32, 64, -64, -12};
    for (unsigned k = 0; k < 300; k++) {
        ptl_followed list[LOADS_MAX];
        size_t n = 1 + ptl_rng_below(&rng, LOADS_MAX);
        for (size_t i = 0; i < n; i++)
            list[i] = (ptl_followed){
                .address = {ptl_rng_below(&rng, PLACES), 4 * ptl_rng_below(&rng, 40)},
                .bytes = sizes[ptl_rng_below(&rng, 5)],
                .writes = ptl_rng_below(&rng, 5) == 0,
                .steady = ptl_rng_below(&rng, 5) > 0,
                .step = steps[ptl_rng_below(&rng, 2) + k % 7],
            };
        ptl_memory_crossings(list, n);
        for (uint64_t place = 0; place < PLACES; place++)
            for (unsigned s = 0; s < sizeof steps / sizeof *steps; s++) {
                double sum = 0;
                for (size_t i = 0; i < n; i++)
                    if (list[i].address.unknowns == place && list[i].step == steps[s])
                        sum += list[i].crossings;
                assert_float_equal(sum, fewest_crossings(list, n, place, steps[s]), 1e-9);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_accesses),
                                       cmocka_unit_test(test_crossings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
