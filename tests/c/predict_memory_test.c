#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "predict/block_memory.h"

enum { LOADS_MAX = 8, PLACES = 2 };

static bool touches(const ptl_followed* f, unsigned bank) {
    for (uint32_t k = 0; k < f->bytes; k++)
        if ((f->address.offset + k) / PTL_BANK % (PTL_LINE / PTL_BANK) == bank) return true;
    return false;
}

static size_t loads_of_a_bank(const ptl_followed* list, size_t n) {
    size_t most = 0;
    for (unsigned place = 0; place < PLACES; place++)
        for (unsigned bank = 0; bank < PTL_LINE / PTL_BANK; bank++) {
            size_t loads = 0;
            for (size_t i = 0; i < n; i++)
                loads += !list[i].writes && list[i].stays && list[i].address.unknowns == place &&
                         touches(&list[i], bank);
            if (loads > most) most = loads;
        }
    return most;
}

static bool one_line(const ptl_followed* a, const ptl_followed* b) {
    return a->address.unknowns == b->address.unknowns &&
           a->address.offset / PTL_LINE == b->address.offset / PTL_LINE;
}

/* Turns of many iterations in a row, which take two stores each if the second is to the line of the first. */
static double turns_of_stores(const ptl_followed* list, size_t n) {
    enum { ITERATIONS = 400 };
    const ptl_followed* stores[LOADS_MAX];
    size_t count = 0, turns = 0;
    bool all = true;
    for (size_t i = 0; i < n; i++)
        if (list[i].writes) stores[count++] = &list[i];
    for (size_t i = 1; i < count; i++) all = all && one_line(stores[0], stores[i]);
    if (all) return 0;
    for (size_t i = 0; i < count * ITERATIONS; turns++)
        i += one_line(stores[i % count], stores[(i + 1) % count]) ? 2 : 1;
    return (double)turns / ITERATIONS;
}

static void test_random_accesses(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(3);
    static const uint32_t sizes[] = {1, 2, 4, 8, 16, 32, 64};
    for (unsigned k = 0; k < 20000; k++) {
        ptl_followed list[LOADS_MAX];
        size_t n = ptl_rng_below(&rng, LOADS_MAX + 1);
        for (size_t i = 0; i < n; i++)
            list[i] = (ptl_followed){
                .address = {ptl_rng_below(&rng, PLACES), ptl_rng_below(&rng, 2 * PTL_LINE)},
                .bytes = sizes[ptl_rng_below(&rng, 7)],
                .writes = ptl_rng_below(&rng, 2),
                .stays = ptl_rng_below(&rng, 4) > 0,
            };
        assert_float_equal(ptl_memory_bound(list, n, 2, 0), (double)loads_of_a_bank(list, n) / 2, 1e-9);
        assert_float_equal(ptl_memory_bound(list, n, 0, 1), turns_of_stores(list, n), 0.01);
        assert_true(ptl_memory_bound(list, n, 0, 0) == 0);
        assert_true(ptl_memory_bound(list, n, 2, 1) ==
                    fmax(ptl_memory_bound(list, n, 2, 0), ptl_memory_bound(list, n, 0, 1)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_accesses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
