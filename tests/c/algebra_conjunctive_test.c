#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "algebra/conjunctive.h"
#include "model/throughput.h"
#include "random_model.h"

#define MAPPINGS (SANITIZED ? 200 : 2000)
#define EXPERIMENTS 30

static const char* const port_names[] = {"1", "2", "3", "10"};

/* Figure 7.1 (a) of the dissertation, and two schemes more. */
static void figure(ptl_mapping* m, size_t ports, double rmax) {
    assert_int_equal(ptl_mapping_new(m, port_names, ports, 6, rmax, NULL), PTL_OK);
    ptl_mapping_add(m, "mul", (ptl_uop[]){{1, 2}}, 1, 1, NULL);
    ptl_mapping_add(m, "add", (ptl_uop[]){{3, 1}}, 1, 1, NULL);
    ptl_mapping_add(m, "sub", (ptl_uop[]){{3, 1}}, 1, 1, NULL);
    ptl_mapping_add(m, "store", (ptl_uop[]){{3, 1}, {4, 1}}, 2, 1, NULL);
    ptl_mapping_add(m, "mov", (ptl_uop[1]){{0}}, 0, 1, NULL);
    ptl_mapping_add(m, "cpuid", NULL, 0, 1, NULL);
}

static double load_on(const ptl_conjunctive* c, size_t scheme, const char* resource) {
    for (uint32_t k = 0; k < c->schemes[scheme].load_count; k++)
        if (!strcmp(c->resources[c->schemes[scheme].loads[k].resource], resource))
            return c->schemes[scheme].loads[k].load;
    return 0;
}

static void the_figure_is_reproduced(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_conjunctive c;
    ptl_error error;
    ptl_term terms[] = {{0, 1}, {1, 2}, {3, 1}}, unknown = {5, 1};
    double cycles, pressure[3];
    figure(&m, 3, 0);
    assert_int_equal(ptl_conjunctive_of(&c, &m, NULL), PTL_OK);
    assert_int_equal(c.resource_count, 3);
    assert_string_equal(c.resources[0], "R1");
    assert_string_equal(c.resources[1], "R3");
    assert_string_equal(c.resources[2], "R12");
    assert_true(load_on(&c, 0, "R1") == 2 && load_on(&c, 0, "R12") == 1 && load_on(&c, 0, "R3") == 0);
    assert_true(load_on(&c, 1, "R12") == 0.5 && load_on(&c, 2, "R12") == 0.5);
    assert_true(load_on(&c, 3, "R12") == 0.5 && load_on(&c, 3, "R3") == 1 && load_on(&c, 3, "R1") == 0);
    assert_int_equal(c.schemes[4].load_count, 0);
    assert_int_equal(ptl_conjunctive_throughput(&c, &(ptl_experiment){terms, 3}, &cycles, pressure, NULL),
                     PTL_OK);
    assert_true(cycles == 2.5 && pressure[0] == 2 && pressure[1] == 1 && pressure[2] == 2.5);
    assert_int_equal(ptl_conjunctive_throughput(&c, &(ptl_experiment){&unknown, 1}, &cycles, NULL, &error),
                     PTL_BAD_INPUT);
    assert_string_equal(error.where, "cpuid");
    ptl_conjunctive_free(&c);
    ptl_mapping_free(&m);
}

static void issue_is_a_resource_and_names_are_distinct(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_conjunctive c;
    ptl_term moves = {4, 9};
    double cycles;
    figure(&m, 4, 4.5);
    ptl_conjunctive_of(&c, &m, NULL);
    assert_int_equal(c.resource_count, 4);
    assert_string_equal(c.resources[2], "R1,2"); /* as a port is called 10 */
    assert_string_equal(c.resources[3], "issue");
    assert_int_equal(ptl_conjunctive_throughput(&c, &(ptl_experiment){&moves, 1}, &cycles, NULL, NULL),
                     PTL_OK);
    assert_true(fabs(cycles - 2) < 1e-15);
    ptl_conjunctive_free(&c);
    ptl_mapping_free(&m);
    figure(&m, 3, 1); /* one a cycle: R12 and R3 never get more than issue, R1 does */
    ptl_conjunctive_of(&c, &m, NULL);
    assert_int_equal(c.resource_count, 2);
    assert_string_equal(c.resources[0], "R1");
    assert_string_equal(c.resources[1], "issue");
    ptl_conjunctive_free(&c);
    ptl_mapping_free(&m);
}

static double by_formula(const ptl_mapping* m, const ptl_experiment* e, ptl_demand* d) {
    ptl_bottleneck b;
    assert_int_equal(ptl_demand_fill(d, m, e, NULL), PTL_OK);
    assert_int_equal(ptl_bottleneck_of(d, &b, NULL), PTL_OK);
    return ptl_demand_cycles(d, &b, m->rmax);
}

