#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/facile.h"
#include "model/throughput.h"
#include "random_model.h"

#define DEMANDS (SANITIZED ? 10000 : 100000)

static void the_example_of_appendix_e2(void** state) {
    (void)state;
    ptl_demand d = PTL_DEMAND_EMPTY;
    ptl_bottleneck b;
    const ptl_mass uops[] = {{1 | 2, 1}, {2 | 4, 1}, {2 | 8, 1}};
    ptl_demand_masses(&d, uops, 3, NULL);
    assert_int_equal(ptl_facile(&d, &b, NULL), PTL_OK);
    assert_int_equal(b.mass, 2);
    assert_int_equal(b.width, 3);
    assert_int_equal(b.ports, 15); /* all three pairs are a maximum */
    assert_int_equal(ptl_bottleneck_of(&d, &b, NULL), PTL_OK);
    assert_int_equal(b.mass, 3);
    assert_int_equal(b.width, 4);
    ptl_demand_free(&d);
}

/* Never above, equal wherever two uops span the bottleneck, and below now and then. */
static void it_is_a_lower_bound(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    ptl_demand d = PTL_DEMAND_EMPTY;
    int below = 0;
    for (int n = 0; n < DEMANDS; n++) {
        ptl_mass uops[8];
        size_t size = ptl_rng_below(&r, 8);
        unsigned ports = 1 + (unsigned)ptl_rng_below(&r, 10);
        for (size_t i = 0; i < size; i++)
            uops[i] = (ptl_mass){random_port_set(&r, ports, 3), 1 + ptl_rng_below(&r, 5)};
        ptl_bottleneck pairs, exact;
        ptl_demand_masses(&d, uops, size, NULL);
        assert_int_equal(ptl_facile(&d, &pairs, NULL), PTL_OK);
        assert_int_equal(ptl_bottleneck_of(&d, &exact, NULL), PTL_OK);
        int order = ptl_bottleneck_compare(&pairs, &exact);
        assert_true(order <= 0);
        if (d.size <= 2) assert_int_equal(order, 0);
        below += order < 0;
    }
    assert_true(below > DEMANDS / 1000);
    assert_true(below < DEMANDS / 4);
    ptl_demand_free(&d);
}

static void too_many_uops_are_refused(void** state) {
    (void)state;
    ptl_demand d = PTL_DEMAND_EMPTY;
    ptl_bottleneck b;
    ptl_mass* uops = test_malloc((PTL_FACILE_UOPS_MAX + 1) * sizeof *uops);
    for (uint32_t i = 0; i <= PTL_FACILE_UOPS_MAX; i++) uops[i] = (ptl_mass){i + 1, 1};
    ptl_demand_masses(&d, uops, PTL_FACILE_UOPS_MAX + 1, NULL);
    assert_int_equal(ptl_facile(&d, &b, NULL), PTL_LIMIT);
    test_free(uops);
    ptl_demand_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_appendix_e2),
        cmocka_unit_test(it_is_a_lower_bound),
        cmocka_unit_test(too_many_uops_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
