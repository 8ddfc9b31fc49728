/* Lattices of features against what Table 8.2 says, and the laws of Def. 8.2 on random values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "anica/edit_distance.h"
#include "anica/lattice.h"
#include "base/rng.h"

enum { SCHEMES = 60 };

static ptl_lattice* lattice_of(ptl_lattice_kind kind, unsigned bound) {
    ptl_lattice* l;
    assert_int_equal(ptl_lattice_new(&l, kind, bound, SCHEMES, NULL), PTL_OK);
    return l;
}

static uint32_t atom(ptl_lattice* l, const char* text) {
    return ptl_names_add(ptl_lattice_atoms(l), text);
}

static void set_text(ptl_lattice* l, size_t scheme, const char* text) {
    uint32_t a = atom(l, text);
    assert_int_equal(ptl_lattice_set_value(l, scheme, &a, 1, NULL), PTL_OK);
}

static size_t size_of(ptl_lattice* l, ptl_node node) {
    return ptl_bitset_count(ptl_lattice_concretize(l, node));
}

/* The only successor. */
static ptl_node next(ptl_lattice* l, ptl_node node) {
    size_t n;
    const ptl_step* steps = ptl_lattice_steps(l, node, &n);
    assert_int_equal(n, 1);
    return ptl_lattice_take(l, node, steps[0]);
}

/* The definition, without any cleverness. */
static unsigned distance(const char* a, const char* b) {
    if (!*a || !*b) return (unsigned)(strlen(a) + strlen(b));
    if (*a == *b) return distance(a + 1, b + 1);
    unsigned drop = distance(a + 1, b), insert = distance(a, b + 1), replace = distance(a + 1, b + 1);
    unsigned least = drop < insert ? drop : insert;
    return 1 + (least < replace ? least : replace);
}

static void edit_distances_are_levenshteins(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(1);
    for (int round = 0; round < 3000; round++) {
        char texts[2][8] = {{0}, {0}};
        for (int t = 0; t < 2; t++) {
            size_t n = ptl_rng_below(&rng, 7);
            for (size_t k = 0; k < n; k++) texts[t][k] = "abc"[ptl_rng_below(&rng, 3)];
        }
        unsigned d = distance(texts[0], texts[1]);
        for (unsigned most = 0; most < 8; most++)
            assert_int_equal(ptl_within_edits(texts[0], texts[1], most), d <= most);
    }
    char longest[600];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_true(ptl_within_edits(longest, longest, 0));
    assert_false(ptl_within_edits(longest, "", 3));
}

static void a_mnemonic_expands_edit_by_edit(void** state) {
    (void)state;
    ptl_lattice* l = lattice_of(PTL_LATTICE_EDIT, 3);
    set_text(l, 0, "vaddpd");
    set_text(l, 1, "vaddps");
    set_text(l, 2, "vaddsd");
    set_text(l, 3, "vaddss");
    set_text(l, 4, "vsubpd");
    set_text(l, 5, "nop"); /* the other schemes have no value */
    ptl_node node = ptl_lattice_represent(l, 0);
    assert_int_equal(size_of(l, node), 1);
    node = next(l, node);
    assert_int_equal(size_of(l, node), 3);
    assert_true(ptl_bitset_has(ptl_lattice_concretize(l, node), 1));
    assert_true(ptl_bitset_has(ptl_lattice_concretize(l, node), 2));
    node = next(l, node);
    assert_int_equal(size_of(l, node), 4);
    assert_false(ptl_lattice_leq(l, ptl_lattice_represent(l, 1), node)); /* another base */
    node = next(l, node);
    assert_int_equal(size_of(l, node), 5);
    assert_int_equal(next(l, node), PTL_TOP);
    assert_int_equal(size_of(l, PTL_TOP), SCHEMES);
    assert_int_equal(ptl_lattice_represent(l, 6), PTL_TOP);
    ptl_lattice_free(l);
}

static void log_sizes_are_those_of_the_corrected_table(void** state) {
    (void)state;
    static const struct {
        uint32_t size, k;
    } expected[] = {{0, 0}, {1, 1}, {2, 2}, {3, 2}, {4, 3}, {7, 3}, {8, 4}, {15, 4}, {16, 5}, {31, 5}};
    ptl_lattice* l = lattice_of(PTL_LATTICE_LOG, 5);
    size_t n = sizeof expected / sizeof *expected;
    for (size_t i = 0; i < n; i++) ptl_lattice_set_size(l, i, expected[i].size);
    ptl_lattice_set_size(l, n, 32);
    ptl_lattice_set_size(l, n + 1, 1000000);
    for (size_t i = 0; i < n; i++) {
        size_t length;
        ptl_node node = ptl_lattice_represent(l, i);
        assert_int_equal(ptl_lattice_key(l, node, &length)[0], expected[i].k);
        for (size_t j = 0; j < n + 2; j++) {
            uint32_t size = j < n ? expected[j].size : j == n ? 32 : 1000000;
            assert_int_equal(ptl_bitset_has(ptl_lattice_concretize(l, node), j), size < UINT32_C(1)
                                                                                            << expected[i].k);
        }
    }
    assert_int_equal(ptl_lattice_represent(l, n), PTL_TOP);
    assert_int_equal(ptl_lattice_represent(l, n + 1), PTL_TOP);
    ptl_lattice_free(l);
}

