/* The kernels of evolution against sums that are written out, and against each other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random_evo.h"

static const char* const names[] = {"scalar", "avx2", "avx512"};

/* Theorem 5.2, with whole numbers of uops counted one by one. */
static double slow_cycles(const random_evo* f, const ptl_evo_usage* usages, size_t j) {
    const ptl_evo_problem* p = &f->p;
    double most = p->least[j];
    for (uint32_t q = 1; q < 1U << p->ports; q++) {
        double inside = 0;
        for (uint32_t k = p->start[j]; k < p->start[j + 1]; k++) {
            const ptl_evo_usage* u = &usages[p->scheme[k]];
            for (uint32_t l = 0; l < u->size; l++)
                if (!(u->uops[l].ports & ~q)) inside += (double)p->count[k] * u->uops[l].count;
        }
        if (inside / __builtin_popcount(q) > most) most = inside / __builtin_popcount(q);
    }
    return most;
}

static double slow_error(const random_evo* f, const ptl_evo_usage* usages) {
    double sum = 0;
    for (size_t j = 0; j < f->p.size; j++)
        sum += fabs(slow_cycles(f, usages, j) - f->p.cycles[j]) / f->p.cycles[j];
    return sum / (double)f->p.size;
}

static void fitness_is_the_slow_one(void** state) {
    (void)state;
    for (unsigned ports = 1; ports <= 10; ports++) {
        random_evo f;
        random_evo_new(&f, ports, 6, 40, ports);
        double expected = slow_error(&f, f.usages), first = -1;
        for (size_t k = 0; k < 3; k++) {
            const ptl_evo_kernel* kernel = ptl_evo_kernel_named(names[k]);
            if (!kernel) continue;
            ptl_evo_state s;
            assert_int_equal(ptl_evo_state_new(&s, &f.p, kernel, NULL), PTL_OK);
            double error = ptl_evo_state_evaluate(&s, f.usages);
            assert_true(fabs(error - expected) <= 1e-6 * (1 + expected));
            if (first < 0) first = error;
            assert_true(error == first); /* the same bits */
            ptl_evo_state_free(&s);
        }
        random_evo_free(&f);
    }
}

/* The trial of a uop on every port set, against setting each in turn. */
static void a_trial_is_what_happens(void** state) {
    (void)state;
    for (unsigned ports = 2; ports <= 7; ports++) {
        random_evo f;
        random_evo_new(&f, ports, 5, 30, 90 + ports);
        ptl_evo_lenience some = {0.02F, 0.5F, 0.2F};
        if (ports % 2) assert_int_equal(ptl_evo_problem_forgive(&f.p, &some, NULL), PTL_OK);
        ptl_evo_state s;
        assert_int_equal(ptl_evo_state_new(&s, &f.p, NULL, NULL), PTL_OK);
        ptl_evo_state_load(&s, f.usages);
        float* row = s.spare;
        for (uint32_t extra = 1; extra <= 3; extra++) {
            memset(s.errors, 0, f.p.sets * sizeof *s.errors);
            s.kernel->row(&f.p, &f.usages[2], row);
            for (uint32_t a = f.p.from[2]; a < f.p.from[3]; a++) {
                uint32_t j = f.p.uses[a], n = f.p.start[j + 1] - f.p.start[j];
                float own = 0;
                for (uint32_t k = 0; k < n; k++) {
                    uint32_t scheme = f.p.scheme[f.p.start[j] + k];
                    s.terms[k] = s.rows + scheme * f.p.sets;
                    if (scheme == 2) own = f.p.count[f.p.start[j] + k];
                }
                ptl_evo_trial t = {s.terms,
                                   f.p.count + f.p.start[j],
                                   n,
                                   own * (float)extra,
                                   f.p.least[j],
                                   f.p.cycles[j],
                                   f.p.weight[j]};
                s.kernel->trial(&f.p, &t, s.scratch, s.errors);
            }
            for (uint32_t set = 1; set < 1U << ports; set++) {
                ptl_evo_usage more = f.usages[2];
                assert_int_equal(ptl_evo_usage_add(&more, set, extra), 1);
                ptl_evo_state_set(&s, 2, &more);
                assert_true(fabs(ptl_evo_state_local(&s, 2) - (double)s.errors[set]) < 1e-5);
                ptl_evo_state_set(&s, 2, &f.usages[2]);
            }
        }
        ptl_evo_state_free(&s);
        random_evo_free(&f);
    }
}

