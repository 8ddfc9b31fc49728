/* Recombination, the plain evolution, its local search and its fitness. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "evo/polish.h"
#include "evo/population.h"
#include "evo/text.h"
#include "random_evo.h"

static uint32_t count_of(const ptl_evo_usage* u, uint32_t ports) {
    for (uint32_t k = 0; k < u->size; k++)
        if (u->uops[k].ports == ports) return u->uops[k].count;
    return 0;
}

static void recombination_keeps_uops(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 7, 4, 20, 5);
    ptl_rng r = ptl_rng_seed(8);
    for (int step = 0; step < 3000; step++) {
        ptl_evo_usage a, b, x, y;
        ptl_evo_usage_random(&f.p, step % 4, &r, &a);
        ptl_evo_usage_random(&f.p, step % 4, &r, &b);
        for (int again = 0; again < 4; again++) { /* children of children have many uops */
            ptl_evo_recombine(&a, &b, &r, &x, &y);
            assert_true(ptl_evo_usage_legal(&x, &f.p) && ptl_evo_usage_legal(&y, &f.p));
            for (uint32_t ports = 1; ports < 128; ports++)
                assert_int_equal(count_of(&x, ports) + count_of(&y, ports),
                                 count_of(&a, ports) + count_of(&b, ports));
            a = x;
            if (again % 2) ptl_evo_usage_random(&f.p, step % 4, &r, &b);
        }
    }
    random_evo_free(&f);
}

static void random_uops_are_not_slower_than_the_scheme(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 5, 6, 20, 11);
    ptl_rng r = ptl_rng_seed(2);
    for (int step = 0; step < 2000; step++) {
        ptl_evo_usage u;
        ptl_evo_usage_random(&f.p, step % 6, &r, &u);
        assert_true(ptl_evo_usage_legal(&u, &f.p) && u.size <= 5);
        for (uint32_t k = 0; k < u.size; k++) {
            double bound = ceil(f.p.alone[step % 6] * __builtin_popcount(u.uops[k].ports) - 1e-6);
            assert_true(u.uops[k].count <= (bound < 1 ? 1 : bound));
        }
    }
    random_evo_free(&f);
}

static void polishing_never_worsens(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        random_evo f;
        random_evo_new(&f, 6, 7, 50, seed);
        ptl_evo_state s;
        assert_int_equal(ptl_evo_state_new(&s, &f.p, NULL, NULL), PTL_OK);
        ptl_evo_scale scale = {.error = 500, .volume = seed % 3};
        double before = ptl_evo_fitness(&scale, ptl_evo_state_evaluate(&s, f.usages),
                                        (double)ptl_evo_volume(f.usages, 7));
        ptl_evo_polish(&s, &scale);
        double after = ptl_evo_fitness(&scale, ptl_evo_state_error(&s), (double)ptl_evo_volume(s.usages, 7));
        assert_true(after <= before + 1e-9);
        for (size_t i = 0; i < 7; i++) assert_true(ptl_evo_usage_legal(&s.usages[i], &f.p));
        ptl_evo_state_free(&s);
        random_evo_free(&f);
    }
}

/* The population's text after some generations, with so many threads. */
static char* evolved(const ptl_evo_problem* p, unsigned threads, unsigned generations, bool polish) {
    ptl_pool* pool;
    ptl_evo_population o;
    assert_int_equal(ptl_pool_new(&pool, threads, NULL), PTL_OK);
    assert_int_equal(ptl_evo_population_new(&o, p, 50, 9, pool, NULL), PTL_OK);
    double worst = INFINITY;
    for (unsigned g = 0; g < generations; g++) {
        ptl_evo_population_step(&o, pool);
        for (size_t k = 1; k < o.size; k++) assert_true(o.fitness[o.order[k - 1]] <= o.fitness[o.order[k]]);
        worst = o.fitness[o.order[o.size - 1]];
        assert_true(worst <= 2 * PTL_EVO_SCALE_MAX && o.fitness[o.order[0]] >= 0);
    }
    if (polish) ptl_evo_population_polish(&o, pool);
    size_t bytes = 0;
    for (size_t k = 0; k < o.size; k++) bytes += ptl_evo_text_size(ptl_evo_population_at(&o, k), p->schemes);
    char *text = test_malloc(bytes + 1), *at = text;
    for (size_t k = 0; k < o.size; k++)
        at += ptl_evo_text_write(ptl_evo_population_at(&o, k), p->schemes, at);
    ptl_evo_population_free(&o);
    ptl_pool_free(pool);
    return text;
}