static void sets_lose_one_member_at_a_time_and_none_is_apart(void** state) {
    (void)state;
    ptl_lattice* l = lattice_of(PTL_LATTICE_SUBSET, 0);
    uint32_t r = atom(l, "R"), w = atom(l, "W"), size = atom(l, "Size: 64");
    ptl_lattice_set_value(l, 0, (uint32_t[]){w, size, r, w}, 4, NULL);
    ptl_lattice_set_value(l, 1, (uint32_t[]){r, size}, 2, NULL);
    ptl_lattice_set_value(l, 2, NULL, 0, NULL);
    ptl_node all = ptl_lattice_represent(l, 0), read = ptl_lattice_represent(l, 1),
             none = ptl_lattice_represent(l, 2);
    size_t n;
    assert_non_null(ptl_lattice_steps(l, all, &n));
    assert_int_equal(n, 3);
    assert_int_equal(ptl_lattice_take(l, all, w), read);
    assert_int_equal(ptl_lattice_take(l, read, w), read); /* it has none */
    assert_int_equal(size_of(l, read), 2);
    assert_int_equal(size_of(l, none), 1);
    ptl_node empty = ptl_lattice_take(l, ptl_lattice_take(l, read, size), r);
    assert_int_not_equal(empty, PTL_TOP);
    assert_int_not_equal(empty, none);
    assert_int_equal(size_of(l, empty), 3); /* not the schemes whose value is not known */
    assert_int_equal(next(l, empty), PTL_TOP);
    assert_int_equal(next(l, none), PTL_TOP);
    assert_true(ptl_lattice_leq(l, all, read) && ptl_lattice_leq(l, read, empty));
    assert_false(ptl_lattice_leq(l, read, all));
    assert_false(ptl_lattice_leq(l, none, empty) || ptl_lattice_leq(l, empty, none));
    uint32_t many[PTL_LATTICE_SET_MAX + 1];
    for (uint32_t k = 0; k <= PTL_LATTICE_SET_MAX; k++) {
        char text[20];
        snprintf(text, sizeof text, "%u", k);
        many[k] = atom(l, text);
    }
    assert_int_equal(ptl_lattice_set_value(l, 3, many, PTL_LATTICE_SET_MAX + 1, NULL), PTL_BAD_INPUT);
    ptl_lattice_free(l);
}

static void keys_that_mean_nothing_are_refused(void** state) {
    (void)state;
    ptl_lattice* l = lattice_of(PTL_LATTICE_EDIT, 3);
    uint32_t a = atom(l, "add");
    assert_int_equal(ptl_lattice_intern(l, (uint32_t[]){a, 4}, 2), PTL_NO_NODE);
    assert_int_equal(ptl_lattice_intern(l, (uint32_t[]){a + 1, 0}, 2), PTL_NO_NODE);
    assert_int_equal(ptl_lattice_intern(l, (uint32_t[]){a}, 1), PTL_NO_NODE);
    assert_int_equal(ptl_lattice_intern(l, NULL, 0), PTL_TOP);
    ptl_lattice_free(l);
    l = lattice_of(PTL_LATTICE_SUBSET, 0);
    a = atom(l, "a");
    atom(l, "b");
    assert_int_equal(ptl_lattice_intern(l, (uint32_t[]){1, 1, 0}, 3), PTL_NO_NODE);
    assert_int_equal(ptl_lattice_intern(l, (uint32_t[]){1, 0, 0}, 3), PTL_NO_NODE);
    assert_int_equal(ptl_lattice_intern(l, (uint32_t[]){0, 0}, 2), PTL_NO_NODE);
    assert_int_not_equal(ptl_lattice_intern(l, (uint32_t[]){1, 0, 1}, 3), PTL_NO_NODE);
    ptl_lattice_free(l);
    assert_int_equal(ptl_lattice_new(&l, PTL_LATTICE_LOG, PTL_LATTICE_BOUND_MAX + 1, 1, NULL), PTL_BAD_INPUT);
}

