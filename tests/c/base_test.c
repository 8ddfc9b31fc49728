#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bitset.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/rng.h"

static void an_error_is_one_line(void** state) {
    (void)state;
    ptl_error e;
    assert_int_equal(ptl_fail(&e, PTL_BAD_INPUT, "x.json:3", "write a number", "field 'a'\nis %d", 7),
                     PTL_BAD_INPUT);
    char line[600];
    assert_string_equal(ptl_error_line(&e, line, sizeof line), "field 'a' is 7 (x.json:3); write a number");
    assert_int_equal(ptl_fail(NULL, PTL_LIMIT, NULL, NULL, "x"), PTL_LIMIT);
    ptl_fail(&e, PTL_LIMIT, NULL, NULL, "%s", "out of time");
    assert_string_equal(ptl_error_line(&e, line, sizeof line), "out of time");
    assert_string_equal(ptl_error_line(&e, line, 4), "out");
}

static void an_arena_gives_zeroed_aligned_distinct_memory(void** state) {
    (void)state;
    ptl_arena a = PTL_ARENA_EMPTY;
    unsigned char* last = NULL;
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char* p = ptl_arena_alloc(&a, size);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 16, 0);
        assert_ptr_not_equal(p, last);
        for (size_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
        last = p;
    }
    assert_null(ptl_arena_array(&a, SIZE_MAX / 2, 16));
    assert_null(ptl_arena_alloc(&a, SIZE_MAX - 5));
    assert_string_equal(ptl_arena_string(&a, "port"), "port");
    ptl_arena_release(&a);
    assert_null(a.blocks);
}

static void random_numbers_repeat_and_split_independently(void** state) {
    (void)state;
    ptl_rng a = ptl_rng_seed(7), b = ptl_rng_seed(7);
    for (int i = 0; i < 100; i++) assert_true(ptl_rng_u64(&a) == ptl_rng_u64(&b));
    ptl_rng fresh = ptl_rng_seed(7), s1 = ptl_rng_split(&a, 1), s2 = ptl_rng_split(&fresh, 1),
            s3 = ptl_rng_split(&a, 2);
    uint64_t x = ptl_rng_u64(&s1);
    assert_true(x == ptl_rng_u64(&s2)); /* however much was drawn from the parent */
    assert_true(x != ptl_rng_u64(&s3));
    int seen[6] = {0};
    double sum = 0, squares = 0;
    for (int i = 0; i < 60000; i++) {
        seen[ptl_rng_below(&a, 6)]++;
        double n = ptl_rng_normal(&a);
        sum += n;
        squares += n * n;
    }
    for (int i = 0; i < 6; i++) assert_in_range(seen[i], 9500, 10500);
    assert_true(sum / 60000 < 0.03 && sum / 60000 > -0.03);
    assert_true(squares / 60000 > 0.95 && squares / 60000 < 1.05);
    size_t order[50];
    for (size_t i = 0; i < 50; i++) order[i] = i;
    ptl_rng_shuffle(&a, order, 50);
    size_t total = 0, moved = 0;
    for (size_t i = 0; i < 50; i++) total += order[i], moved += order[i] != i;
    assert_int_equal(total, 49 * 50 / 2);
    assert_true(moved > 25);
}

static void bit_sets_are_sets(void** state) {
    (void)state;
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_bitset a = ptl_bitset_new(&arena, 130), b = ptl_bitset_new(&arena, 130);
    ptl_bitset_add(&a, 0);
    ptl_bitset_add(&a, 64);
    ptl_bitset_add(&a, 129);
    assert_int_equal(ptl_bitset_count(&a), 3);
    assert_int_equal(ptl_bitset_next(&a, 1), 64);
    assert_int_equal(ptl_bitset_next(&a, 65), 129);
    assert_int_equal(ptl_bitset_next(&b, 0), 130);
    ptl_bitset_fill(&b);
    assert_int_equal(ptl_bitset_count(&b), 130);
    assert_true(ptl_bitset_subset(&a, &b));
    assert_false(ptl_bitset_subset(&b, &a));
    ptl_bitset c = ptl_bitset_new(&arena, 130);
    ptl_bitset_add(&c, 129);
    assert_false(ptl_bitset_subset(&a, &c));
    ptl_bitset_and(&b, &c);
    assert_int_equal(ptl_bitset_count(&b), 1);
    ptl_bitset_or(&b, &a);
    assert_true(ptl_bitset_subset(&a, &b));
    assert_true(ptl_bitset_subset(&b, &a));
    ptl_arena_release(&arena);
}

static void square(void* context, size_t i) {
    uint64_t* out = context;
    out[i] += i * i;
}

static void a_pool_runs_every_task_once(void** state) {
    (void)state;
    for (unsigned threads = 0; threads < 5; threads++) {
        ptl_pool* p;
        assert_int_equal(ptl_pool_new(&p, threads, NULL), PTL_OK);
        if (threads) assert_int_equal(ptl_pool_threads(p), threads);
        for (size_t round = 0; round < 50; round++) {
            uint64_t out[100] = {0};
            ptl_pool_run(p, round * 2, square, out);
            for (size_t i = 0; i < 100; i++) assert_true(out[i] == (i < round * 2 ? i * i : 0));
        }
        ptl_pool_free(p);
    }
}

static void the_interrupt_flag_is_set_and_cleared(void** state) {
    (void)state;
    assert_false(ptl_interrupted());
    ptl_interrupt_set(true);
    assert_true(ptl_interrupted());
    ptl_interrupt_set(false);
    assert_false(ptl_interrupted());
    double t = ptl_now();
    assert_true(ptl_now() >= t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_is_one_line),
        cmocka_unit_test(an_arena_gives_zeroed_aligned_distinct_memory),
        cmocka_unit_test(random_numbers_repeat_and_split_independently),
        cmocka_unit_test(bit_sets_are_sets),
        cmocka_unit_test(a_pool_runs_every_task_once),
        cmocka_unit_test(the_interrupt_flag_is_set_and_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
