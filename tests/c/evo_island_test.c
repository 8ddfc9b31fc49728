/* The local search over all port sets, recreation, alignment, islands. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/pool.h"
#include "evo/cross.h"
#include "evo/ruin.h"
#include "evo/step.h"
#include "random_evo.h"

static double value(const ptl_evo_state* s, const ptl_evo_goal* goal) {
    return ptl_evo_state_error(s) + ptl_evo_goal_costs(goal, s->usages, s->p->schemes);
}

static void responding_never_worsens(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        random_evo f;
        random_evo_new(&f, 3 + seed % 4, 7, 50, seed);
        ptl_evo_state s;
        ptl_evo_respond q;
        ptl_evo_goal goal = {seed % 2 ? 0.001 : 0, 4, NULL, 0, seed % 3 ? 0.002 : 0};
        ptl_rng r = ptl_rng_seed(seed);
        assert_int_equal(ptl_evo_state_new(&s, &f.p, NULL, NULL), PTL_OK);
        assert_int_equal(ptl_evo_respond_new(&q, &s, NULL), PTL_OK);
        ptl_evo_state_load(&s, f.usages);
        for (size_t step = 0; step < 14; step++) {
            double before = value(&s, &goal);
            bool changed = ptl_evo_respond_run(&q, step % 7, &goal, step % 4, &r);
            assert_true(changed ? value(&s, &goal) < before : value(&s, &goal) == before);
            assert_true(ptl_evo_usage_legal(&s.usages[step % 7], &f.p));
        }
        ptl_evo_respond_free(&q);
        ptl_evo_state_free(&s);
        random_evo_free(&f);
    }
}

/* With all others right, no single uop is better than what the search finds: all of them are tried here. */
static void responding_finds_the_best_single_uop(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        random_evo f;
        random_evo_new(&f, 4, 6, 60, 40 + seed);
        ptl_evo_state s;
        ptl_evo_respond q;
        ptl_evo_goal goal = {0.0005, 3, NULL, 0, 0};
        ptl_rng r = ptl_rng_seed(seed);
        assert_int_equal(ptl_evo_state_new(&s, &f.p, NULL, NULL), PTL_OK);
        assert_int_equal(ptl_evo_respond_new(&q, &s, NULL), PTL_OK);
        ptl_evo_state_load(&s, f.truth);
        double best = INFINITY;
        for (uint32_t ports = 1; ports < 16; ports++)
            for (uint32_t n = 1; n <= 3 && n <= ptl_evo_most(&f.p, 0, (unsigned)__builtin_popcount(ports));
                 n++) {
                ptl_evo_usage u = {0};
                ptl_evo_usage_add(&u, ports, n);
                ptl_evo_state_set(&s, 0, &u);
                if (value(&s, &goal) < best) best = value(&s, &goal);
            }
        ptl_evo_state_remove(&s, 0);
        assert_true(ptl_evo_respond_run(&q, 0, &goal, 2, &r));
        assert_true(value(&s, &goal) <= best + 1e-6);
        ptl_evo_respond_free(&q);
        ptl_evo_state_free(&s);
        random_evo_free(&f);
    }
}

static const ptl_evo_ways ways = {
    .size = 3, .crossing = 0.3, .beam = 2, .seed = 5, .goal = {1e-4, 4, NULL, 0, 0}};

static void islands_recover_toys(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        random_evo f;
        random_evo_new(&f, 5, 7, 120, 60 + seed);
        ptl_evo_island o;
        assert_int_equal(ptl_evo_island_new(&o, &f.p, &ways, 0, NULL, NULL, NULL), PTL_OK);
        double last = INFINITY;
        for (int step = 0; step < 60; step++) {
            ptl_evo_island_step(&o);
            double best = o.value[ptl_evo_island_best(&o)];
            assert_true(best <= last);
            last = best;
        }
        assert_true(o.error[ptl_evo_island_best(&o)] < 1e-4);
        ptl_evo_island_free(&o);
        random_evo_free(&f);
    }
}

static void an_island_goes_on_as_it_would_have(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 5, 8, 80, 77);
    ptl_evo_island whole, half;
    assert_int_equal(ptl_evo_island_new(&whole, &f.p, &ways, 2, NULL, NULL, NULL), PTL_OK);
    assert_int_equal(ptl_evo_island_new(&half, &f.p, &ways, 2, NULL, NULL, NULL), PTL_OK);
    for (int step = 0; step < 9; step++) ptl_evo_island_step(&whole);
    for (size_t k = 0; k < whole.filled; k++) ptl_evo_island_place(&half, ptl_evo_island_at(&whole, k));
    half.steps = whole.steps;
    for (int step = 0; step < 9; step++) {
        ptl_evo_island_step(&whole);
        ptl_evo_island_step(&half);
    }
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(ptl_evo_compare(ptl_evo_island_at(&whole, k), ptl_evo_island_at(&half, k), 8), 0);
        assert_true(whole.value[k] == half.value[k]);
    }
    ptl_evo_island_free(&whole);
    ptl_evo_island_free(&half);
    random_evo_free(&f);
}

