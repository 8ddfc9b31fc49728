/* Plans cut into stretches: every visit is run once, and foreign code shares a process with nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "bench/stretch.h"

enum { KERNELS = 40, OWNERS = 15, VISITS = 600 };

static void check_plan(ptl_rng* rng, unsigned percent) {
    bool done[OWNERS + 1];
    uint32_t owner[KERNELS], plan[VISITS], to[VISITS], wanted[KERNELS] = {0}, got[KERNELS] = {0};
    ptl_stretch stretches[2 * OWNERS + 1];
    bool seen[OWNERS + 1] = {false};
    size_t n = ptl_rng_below(rng, VISITS + 1), at = 0;
    for (size_t k = 0; k < KERNELS; k++)
        owner[k] = ptl_rng_below(rng, 100) < percent ? 1 + (uint32_t)ptl_rng_below(rng, OWNERS) : 0;
    for (size_t i = 0; i < n; i++) wanted[plan[i] = (uint32_t)ptl_rng_below(rng, KERNELS)]++;
    size_t count = ptl_stretches(plan, n, owner, OWNERS, done, to, stretches);
    assert_true(count <= 2 * OWNERS + 1);
    for (size_t s = 0; s < count; s++) {
        uint32_t o = owner[to[at]];
        assert_int_equal(stretches[s].first, at);
        assert_true(stretches[s].count > 0);
        assert_true(o == 0 || !seen[o]);
        seen[o] = true;
        for (size_t i = at; i < at + stretches[s].count; i++) {
            got[to[i]]++;
            assert_int_equal(owner[to[i]], o);
        }
        at += stretches[s].count;
    }
    assert_int_equal(at, n);
    assert_memory_equal(wanted, got, sizeof wanted);
}

static void every_visit_is_run_once(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(1);
    for (int i = 0; i < 2000; i++) check_plan(&rng, (unsigned)(i % 5) * 25);
}

static void others_keep_their_order_around_foreign_code(void** state) {
    (void)state;
    enum { OTHERS = 80 };
    const uint32_t owner[6] = {0, 0, 1, 2, 2, 1};
    uint32_t plan[OTHERS + 8], to[OTHERS + 8];
    bool done[3];
    ptl_stretch s[5];
    size_t n = 0;
    for (; n < OTHERS; n++) plan[n] = n % 3 == 0;
    for (int i = 0; i < 8; i++) plan[n++] = 2 + (uint32_t)i % 4;
    size_t count = ptl_stretches(plan, n, owner, 2, done, to, s);
    assert_int_equal(count, 5);
    size_t next = 0;
    for (size_t i = 0; i < n; i++)
        if (!owner[to[i]]) assert_int_equal(to[i], plan[next++]);
    assert_true(s[0].count > 20 && s[2].count > 20 && s[4].count > 20);
    assert_true(s[1].count == 4 && s[3].count == 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_visit_is_run_once),
        cmocka_unit_test(others_keep_their_order_around_foreign_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
