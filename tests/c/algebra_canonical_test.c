#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "algebra/canonical.h"
#include "algebra/congruence.h"
#include "algebra/renaming.h"
#include "base/rng.h"

static const char* const port_names[] = {"0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",  "10",
                                         "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21"};

/* Usages to be put into mappings with their ports renamed and their schemes in any order. */
typedef struct plan {
    unsigned ports;
    size_t schemes;
    ptl_uop uops[400][8];
    size_t count[400];
} plan;

static void build(ptl_mapping* m, const plan* p, const size_t* to, const size_t* order) {
    assert_int_equal(ptl_mapping_new(m, port_names, p->ports, p->schemes, 0, NULL), PTL_OK);
    for (size_t i = 0; i < p->schemes; i++) {
        size_t scheme = order ? order[i] : i;
        ptl_uop uops[8];
        char name[24];
        for (size_t j = 0; j < p->count[scheme]; j++) {
            uops[j] = (ptl_uop){0, p->uops[scheme][j].count};
            for (ptl_ports q = p->uops[scheme][j].ports; q; q &= q - 1)
                uops[j].ports |= UINT32_C(1) << (to ? to[__builtin_ctz(q)] : (size_t)__builtin_ctz(q));
        }
        snprintf(name, sizeof name, "s%zu", scheme);
        assert_int_equal(ptl_mapping_add(m, name, uops, p->count[scheme], 1, NULL), PTL_OK);
    }
}

static ptl_ports random_ports(ptl_rng* r, unsigned ports, unsigned widest) {
    ptl_ports p = 0;
    for (uint64_t k = 1 + ptl_rng_below(r, widest); k > 0; k--) p |= UINT32_C(1) << ptl_rng_below(r, ports);
    return p;
}

static void random_plan(plan* p, ptl_rng* r, unsigned ports, size_t schemes, unsigned widest) {
    p->ports = ports;
    p->schemes = schemes;
    for (size_t i = 0; i < schemes; i++) {
        p->count[i] = ptl_rng_below(r, 4); /* none at all: eliminated */
        for (size_t j = 0; j < p->count[i]; j++)
            p->uops[i][j] = (ptl_uop){random_ports(r, ports, widest), 1 + (uint32_t)ptl_rng_below(r, 2)};
    }
}

/* One scheme whose uops are these. */
static void single(plan* p, unsigned ports, const ptl_ports* sets, size_t count) {
    *p = (plan){.ports = ports, .schemes = (count + 7) / 8};
    for (size_t i = 0; i < count; i++) p->uops[i / 8][p->count[i / 8]++] = (ptl_uop){sets[i], 1};
}

static void shuffled(ptl_rng* r, size_t* list, size_t n) {
    for (size_t i = 0; i < n; i++) list[i] = i;
    ptl_rng_shuffle(r, list, n);
}

/* The canonical form; most: steps that it may take. The key lives in the arena. */
static ptl_canonical form_of(const ptl_mapping* m, ptl_arena* arena, unsigned most) {
    ptl_canonical c;
    assert_int_equal(ptl_canonical_form(m, arena, &c, NULL), PTL_OK);
    assert_in_range(c.steps, 1, most);
    ptl_ports seen = 0;
    for (unsigned i = 0; i < m->port_count; i++) seen |= UINT32_C(1) << c.order[i];
    assert_int_equal(ptl_ports_count(seen), m->port_count);
    return c;
}

/* However ports and schemes are ordered, the form is the same; and it is what the order of ports gives. */
static void assert_invariant(const plan* p, ptl_rng* r, int rounds, unsigned most) {
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_mapping a;
    build(&a, p, NULL, NULL);
    ptl_canonical first = form_of(&a, &arena, most);
    for (int i = 0; i < rounds; i++) {
        size_t to[22], order[400];
        shuffled(r, to, p->ports);
        shuffled(r, order, p->schemes);
        ptl_mapping b;
        build(&b, p, to, order);
        ptl_canonical c = form_of(&b, &arena, most);
        assert_string_equal(c.key, first.key);
        assert_true(c.digest == first.digest && c.used == first.used);
        ptl_mapping_free(&b);
    }
    ptl_mapping_free(&a);
    ptl_arena_release(&arena);
}

static void names_of_ports_and_order_of_schemes_do_not_matter(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    plan* p = test_malloc(sizeof *p);
    for (int round = 0; round < 300; round++) {
        random_plan(p, &r, 1 + (unsigned)ptl_rng_below(&r, 12), ptl_rng_below(&r, 12), 4);
        assert_invariant(p, &r, 3, 5000);
    }
    random_plan(p, &r, 10, 310, 4);
    assert_invariant(p, &r, 5, 10);
    random_plan(p, &r, 20, 310, 6);
    assert_invariant(p, &r, 3, 10);
    test_free(p);
}

static bool renaming_exists(const ptl_mapping* a, const ptl_mapping* b, ptl_arena* arena) {
    ptl_pairs pairs;
    ptl_renaming renaming;
    bool found;
    assert_int_equal(ptl_pairs_find(&pairs, a, b, arena, NULL), PTL_OK);
    assert_int_equal(ptl_renaming_search(&pairs, &renaming, &found, NULL), PTL_OK);
    return found && !pairs.only_a && !pairs.only_b;
}