static void graphs_are_ordered_by_reachability(void** state) {
    (void)state;
    ptl_lattice* l = lattice_of(PTL_LATTICE_GRAPH, 0);
    ptl_node a = ptl_lattice_add_node(l, "a"), b = ptl_lattice_add_node(l, "b"),
             c = ptl_lattice_add_node(l, "c"), d = ptl_lattice_add_node(l, "d");
    assert_int_equal(ptl_lattice_add_node(l, "a"), PTL_NO_NODE);
    ptl_lattice_add_edge(l, a, c, NULL);
    ptl_lattice_add_edge(l, a, b, NULL);
    ptl_lattice_add_edge(l, b, d, NULL);
    ptl_lattice_add_edge(l, c, d, NULL);
    ptl_lattice_add_member(l, d, 7);
    ptl_lattice_set_node(l, 7, d);
    assert_int_equal(ptl_lattice_finish(l, NULL), PTL_OK);
    assert_true(ptl_lattice_leq(l, a, d) && ptl_lattice_leq(l, b, d) && ptl_lattice_leq(l, d, PTL_TOP));
    assert_false(ptl_lattice_leq(l, b, c) || ptl_lattice_leq(l, d, a) || ptl_lattice_leq(l, PTL_TOP, d));
    size_t n;
    const ptl_step* steps = ptl_lattice_steps(l, a, &n);
    assert_int_equal(n, 2);
    assert_int_equal(ptl_lattice_take(l, a, steps[0]), c); /* in the order they were given */
    assert_int_equal(ptl_lattice_take(l, b, steps[0]), b); /* c does not succeed b */
    assert_int_equal(next(l, d), PTL_TOP);
    assert_int_equal(ptl_lattice_represent(l, 7), d);
    assert_int_equal(ptl_lattice_represent(l, 8), PTL_TOP);
    assert_int_equal(size_of(l, d), 1);
    ptl_lattice_free(l);
    l = lattice_of(PTL_LATTICE_GRAPH, 0);
    ptl_node x = ptl_lattice_add_node(l, "x"), y = ptl_lattice_add_node(l, "y");
    ptl_lattice_add_edge(l, x, y, NULL);
    ptl_lattice_add_edge(l, y, x, NULL);
    assert_int_equal(ptl_lattice_finish(l, NULL), PTL_BAD_INPUT);
    ptl_lattice_free(l);
}

/* A lattice of each kind with random values. */
static ptl_lattice* random_lattice(ptl_lattice_kind kind, ptl_rng* rng) {
    ptl_lattice* l = lattice_of(kind, 3);
    char text[4] = {0};
    for (size_t i = 0; i < SCHEMES; i++) {
        uint32_t atoms[5];
        size_t n = kind == PTL_LATTICE_SUBSET ? ptl_rng_below(rng, 6) : 1;
        if (ptl_rng_below(rng, 10) == 0) continue; /* not known */
        if (kind == PTL_LATTICE_LOG) {
            ptl_lattice_set_size(l, i, (uint32_t)ptl_rng_below(rng, 10));
            continue;
        }
        for (size_t k = 0; k < n; k++) {
            for (int j = 0; j < 3; j++) text[j] = "ab"[ptl_rng_below(rng, 2)];
            atoms[k] = atom(l, text);
        }
        assert_int_equal(ptl_lattice_set_value(l, i, atoms, n, NULL), PTL_OK);
    }
    return l;
}

static void check_laws(ptl_lattice* l, ptl_rng* rng) {
    for (size_t i = 0; i < SCHEMES; i++) {
        ptl_node node = ptl_lattice_represent(l, i);
        assert_true(ptl_bitset_has(ptl_lattice_concretize(l, node), i)); /* law 8 */
        for (unsigned height = 0; node != PTL_TOP; height++) {
            size_t n;
            const ptl_step* steps = ptl_lattice_steps(l, node, &n);
            assert_true(n > 0 && height < 20); /* law 2 */
            for (ptl_node other = 0; other < ptl_lattice_count(l); other++) {
                bool above = other != node && ptl_lattice_leq(l, node, other), reached = false;
                for (size_t k = 0; k < n; k++)
                    reached |= ptl_lattice_leq(l, ptl_lattice_take(l, node, steps[k]), other);
                assert_int_equal(above, reached); /* laws 1, 3, 5 */
                if (!above) continue;
                assert_false(ptl_lattice_leq(l, other, node));
                assert_true(ptl_bitset_subset(ptl_lattice_concretize(l, node),
                                              ptl_lattice_concretize(l, other))); /* law 7 */
            }
            node = ptl_lattice_take(l, node, steps[ptl_rng_below(rng, n)]);
        }
    }
}

static void the_laws_hold_for_random_values(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(2);
    for (int round = 0; round < 5; round++) {
        for (int kind = PTL_LATTICE_SINGLETON; kind <= PTL_LATTICE_SUBSET; kind++) {
            ptl_lattice* l = random_lattice((ptl_lattice_kind)kind, &rng);
            check_laws(l, &rng);
            ptl_lattice_free(l);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edit_distances_are_levenshteins),
        cmocka_unit_test(a_mnemonic_expands_edit_by_edit),
        cmocka_unit_test(log_sizes_are_those_of_the_corrected_table),
        cmocka_unit_test(sets_lose_one_member_at_a_time_and_none_is_apart),
        cmocka_unit_test(keys_that_mean_nothing_are_refused),
        cmocka_unit_test(graphs_are_ordered_by_reachability),
        cmocka_unit_test(the_laws_hold_for_random_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