static void deviations_count_by_their_side(void** state) {
    (void)state;
    ptl_evo_lenience none = {0, 1, INFINITY}, some = {0.02F, 0.5F, 0.2F};
    assert_float_equal(ptl_evo_off(&none, 3, 10), 3, 1e-6);
    assert_float_equal(ptl_evo_off(&none, -3, 10), 3, 1e-6);
    assert_float_equal(ptl_evo_off(&some, 3, 10), 2.8, 1e-6);
    assert_float_equal(ptl_evo_off(&some, 0.1F, 10), 0, 1e-6);
    assert_float_equal(ptl_evo_off(&some, -0.1F, 10), 0, 1e-6);
    assert_float_equal(ptl_evo_off(&some, -3, 10), 1.4, 1e-6);
    assert_float_equal(ptl_evo_off(&some, -9, 10), 2, 1e-6);
    random_evo f;
    random_evo_new(&f, 3, 2, 4, 1);
    ptl_evo_lenience bad[] = {{-1, 1, 1}, {0, 2, 1}, {0, -1, 1}, {0, 1, 0}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(ptl_evo_problem_forgive(&f.p, &bad[k], NULL), PTL_BAD_INPUT);
    random_evo_free(&f);
}

static void kernels_agree_to_the_bit(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 9, 4, 30, 7);
    ptl_evo_lenience some = {0.02F, 0.5F, 0.2F};
    assert_int_equal(ptl_evo_problem_forgive(&f.p, &some, NULL), PTL_OK);
    float* out[3] = {NULL, NULL, NULL};
    for (size_t k = 0; k < 3; k++) {
        const ptl_evo_kernel* kernel = ptl_evo_kernel_named(names[k]);
        if (!kernel) continue;
        ptl_evo_state s;
        assert_int_equal(ptl_evo_state_new(&s, &f.p, kernel, NULL), PTL_OK);
        ptl_evo_state_load(&s, f.usages);
        memset(s.errors, 0, f.p.sets * sizeof *s.errors);
        for (uint32_t j = 0; j < f.p.size; j++) {
            uint32_t n = f.p.start[j + 1] - f.p.start[j];
            for (uint32_t t = 0; t < n; t++) s.terms[t] = s.rows + f.p.scheme[f.p.start[j] + t] * f.p.sets;
            ptl_evo_trial t = {s.terms,      f.p.count + f.p.start[j], n, 2, f.p.least[j], f.p.cycles[j],
                               f.p.weight[j]};
            kernel->trial(&f.p, &t, s.scratch, s.errors);
        }
        out[k] = test_malloc(f.p.sets * sizeof(float));
        memcpy(out[k], s.errors, f.p.sets * sizeof(float));
        if (k) assert_memory_equal(out[k], out[0], f.p.sets * sizeof(float));
        ptl_evo_state_free(&s);
    }
    for (size_t k = 0; k < 3; k++)
        if (out[k]) test_free(out[k]);
    random_evo_free(&f);
}

static void changes_of_single_schemes_add_up(void** state) {
    (void)state;
    random_evo f;
    random_evo_new(&f, 6, 8, 60, 3);
    ptl_evo_state s, fresh;
    assert_int_equal(ptl_evo_state_new(&s, &f.p, NULL, NULL), PTL_OK);
    assert_int_equal(ptl_evo_state_new(&fresh, &f.p, NULL, NULL), PTL_OK);
    ptl_evo_state_load(&s, f.usages);
    ptl_rng r = ptl_rng_seed(12);
    for (int step = 0; step < 200; step++) {
        size_t i = ptl_rng_below(&r, 8);
        ptl_evo_usage u;
        ptl_evo_usage_random(&f.p, i, &r, &u);
        if (step % 3 == 0) ptl_evo_state_remove(&s, i);
        ptl_evo_state_set(&s, i, &u);
        assert_true(ptl_evo_state_error(&s) == ptl_evo_state_evaluate(&fresh, s.usages));
    }
    ptl_evo_state_free(&s);
    ptl_evo_state_free(&fresh);
    random_evo_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fitness_is_the_slow_one),          cmocka_unit_test(a_trial_is_what_happens),
        cmocka_unit_test(deviations_count_by_their_side),   cmocka_unit_test(kernels_agree_to_the_bit),
        cmocka_unit_test(changes_of_single_schemes_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