static void threads_do_not_matter(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 6, 8, 60, 4);
    char *one = evolved(&f.p, 1, 12, true), *two = evolved(&f.p, 2, 12, true),
         *five = evolved(&f.p, 5, 12, true);
    assert_string_equal(one, two);
    assert_string_equal(one, five);
    test_free(one);
    test_free(two);
    test_free(five);
    random_evo_free(&f);
}

static double mean_error(const ptl_evo_population* o) {
    double sum = 0;
    for (size_t k = 0; k < o->size; k++) sum += o->error[o->order[k]];
    return sum / (double)o->size;
}

static void evolution_lowers_the_error(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 4, 5, 40, 6);
    ptl_pool* pool;
    ptl_evo_population o;
    assert_int_equal(ptl_pool_new(&pool, 1, NULL), PTL_OK);
    assert_int_equal(ptl_evo_population_new(&o, &f.p, 101, 1, pool, NULL), PTL_OK);
    assert_int_equal(o.size, 102);
    double before = mean_error(&o);
    for (int g = 0; g < 200 && !ptl_evo_population_converged(&o); g++) ptl_evo_population_step(&o, pool);
    assert_true(mean_error(&o) < before);
    ptl_evo_population_free(&o);
    ptl_pool_free(pool);
    random_evo_free(&f);
}

static void texts_are_read_back(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 9, 6, 20, 21);
    char text[2048];
    ptl_evo_usage again[6];
    assert_true(ptl_evo_text_size(f.usages, 6) <= sizeof text);
    size_t length = ptl_evo_text_write(f.usages, 6, text);
    assert_int_equal(length, strlen(text));
    assert_int_equal(ptl_evo_text_read(&f.p, text, true, again, NULL), PTL_OK);
    assert_int_equal(ptl_evo_compare(f.usages, again, 6), 0);
    static const char* const wrong[] = {"",
                                        "1*1;1*1;1*1;1*1;1*1",
                                        "1*1;1*1;1*1;1*1;1*1;1*1;1*1",
                                        "0*1;1*1;1*1;1*1;1*1;1*1",
                                        ";",
                                        "512*1;1*1;1*1;1*1;1*1;1*1",
                                        "1*0;1*1;1*1;1*1;1*1;1*1",
                                        "1*99999;1*1;1*1;1*1;1*1;1*1",
                                        "1*1,;1*1;1*1;1*1;1*1;1*1",
                                        "x;1*1;1*1;1*1;1*1;1*1"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(ptl_evo_text_read(&f.p, wrong[k], false, again, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_evo_text_read(&f.p, ";;3*2;;;", false, again, NULL), PTL_OK);
    assert_int_equal(ptl_evo_text_read(&f.p, ";;3*2;;;", true, again, NULL), PTL_BAD_INPUT);
    random_evo_free(&f);
}

static void problems_are_checked(void** state) {
    (void)state;
    ptl_evo_problem p;
    uint32_t schemes[] = {0, 1}, twice[] = {1, 1}, far[] = {2, 0}, counts[] = {1, 2}, none[] = {0, 1};
    double alone[] = {1, 0.5}, wrong[] = {1, -1};
    ptl_evo_measured good = {schemes, counts, 2, 1.5, 0};
    assert_int_equal(ptl_evo_problem_new(&p, 4, alone, 2, &good, 1, NULL), PTL_OK);
    ptl_evo_problem_free(&p);
    assert_int_equal(ptl_evo_problem_new(&p, 0, alone, 2, &good, 1, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_evo_problem_new(&p, 17, alone, 2, &good, 1, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_evo_problem_new(&p, 4, wrong, 2, &good, 1, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_evo_problem_new(&p, 4, alone, 2, &good, 0, NULL), PTL_BAD_INPUT);
    const ptl_evo_measured bad[] = {{twice, counts, 2, 1, 0},     {far, counts, 2, 1, 0},
                                    {schemes, none, 2, 1, 0},     {schemes, counts, 2, 0, 0},
                                    {schemes, counts, 2, NAN, 0}, {schemes, counts, 2, 1, -1},
                                    {schemes, counts, 0, 1, 0}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(ptl_evo_problem_new(&p, 4, alone, 2, &bad[k], 1, NULL), PTL_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recombination_keeps_uops),
        cmocka_unit_test(random_uops_are_not_slower_than_the_scheme),
        cmocka_unit_test(polishing_never_worsens),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(evolution_lowers_the_error),
        cmocka_unit_test(texts_are_read_back),
        cmocka_unit_test(problems_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