/* Small mappings, so that many pairs are equal; the search for a renaming is the independent way. */
static void keys_are_equal_just_if_there_is_a_renaming(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(2);
    plan *p = test_malloc(sizeof *p), *q = test_malloc(sizeof *q);
    int equal = 0, rounds = 4000;
    for (int round = 0; round < rounds; round++) {
        unsigned ports = 2 + (unsigned)ptl_rng_below(&r, 4), widest = 1 + (unsigned)ptl_rng_below(&r, 2);
        random_plan(p, &r, ports, 1 + ptl_rng_below(&r, 2), widest);
        random_plan(q, &r, ports, p->schemes, widest);
        if (ptl_rng_below(&r, 2)) { /* a near miss, with other names */
            *q = *p;
            size_t i = ptl_rng_below(&r, q->schemes);
            if (q->count[i]) q->uops[i][0].ports = random_ports(&r, ports, widest);
        }
        size_t to[22];
        shuffled(&r, to, ports);
        ptl_arena arena = PTL_ARENA_EMPTY;
        ptl_mapping a, b;
        build(&a, p, NULL, NULL);
        build(&b, q, to, NULL);
        bool same = !strcmp(form_of(&a, &arena, 5000).key, form_of(&b, &arena, 5000).key);
        assert_int_equal(same, renaming_exists(&a, &b, &arena));
        equal += same;
        ptl_mapping_free(&a);
        ptl_mapping_free(&b);
        ptl_arena_release(&arena);
    }
    assert_in_range(equal, rounds / 10, rounds * 9 / 10);
    test_free(p);
    test_free(q);
}

/* A mapping of one scheme whose uops are the sets; the form must come fast for any names. */
static void assert_regular(unsigned ports, const ptl_ports* sets, size_t count, unsigned most) {
    ptl_rng r = ptl_rng_seed(3);
    for (int round = 0; round < 4; round++) {
        size_t to[22];
        shuffled(&r, to, ports);
        ptl_uop* uops = test_malloc(count * sizeof *uops);
        const char* keys[2];
        ptl_arena arena = PTL_ARENA_EMPTY;
        for (int renamed = 0; renamed < 2; renamed++) {
            for (size_t i = 0; i < count; i++) {
                uops[i] = (ptl_uop){0, 1};
                for (ptl_ports q = sets[i]; q; q &= q - 1)
                    uops[i].ports |= UINT32_C(1)
                                     << (renamed ? to[__builtin_ctz(q)] : (size_t)__builtin_ctz(q));
            }
            ptl_mapping m;
            assert_int_equal(ptl_mapping_new(&m, port_names, ports, 1, 0, NULL), PTL_OK);
            assert_int_equal(ptl_mapping_add(&m, "s", uops, count, 1, NULL), PTL_OK);
            keys[renamed] = form_of(&m, &arena, most).key;
            ptl_mapping_free(&m);
        }
        assert_string_equal(keys[0], keys[1]);
        ptl_arena_release(&arena);
        test_free(uops);
    }
}

static void uniform_designs_take_one_step(void** state) {
    (void)state;
    static ptl_ports sets[1000];
    for (unsigned ports = 1; ports <= 12; ports++)
        for (unsigned width = 1; width <= ports; width++) {
            size_t count = 0;
            for (ptl_ports p = 1; p < UINT32_C(1) << ports; p++)
                if (ptl_ports_count(p) == width) sets[count++] = p;
            assert_regular(ports, sets, count, 1);
        }
}

static void regular_mappings_take_few_steps(void** state) {
    (void)state;
    ptl_ports sets[400];
    for (unsigned ports = 6; ports <= 20; ports += 2) { /* one ring */
        for (unsigned k = 0; k < ports; k++) sets[k] = 1u << k | 1u << (k + 1) % ports;
        assert_regular(ports, sets, ports, 100);
    }
    for (unsigned k = 0; k < 10; k++) sets[k] = 3u << 2 * k; /* ten pairs */
    assert_regular(20, sets, 10, 1000);
    for (unsigned k = 0; k < 18; k++) sets[k] = 1u << k | 1u << (k / 3 * 3 + (k + 1) % 3); /* six triangles */
    assert_regular(18, sets, 18, 1000);
    for (unsigned k = 0; k < 20; k++)
        sets[k] = 1u << k | 1u << (k / 5 * 5 + (k + 1) % 5); /* four pentagons */
    assert_regular(20, sets, 20, 2000);
    for (unsigned k = 0; k < 7; k++)
        sets[k] = 1u << k | 1u << (k + 1) % 7 | 1u << (k + 3) % 7; /* Fano plane */
    assert_regular(7, sets, 7, 200);
    for (unsigned k = 0; k < 13; k++)
        sets[k] =
            1u << k | 1u << (k + 1) % 13 | 1u << (k + 3) % 13 | 1u << (k + 9) % 13; /* plane of order 3 */
    assert_regular(13, sets, 13, 1000);
    size_t n = 0; /* a cube of four dimensions, a grid of 4 x 4 */
    for (unsigned k = 0; k < 16; k++)
        for (unsigned bit = 1; bit < 16; bit <<= 1)
            if (!(k & bit)) sets[n++] = 1u << k | 1u << (k | bit);
    assert_regular(16, sets, n, 2000);
    n = 0;
    for (unsigned x = 0; x < 16; x++)
        for (unsigned y = 0; y < x; y++)
            if (x / 4 == y / 4 || x % 4 == y % 4) sets[n++] = 1u << x | 1u << y;
    assert_regular(16, sets, n, 2000);
    n = 0; /* the Petersen graph */
    for (unsigned k = 0; k < 5; k++) {
        sets[n++] = 1u << k | 1u << (k + 1) % 5;
        sets[n++] = 1u << k | 1u << (k + 5);
        sets[n++] = 1u << (k + 5) | 1u << ((k + 2) % 5 + 5);
    }
    assert_regular(10, sets, n, 500);
}

