/* The dissertation's own encodings, beside their answers: options, deadlines, the text of a question, the
 * fractions that it is made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>
#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "lira_world.h"
#include "random_model.h"
#include "smt/lira.h"

/* Known numbers of ports, and what is refused. */
static void options_are_kept_or_refused(void** state) {
    (void)state;
    unsigned counts[] = {3, 1}, many[] = {5, 1}, uops[] = {2, 1};
    ptl_lira* s;
    ptl_known m;
    bool found;
    ptl_lira_options o = {.mapping = {.schemes = 2, .ports = 4, .counts = counts}, .epsilon = 0.02};
    assert_int_equal(ptl_lira_new(&s, &o, NULL), PTL_OK);
    ptl_bounds soft = {.upper = 9, .lowers = 1, .lower = {{.bound = 1, .weight = 2}}};
    ptl_terms e = {.count = 1, .copies = {1}}, none = {0},
              stranger = {.count = 1, .scheme = {2}, .copies = {1}};
    assert_int_equal(ptl_lira_observe(s, &e, &soft, NULL), PTL_BAD_INPUT);
    soft.lower[0].weight = 0;
    soft.upper = NAN;
    assert_int_equal(ptl_lira_observe(s, &e, &soft, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_lira_observe(s, &none, &(ptl_bounds){.upper = 1}, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_lira_observe(s, &stranger, &(ptl_bounds){.upper = 1}, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_lira_observations(s), 0);
    assert_int_equal(ptl_lira_mapping(s, &found, &m, NULL), PTL_OK);
    assert_true(found);
    assert_int_equal(__builtin_popcount(m.ports[0]), 3);
    assert_int_equal(__builtin_popcount(m.ports[1]), 1);
    ptl_lira_free(s);
    o.mapping.counts = many;
    assert_int_equal(ptl_lira_new(&s, &o, NULL), PTL_BAD_INPUT);
    o.mapping.counts = counts;
    o.mapping.uops = uops;
    assert_int_equal(ptl_lira_new(&s, &o, NULL), PTL_BAD_INPUT);
    o.mapping = (ptl_unknown_options){.schemes = 2, .ports = PTL_FREE_PORTS_MAX + 1, .free = true};
    assert_int_equal(ptl_lira_new(&s, &o, NULL), PTL_BAD_INPUT);
    o.mapping = (ptl_unknown_options){.schemes = 0, .ports = 2};
    assert_int_equal(ptl_lira_new(&s, &o, NULL), PTL_BAD_INPUT);
}

static ptl_lira* hard_question(world* w, ptl_known* mapping) {
    *w = (world){.schemes = 4, .ports = 4, .epsilon = 0.02, .uops = {1, 1, 1, 1}};
    ptl_lira* s = start(w, true);
    bool found;
    static const uint32_t truth[] = {3, 6, 12, 9};
    singletons(w, s, truth);
    assert_int_equal(ptl_lira_mapping(s, &found, mapping, NULL), PTL_OK);
    assert_true(found);
    return s;
}

static void* stop_soon(void* unused) {
    (void)unused;
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    ptl_interrupt_set(true);
    return NULL;
}

/* Asks until that fails: the first answers may come at once. */
static ptl_status ask_on(ptl_lira* s, const ptl_known* mapping, double* seconds) {
    ptl_known rival;
    ptl_terms e;
    bool found;
    ptl_status status = PTL_OK;
    double began = ptl_now();
    while (status == PTL_OK && ptl_now() - began < 20)
        status = ptl_lira_other(s, mapping, 0, &found, &rival, &e, NULL);
    *seconds = ptl_now() - began;
    return status;
}

/* A question that takes hours ends in time. */
static void queries_end_at_the_deadline_and_on_interruption(void** state) {
    (void)state;
    world w;
    ptl_known mapping;
    ptl_lira* s = hard_question(&w, &mapping);
    double seconds;
    pthread_t thread;
    ptl_lira_deadline(s, ptl_now() + 0.3);
    assert_int_equal(ask_on(s, &mapping, &seconds), PTL_LIMIT);
    assert_true(seconds < (SANITIZED ? 10 : 2));
    ptl_lira_deadline(s, 0);
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, NULL), 0);
    assert_int_equal(ask_on(s, &mapping, &seconds), PTL_INTERRUPTED);
    assert_true(seconds < (SANITIZED ? 10 : 2));
    pthread_join(thread, NULL);
    ptl_interrupt_set(false);
    ptl_lira_free(s);
}

static void questions_are_shown_and_repeat_themselves(void** state) {
    (void)state;
    world w = {.schemes = 2, .ports = 3, .epsilon = 0.02, .uops = {1, 1}}, again = w;
    static const uint32_t truth[] = {3, 6};
    ptl_lira *one = start(&w, false), *two = start(&again, false);
    singletons(&w, one, truth);
    singletons(&again, two, truth);
    ptl_known a, b;
    bool found;
    assert_int_equal(ptl_lira_mapping(one, &found, &a, NULL), PTL_OK);
    assert_int_equal(ptl_lira_mapping(two, &found, &b, NULL), PTL_OK);
    assert_memory_equal(&a, &b, sizeof a);
    char *text = ptl_lira_text(one, &a, 3), *same = ptl_lira_text(two, &b, 3),
         *plain = ptl_lira_text(one, NULL, 0);
    assert_non_null(text);
    assert_non_null(plain);
    assert_string_equal(text, same);
    assert_non_null(strstr(text, "exp.0"));
    assert_non_null(strstr(text, "(check-sat)"));
    assert_null(strstr(plain, "exp.0"));
    free(text);
    free(same);
    free(plain);
    assert_int_equal(ptl_lira_checks(one), 1);
    ptl_lira_free(one);
    ptl_lira_free(two);
}

static void fractions_are_small(void** state) {
    (void)state;
    int64_t n, d;
    ptl_fraction(0.02, &n, &d);
    assert_int_equal(n * 50, d);
    ptl_fraction(2 * 0.015, &n, &d);
    assert_true(n == 3 && d == 100);
    ptl_fraction(0, &n, &d);
    assert_true(n == 0 && d > 0);
    ptl_fraction(1.0 / 6, &n, &d);
    assert_true(n == 1 && d == 6);
    ptl_most_cycles(0.7, 4, &n, &d); /* 2/3 is the largest of 0/1, 1/2, 2/3, 2/4 */
    assert_true(n == 2 && d == 3);
    ptl_least_cycles(0.7, 4, &n, &d); /* 3/4 */
    assert_true(n == 3 && d == 4);
    ptl_least_cycles(-1, 4, &n, &d);
    assert_int_equal(n, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_kept_or_refused),
        cmocka_unit_test(queries_end_at_the_deadline_and_on_interruption),
        cmocka_unit_test(questions_are_shown_and_repeat_themselves),
        cmocka_unit_test(fractions_are_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
