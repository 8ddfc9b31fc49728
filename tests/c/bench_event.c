/* Hardware counters, where there are any: names become events; where there is none, the reason is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "bench/event.h"

static void unknown_events_are_refused(void** state) {
    (void)state;
    struct perf_event_attr attribute;
    ptl_counter c;
    ptl_error e;
    assert_int_equal(ptl_event_encode("no_such_event:u", &attribute, &e), PTL_UNSUPPORTED);
    assert_string_equal(e.where, "no_such_event:u");
    assert_int_equal(ptl_event_open(&c, "no_such_event:u", &e), PTL_UNSUPPORTED);
    ptl_counter_close(&c); /* of what was not opened: nothing */
}

static void a_counter_counts_or_says_why_it_cannot(void** state) {
    (void)state;
    static const char* const events[] = {PTL_CYCLES, "instructions:u"};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        ptl_counter c;
        ptl_error e = {.status = PTL_OK};
        uint64_t before, after, none;
        if (ptl_event_open(&c, events[i], &e) != PTL_OK) {
            printf("no counter of %s: %s\n", events[i], e.what);
            assert_int_equal(e.status, PTL_UNSUPPORTED);
            assert_true(e.what[0]);
            assert_false(ptl_counter_read(&c, &none));
            assert_int_equal(none, 0);
            continue;
        }
        assert_true(ptl_counter_read(&c, &before));
        for (volatile int k = 0; k < 1000; k++) {
        }
        assert_true(ptl_counter_read(&c, &after));
        assert_true(after > before + 300 && after < before + 10000000);
        ptl_counter_close(&c);
        assert_false(ptl_counter_read(&c, &none));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_events_are_refused),
        cmocka_unit_test(a_counter_counts_or_says_why_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