static void rings_of_other_lengths_differ(void** state) {
    (void)state;
    plan *p = test_malloc(sizeof *p), *q = test_malloc(sizeof *q);
    ptl_ports ring[6], two[6];
    for (unsigned k = 0; k < 6; k++) {
        ring[k] = 1u << k | 1u << (k + 1) % 6;
        two[k] = 1u << k | 1u << (k / 3 * 3 + (k + 1) % 3);
    }
    single(p, 6, ring, 6);
    single(q, 6, two, 6);
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_mapping a, b;
    build(&a, p, NULL, NULL);
    build(&b, q, NULL, NULL);
    assert_string_not_equal(form_of(&a, &arena, 100).key, form_of(&b, &arena, 100).key);
    ptl_mapping_free(&a);
    ptl_mapping_free(&b);
    ptl_arena_release(&arena);
    test_free(p);
    test_free(q);
}

static void unused_ports_and_what_is_not_explained_do_not_count(void** state) {
    (void)state;
    ptl_mapping a, b;
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_mapping_new(&a, port_names, 3, 2, 4, NULL);
    ptl_mapping_add(&a, "x", &(ptl_uop){2, 1}, 1, 1, NULL);
    ptl_mapping_new(&b, port_names, 1, 2, 0, NULL);
    ptl_mapping_add(&b, "unknown", NULL, 0, 1, NULL);
    ptl_mapping_add(&b, "x", &(ptl_uop){1, 1}, 1, 3, NULL);
    ptl_canonical c = form_of(&a, &arena, 1);
    assert_string_equal(c.key, form_of(&b, &arena, 1).key);
    assert_string_equal(c.key, "1:x 1*1\n");
    assert_int_equal(c.used, 1);
    assert_int_equal(c.order[0], 1);
    assert_int_equal(c.order[1], 0);
    assert_int_equal(c.order[2], 2);
    ptl_mapping_free(&a);
    ptl_mapping_free(&b);
    ptl_arena_release(&arena);
}

static void congruent_schemes_have_equal_usage(void** state) {
    (void)state;
    ptl_mapping m;
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_congruence c;
    ptl_uop split[] = {{1, 1}, {2, 1}, {1, 1}};
    ptl_mapping_new(&m, port_names, 2, 6, 4, NULL);
    ptl_mapping_add(&m, "d", split, 3, 1, NULL);
    ptl_mapping_add(&m, "c", &(ptl_uop){1, 1}, 1, 1, NULL);
    ptl_mapping_add(&m, "b", (ptl_uop[]){{2, 1}, {1, 2}}, 2, 1, NULL);
    ptl_mapping_add(&m, "a", &(ptl_uop){1, 1}, 1, 2, NULL);
    ptl_mapping_add(&m, "0", NULL, 0, 1, NULL);
    assert_int_equal(ptl_congruence_find(&m, false, &arena, &c, NULL), PTL_OK);
    assert_int_equal(c.known, 4);
    assert_int_equal(c.count, 2);
    assert_true(c.class_of[3] == 0 && c.class_of[1] == 0 && c.class_of[0] == 1 && c.class_of[2] == 1);
    assert_true(c.class_of[4] == PTL_NO_CLASS && c.first[0] == 3 && c.first[1] == 2);
    assert_int_equal(ptl_congruence_find(&m, true, &arena, &c, NULL), PTL_OK);
    assert_int_equal(c.count, 3);
    assert_true(c.class_of[3] != c.class_of[1] && c.class_of[0] == c.class_of[2]);
    ptl_mapping_free(&m);
    ptl_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_ports_and_order_of_schemes_do_not_matter),
        cmocka_unit_test(keys_are_equal_just_if_there_is_a_renaming),
        cmocka_unit_test(uniform_designs_take_one_step),
        cmocka_unit_test(regular_mappings_take_few_steps),
        cmocka_unit_test(rings_of_other_lengths_differ),
        cmocka_unit_test(unused_ports_and_what_is_not_explained_do_not_count),
        cmocka_unit_test(congruent_schemes_have_equal_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