static random_shape any_shape(ptl_rng* r) {
    static const double limits[] = {0, 0, 2, 4.5};
    unsigned ports = 1 + (unsigned)ptl_rng_below(r, 12);
    return (random_shape){.ports = ports,
                          .schemes = 1 + (unsigned)ptl_rng_below(r, 10),
                          .widest = 1 + (unsigned)ptl_rng_below(r, ports),
                          .uops = 1 + (unsigned)ptl_rng_below(r, 3),
                          .count = 3,
                          .slots = 3,
                          .eliminated = 0.1,
                          .rmax = limits[ptl_rng_below(r, 4)],
                          .units = (unsigned)ptl_rng_below(r, 4)};
}

static void the_conversion_has_the_value_of_the_formula(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    ptl_demand d = PTL_DEMAND_EMPTY;
    for (int n = 0; n < MAPPINGS; n++) {
        ptl_mapping m;
        ptl_conjunctive c;
        random_shape shape = any_shape(&r);
        random_mapping(&m, &r, &shape);
        assert_int_equal(ptl_conjunctive_of(&c, &m, NULL), PTL_OK);
        assert_int_equal(c.scheme_count, m.scheme_count);
        for (int k = 0; k < EXPERIMENTS; k++) {
            ptl_term terms[RANDOM_TERMS_MAX];
            ptl_experiment e = random_experiment(&r, shape.schemes, 6, 9, terms);
            double cycles, expected = by_formula(&m, &e, &d);
            ptl_conjunctive_throughput(&c, &e, &cycles, NULL, NULL);
            if (!(fabs(cycles - expected) <= 1e-14 * expected))
                fail_msg("%.17g, not %.17g", cycles, expected);
        }
        ptl_conjunctive_free(&c);
        ptl_mapping_free(&m);
    }
    ptl_demand_free(&d);
}

static double load(const ptl_conjunctive* c, size_t scheme, size_t resource) {
    return load_on(c, scheme, c->resources[resource]);
}

/* Every resource gets more than any other one from some scheme. */
static void no_resource_is_dominated(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(2);
    for (int n = 0; n < MAPPINGS / 4; n++) {
        ptl_mapping m;
        ptl_conjunctive c;
        random_shape shape = any_shape(&r);
        random_mapping(&m, &r, &shape);
        assert_int_equal(ptl_conjunctive_of(&c, &m, NULL), PTL_OK);
        for (size_t a = 0; a < c.resource_count; a++)
            for (size_t b = 0; b < c.resource_count; b++) {
                bool above = a == b;
                for (size_t i = 0; i < c.scheme_count; i++) above = above || load(&c, i, a) > load(&c, i, b);
                if (!above) fail_msg("%s is below %s", c.resources[a], c.resources[b]);
            }
        ptl_conjunctive_free(&c);
        ptl_mapping_free(&m);
    }
}

static void too_many_sets_are_refused(void** state) {
    (void)state;
    static const char* const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"};
    ptl_mapping m;
    ptl_conjunctive c;
    ptl_error error;
    for (unsigned ports = 11; ports <= 13;
         ports += 2) { /* all ports with one in common: 2^(ports - 1) sets */
        ptl_mapping_new(&m, names, ports, ports, 0, NULL);
        for (unsigned k = 1; k < ports; k++)
            ptl_mapping_add(&m, names[k], &(ptl_uop){1u | 1u << k, 1}, 1, 1, NULL);
        ptl_status s = ptl_conjunctive_of(&c, &m, &error);
        assert_int_equal(s, ports == 11 ? PTL_OK : PTL_LIMIT);
        if (!s) assert_int_equal(c.resource_count, (1 << 10) - 1);
        ptl_conjunctive_free(&c);
        ptl_mapping_free(&m);
    }
}

static void what_is_no_mapping_is_refused(void** state) {
    (void)state;
    ptl_conjunctive c;
    ptl_error error;
    const char* twice[] = {"a", "b", "a"};
    assert_int_equal(ptl_conjunctive_new(&c, twice, 3, 1, &error), PTL_BAD_INPUT);
    assert_non_null(strstr(error.what, "'a'"));
    twice[1] = "";
    assert_int_equal(ptl_conjunctive_new(&c, twice, 2, 1, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_conjunctive_new(&c, twice, 1, 1, NULL), PTL_OK);
    const double loads[] = {-1, NAN, INFINITY, 2 * PTL_LOAD_MAX};
    for (int i = 0; i < 4; i++)
        assert_int_equal(ptl_conjunctive_add(&c, "s", &(ptl_load){0, loads[i]}, 1, &error), PTL_BAD_INPUT);
    assert_int_equal(ptl_conjunctive_add(&c, "s", &(ptl_load){0, 0}, 1, &error), PTL_OK);
    assert_int_equal(c.schemes[0].load_count, 0);
    ptl_conjunctive_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_figure_is_reproduced),
        cmocka_unit_test(issue_is_a_resource_and_names_are_distinct),
        cmocka_unit_test(the_conversion_has_the_value_of_the_formula),
        cmocka_unit_test(no_resource_is_dominated),
        cmocka_unit_test(too_many_sets_are_refused),
        cmocka_unit_test(what_is_no_mapping_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
