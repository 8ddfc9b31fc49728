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
                loads += !list[i].writes && list[i].stays && list[i].address.unknowns == place &&
                         touches(&list[i], bank, size);
            if (loads > most) most = loads;
        }
    return most;
}

/* Turns of many iterations in a row, which take two stores each if the second is to the line of the first:
 * the lines of all stores one by one. */
static double turns_of_stores(const ptl_followed* list, size_t n) {
    static struct { uint64_t place, line; } stores[LOADS_MAX * ITERATIONS * RUNS];
    size_t count = 0, turns = 0;
    for (size_t k = 0; k < ITERATIONS * RUNS; k++)
        for (size_t i = 0; i < n; i++) {
            if (!list[i].writes) continue;
            stores[count].place = list[i].address.unknowns;
            stores[count++].line = (list[i].address.offset + (LATER + k) * (uint64_t)list[i].step) / PTL_LINE;
        }
    bool all = true;
    for (size_t i = 1; i < count; i++)
        all = all && stores[i].place == stores[0].place && stores[i].line == stores[0].line;
    if (all) return 0;
    for (size_t i = 0; i < count; turns++) {
        bool next =
            i + 1 < count && stores[i].place == stores[i + 1].place && stores[i].line == stores[i + 1].line;
        i += next ? 2 : 1;
    }
    return (double)turns / (ITERATIONS * RUNS);
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
                .stays = ptl_rng_below(&rng, 4) > 0,
                .step = k % 2 ? (int64_t)ptl_rng_below(&rng, 5) * 8 - 16 : 0,
            };
        unsigned size = k % 3 ? 4 : 8;
        ptl_cache_limits none = {0}, banks = {.bank_loads = 2, .bank_bytes = size},
                         lines = {.stored_lines = 1};
        ptl_cache_limits both = {.bank_loads = 2, .bank_bytes = size, .stored_lines = 1};
        assert_float_equal(ptl_memory_bound(list, n, &banks), (double)loads_of_a_bank(list, n, size) / 2,
                           1e-9);
        assert_float_equal(ptl_memory_bound(list, n, &lines), turns_of_stores(list, n), 0.02);
        assert_true(ptl_memory_bound(list, n, &none) == 0);
        assert_true(ptl_memory_bound(list, n, &both) ==
                    fmax(ptl_memory_bound(list, n, &banks), ptl_memory_bound(list, n, &lines)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_accesses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