static void run_one(void* context, size_t index) {
    ptl_evo_island* list = context;
    for (int step = 0; step < 10; step++) ptl_evo_island_step(&list[index]);
}

/* Islands share the problem and nothing else. */
static void islands_run_on_any_threads(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 5, 8, 80, 19);
    ptl_evo_island alone[4], together[4];
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(ptl_evo_island_new(&alone[i], &f.p, &ways, i, NULL, NULL, NULL), PTL_OK);
        assert_int_equal(ptl_evo_island_new(&together[i], &f.p, &ways, i, NULL, NULL, NULL), PTL_OK);
        run_one(alone, i);
    }
    ptl_pool* pool;
    assert_int_equal(ptl_pool_new(&pool, 3, NULL), PTL_OK);
    ptl_pool_run(pool, 4, run_one, together);
    ptl_pool_free(pool);
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(
                ptl_evo_compare(ptl_evo_island_at(&alone[i], k), ptl_evo_island_at(&together[i], k), 8), 0);
        ptl_evo_island_free(&alone[i]);
        ptl_evo_island_free(&together[i]);
    }
    random_evo_free(&f);
}

/* Steps that the time cuts short are done again as they would have been. */
static void a_step_that_was_given_up_is_the_same_later(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 5, 8, 80, 23);
    ptl_evo_island calm, hurried;
    assert_int_equal(ptl_evo_island_new(&calm, &f.p, &ways, 1, NULL, NULL, NULL), PTL_OK);
    assert_int_equal(ptl_evo_island_new(&hurried, &f.p, &ways, 1, NULL, NULL, NULL), PTL_OK);
    ptl_evo_island_step(&calm);
    ptl_evo_island_step(&hurried);
    for (int step = 0; step < 8; step++) {
        hurried.deadline = ptl_now() - 1;
        assert_false(ptl_evo_island_step(&hurried));
        hurried.deadline = ptl_now() + 20e-6 * step; /* ends anywhere */
        if (!ptl_evo_island_step(&hurried)) {
            hurried.deadline = 0;
            assert_true(ptl_evo_island_step(&hurried));
        }
        ptl_evo_island_step(&calm);
    }
    for (size_t k = 0; k < 3; k++)
        assert_int_equal(ptl_evo_compare(ptl_evo_island_at(&calm, k), ptl_evo_island_at(&hurried, k), 8), 0);
    ptl_evo_island_free(&calm);
    ptl_evo_island_free(&hurried);
    random_evo_free(&f);
}

static void what_is_given_stays_and_visitors_are_welcome(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 5, 6, 60, 31);
    ptl_evo_usage given[6] = {{0}};
    given[1] = f.usages[1];
    given[4] = f.truth[4];
    ptl_evo_island o;
    assert_int_equal(ptl_evo_island_new(&o, &f.p, &ways, 0, given, NULL, NULL), PTL_OK);
    for (int step = 0; step < 12; step++) ptl_evo_island_step(&o);
    for (size_t k = 0; k < o.filled; k++) {
        assert_true(ptl_evo_usage_equal(&ptl_evo_island_at(&o, k)[1], &given[1]));
        assert_true(ptl_evo_usage_equal(&ptl_evo_island_at(&o, k)[4], &given[4]));
    }
    ptl_evo_island_admit(&o, f.truth); /* it explains everything */
    assert_int_equal(ptl_evo_compare(ptl_evo_island_at(&o, ptl_evo_island_best(&o)), f.truth, 6), 0);
    size_t there = 0;
    ptl_evo_island_admit(&o, f.truth); /* and is there once */
    for (size_t k = 0; k < o.filled; k++) there += !ptl_evo_compare(ptl_evo_island_at(&o, k), f.truth, 6);
    assert_int_equal(there, 1);
    ptl_evo_island_free(&o);
    random_evo_free(&f);
}

static void renamed_ports_are_recognised(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 6, 12, 40, 8);
    const uint8_t names[] = {3, 0, 5, 1, 2, 4};
    ptl_evo_usage other[12];
    for (size_t i = 0; i < 12; i++) other[i] = ptl_evo_rename(&f.truth[i], names);
    uint8_t to[PTL_EVO_PORTS_MAX];
    ptl_evo_align(f.truth, other, 12, 6, to);
    unsigned seen = 0, same = 0;
    for (unsigned k = 0; k < 6; k++) seen |= 1U << to[k];
    assert_int_equal(seen, 63); /* a permutation */
    for (size_t i = 0; i < 12; i++) {
        ptl_evo_usage back = ptl_evo_rename(&other[i], to);
        same += ptl_evo_usage_equal(&back, &f.truth[i]) != 0;
    }
    assert_int_equal(same, 12);
    random_evo_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responding_never_worsens),
        cmocka_unit_test(responding_finds_the_best_single_uop),
        cmocka_unit_test(islands_recover_toys),
        cmocka_unit_test(an_island_goes_on_as_it_would_have),
        cmocka_unit_test(islands_run_on_any_threads),
        cmocka_unit_test(a_step_that_was_given_up_is_the_same_later),
        cmocka_unit_test(what_is_given_stays_and_visitors_are_welcome),
        cmocka_unit_test(renamed_ports_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
