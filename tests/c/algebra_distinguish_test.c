#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "algebra/compare.h"
#include "algebra/distinguish_lp.h"
#include "base/interrupt.h"
#include "model/port_unions.h"
#include "random_model.h"

#define ROUNDS(n) (SANITIZED ? (n) / 10 : (n))

static const char* const port_names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

typedef struct two {
    ptl_mapping a, b;
    ptl_arena arena;
    ptl_pairs pairs;
} two;

static void pair_up(two* t) {
    t->arena = PTL_ARENA_EMPTY;
    assert_int_equal(ptl_pairs_find(&t->pairs, &t->a, &t->b, &t->arena, NULL), PTL_OK);
}

static void release(two* t) {
    ptl_arena_release(&t->arena);
    ptl_mapping_free(&t->a);
    ptl_mapping_free(&t->b);
}

/* A copy with the ports renamed: port k becomes to[k]. */
static void renamed_copy(ptl_mapping* out, const ptl_mapping* m, const size_t* to) {
    assert_int_equal(ptl_mapping_new(out, port_names, m->port_count, m->scheme_count, m->rmax, NULL), PTL_OK);
    for (size_t i = 0; i < m->scheme_count; i++) {
        const ptl_usage* u = &m->schemes[i];
        ptl_uop uops[16];
        for (uint32_t j = 0; j < u->uop_count; j++) {
            uops[j] = (ptl_uop){0, u->uops[j].count};
            for (ptl_ports p = u->uops[j].ports; p; p &= p - 1)
                uops[j].ports |= UINT32_C(1) << to[__builtin_ctz(p)];
        }
        assert_int_equal(ptl_mapping_add(out, u->name, uops, u->uop_count, u->slots, NULL), PTL_OK);
        if (u->unit)
            assert_int_equal(ptl_mapping_keep_busy(out, (uint32_t)i, u->unit, u->busy, NULL), PTL_OK);
    }
}

/* What was found does tell; returns the gap of CPIs. */
static double verified_gap(const two* t, const ptl_distinction* d, double epsilon) {
    double a, b;
    assert_true(d->found && d->complete);
    assert_int_equal(ptl_both_cycles(&t->pairs, &d->experiment, &a, &b, NULL), PTL_OK);
    assert_true(a == d->cycles_a && b == d->cycles_b);
    double gap = fabs(a - b) / (double)ptl_experiment_length(&d->experiment);
    assert_true(gap > 2 * epsilon);
    return gap;
}

/* The term of q at one scheme; PTL_ISSUE_TERM: of R_max. */
static double term(const ptl_mapping* m, uint32_t scheme, ptl_ports q) {
    const ptl_usage* u = &m->schemes[scheme];
    if (q == PTL_ISSUE_TERM) return m->rmax > 0 ? u->slots / m->rmax : 0;
    double inside = 0;
    for (uint32_t j = 0; j < u->uop_count; j++)
        if ((u->uops[j].ports | q) == q) inside += u->uops[j].count;
    return inside / __builtin_popcount(q);
}

static void check_cover(const two* t, const ptl_cover* c, double epsilon) {
    const ptl_mapping *slow = c->of_a ? &t->a : &t->b, *fast = c->of_a ? &t->b : &t->a;
    double sum = 0;
    for (size_t j = 0; j < c->size; j++) {
        assert_true(c->weight[j] > 0);
        sum += c->weight[j];
    }
    assert_true(sum <= 1 + 1e-9);
    for (size_t i = 0; i < t->pairs.count; i++) {
        uint32_t in_slow = c->of_a ? t->pairs.in_a[i] : t->pairs.in_b[i];
        uint32_t in_fast = c->of_a ? t->pairs.in_b[i] : t->pairs.in_a[i];
        double above = term(slow, in_slow, c->ports);
        for (size_t j = 0; j < c->size; j++) above -= c->weight[j] * term(fast, in_fast, c->by[j]);
        assert_true(above <= 2 * epsilon + 1e-8);
    }
}

/* Every set of ports of either mapping has a cover. Those of R_max are not asked for here. */
static void check_all_covered(const two* t, const ptl_proof* proof) {
    for (int side = 0; side < 2; side++) {
        const ptl_mapping* m = side ? &t->a : &t->b;
        for (size_t i = 0; i < t->pairs.count; i++) {
            const ptl_usage* u = &m->schemes[side ? t->pairs.in_a[i] : t->pairs.in_b[i]];
            for (uint32_t j = 0; j < u->uop_count; j++) {
                bool covered = false;
                for (size_t k = 0; k < proof->count && !covered; k++)
                    covered = proof->covers[k].of_a == side && proof->covers[k].ports == u->uops[j].ports;
                assert_true(covered);
            }
        }
    }
}

/* Where it says that nothing tells, it must prove it; there are no proofs of mappings with units. */
static ptl_distinction by_lp(two* t, double epsilon) {
    ptl_distinction d;
    ptl_error e;
    ptl_proof proof = {.arena = &t->arena};
    bool units = t->a.unit_count || t->b.unit_count;
    if (ptl_distinguish_with_proof(&t->pairs, epsilon, &t->arena, &d, units ? NULL : &proof, &e))
        fail_msg("%s", e.what);
    if (units || d.found || !d.complete || t->pairs.count == 0) return d;
    for (size_t k = 0; k < proof.count; k++) check_cover(t, &proof.covers[k], epsilon);
    check_all_covered(t, &proof);
    return d;
}

static const double limits[] = {0, 0, 3, 4.5};

/* Changes a port of a uop of some scheme, a few times: near misses are the interesting ones. The port sets of
 * a scheme may coincide afterwards, which is no harm. */
static void perturb(ptl_mapping* m, ptl_rng* r, uint64_t times) {
    for (; times > 0; times--) {
        const ptl_usage* u = &m->schemes[ptl_rng_below(r, m->scheme_count)];
        if (!u->uop_count) continue;
        ptl_uop* uop = (ptl_uop*)&u->uops[ptl_rng_below(r, u->uop_count)];
        ptl_ports flipped = uop->ports ^ (UINT32_C(1) << ptl_rng_below(r, m->port_count));
        if (flipped) uop->ports = flipped;
    }
}

static const size_t same_ports[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

/* Two levels: Theorem B decides exactly. */
static void programs_agree_with_theorem_b(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(1);
    int found = 0, rounds = ROUNDS(2000);
    for (int round = 0; round < rounds; round++) {
        unsigned ports = 2 + (unsigned)ptl_rng_below(&r, 7);
        double epsilon = 0.0123 * (double)ptl_rng_below(&r, 10);
        two t;
        random_shape shape = {.ports = ports, .schemes = 6, .widest = 4, .uops = 1, .count = 1, .slots = 1};
        shape.rmax = limits[ptl_rng_below(&r, 4)];
        random_mapping(&t.a, &r, &shape);
        renamed_copy(&t.b, &t.a, same_ports);
        t.b.rmax = limits[ptl_rng_below(&r, 4)];
        perturb(&t.b, &r, ptl_rng_below(&r, 3));
        pair_up(&t);
        ptl_distinction exact, lp = by_lp(&t, epsilon);
        assert_int_equal(ptl_distinguish_two_level(&t.pairs, epsilon, &t.arena, &exact, NULL), PTL_OK);
        assert_true(exact.complete && lp.complete);
        assert_int_equal(exact.found, lp.found);
        if (lp.found) verified_gap(&t, &lp, epsilon), found++;
        release(&t);
    }
    assert_in_range(found, rounds / 10, rounds - rounds / 10);
}

static random_shape three_level(ptl_rng* r, unsigned ports, unsigned schemes) {
    return (random_shape){.ports = ports,
                          .schemes = schemes,
                          .widest = 4,
                          .uops = 3,
                          .count = 2,
                          .slots = 3,
                          .eliminated = 0.1,
                          .rmax = limits[ptl_rng_below(r, 4)]};
}

static void renamed_copies_are_proved_the_same(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(2);
    for (int round = 0; round < ROUNDS(300); round++) {
        two t;
        random_shape shape = three_level(&r, 1 + (unsigned)ptl_rng_below(&r, 9), 12);
        random_mapping(&t.a, &r, &shape);
        size_t to[10];
        memcpy(to, same_ports, sizeof to);
        ptl_rng_shuffle(&r, to, shape.ports);
        renamed_copy(&t.b, &t.a, to);
        pair_up(&t);
        ptl_distinction d = by_lp(&t, round % 2 ? 0 : 0.02);
        assert_true(!d.found && d.complete);
        release(&t);
    }
}

/* Every experiment of up to four schemes with at most two (three) instances of each: the largest gap. */
static double gap_by_trying(const two* t, uint32_t most) {
    double largest = 0;
    ptl_term terms[4];
    for (uint32_t code = 1; code < (most + 1) * (most + 1) * (most + 1) * (most + 1); code++) {
        ptl_experiment e = {terms, 4};
        uint32_t rest = code;
        for (uint32_t i = 0; i < 4; i++, rest /= most + 1) terms[i] = (ptl_term){i, rest % (most + 1)};
        ptl_experiment_canonical(&e);
        double a, b;
        assert_int_equal(ptl_both_cycles(&t->pairs, &e, &a, &b, NULL), PTL_OK);
        largest = fmax(largest, fabs(a - b) / (double)ptl_experiment_length(&e));
    }
    return largest;
}

static void programs_miss_nothing_that_trying_finds(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(3);
    int found = 0, only_lp = 0, rounds = ROUNDS(1000);
    for (int round = 0; round < rounds; round++) {
        two t;
        random_shape shape = three_level(&r, 2 + (unsigned)ptl_rng_below(&r, 4), 4);
        shape.units = (unsigned)ptl_rng_below(&r, 3);
        random_mapping(&t.a, &r, &shape);
        renamed_copy(&t.b, &t.a, same_ports);
        perturb(&t.b, &r, 1 + ptl_rng_below(&r, 2));
        for (uint32_t i = 0; i < 4 && shape.units && round % 2; i++)
            if (t.b.schemes[i].unit) t.b.schemes[i].busy *= 0.5 + ptl_rng_unit(&r);
        if (ptl_rng_below(&r, 4) == 0) t.b.rmax = limits[ptl_rng_below(&r, 4)];
        pair_up(&t);
        double tried = gap_by_trying(&t, 3);
        /* just below and just above what was seen: below must be found */
        ptl_distinction d = tried > 0.002 ? by_lp(&t, (tried - 0.001) / 2) : by_lp(&t, 0);
        assert_true(d.complete);
        if (tried > 0.002) assert_true(d.found);
        if (d.found) verified_gap(&t, &d, tried > 0.002 ? (tried - 0.001) / 2 : 0), found++;
        if (tried < 1e-9 && d.found) only_lp++; /* may be: it needs other proportions */
        d = by_lp(&t, tried / 2 + 0.001);
        assert_true(d.complete);
        if (d.found) assert_true(verified_gap(&t, &d, tried / 2 + 0.001) > tried);
        release(&t);
    }
    assert_in_range(found, rounds / 4, rounds);
    assert_in_range(only_lp, 0, rounds / 20);
}

/* s is one uop on port 0 and one on port 1; or two uops that both may use. Alone that is the same. */
static void what_no_other_scheme_shows_is_proved_indistinguishable(void** state) {
    (void)state;
    static const ptl_uop apart[] = {{1, 1}, {2, 1}}, together[] = {{3, 2}};
    for (int with_other = 0; with_other < 2; with_other++) {
        two t;
        ptl_mapping_new(&t.a, port_names, 3, 3, 0, NULL);
        ptl_mapping_new(&t.b, port_names, 3, 3, 0, NULL);
        ptl_mapping_add(&t.a, "s", apart, 2, 1, NULL);
        ptl_mapping_add(&t.b, "s", together, 1, 1, NULL);
        ptl_mapping_add(&t.a, "elsewhere", &(ptl_uop){4, 1}, 1, 1, NULL);
        ptl_mapping_add(&t.b, "elsewhere", &(ptl_uop){4, 1}, 1, 1, NULL);
        if (with_other) { /* port 0 under both: s + other takes 2 cycles or 1.5 */
            ptl_mapping_add(&t.a, "other", &(ptl_uop){1, 1}, 1, 1, NULL);
            ptl_mapping_add(&t.b, "other", &(ptl_uop){1, 1}, 1, 1, NULL);
        }
        pair_up(&t);
        for (int i = 0; i < 2; i++) {
            ptl_distinction d;
            double epsilon = i ? 0.02 : 0;
            assert_int_equal(ptl_distinguish(&t.pairs, epsilon, 0, &t.arena, &d, NULL), PTL_OK);
            assert_true(d.complete);
            assert_int_equal(d.found, with_other);
            d = by_lp(&t, epsilon);
            assert_true(d.complete);
            assert_int_equal(d.found, with_other);
            if (with_other) assert_true(verified_gap(&t, &d, epsilon) == 0.25 && d.experiment.size == 2);
        }
        ptl_comparison c;
        assert_int_equal(ptl_compare(&t.a, &t.b, 0.02, 0, &t.arena, &c, NULL), PTL_OK);
        assert_true(!c.equal && c.distinction.complete);
        /* with x of other and 1 - x of s it is 1 and max(1 - x / 2, x) CPI: at most 1 / 3 apart */
        if (with_other) assert_true(by_lp(&t, 1.0 / 6 - 1e-6).found && !by_lp(&t, 1.0 / 6 + 1e-6).found);
        release(&t);
    }
}

/* The front end alone may tell: R_max or issue slots. */
static void limits_on_issue_count(void** state) {
    (void)state;
    two t;
    ptl_mapping_new(&t.a, port_names, 4, 2, 4, NULL);
    ptl_mapping_new(&t.b, port_names, 4, 2, 4, NULL);
    ptl_mapping_add(&t.a, "add", &(ptl_uop){15, 1}, 1, 1, NULL);
    ptl_mapping_add(&t.b, "add", &(ptl_uop){15, 1}, 1, 1, NULL);
    ptl_mapping_add(&t.a, "mov", (ptl_uop[1]){{0}}, 0, 1, NULL);
    ptl_mapping_add(&t.b, "mov", (ptl_uop[1]){{0}}, 0, 2, NULL);
    pair_up(&t);
    ptl_distinction d = by_lp(&t, 0.02);
    assert_true(verified_gap(&t, &d, 0.02) == 0.25 && d.experiment.size == 1);
    assert_true(by_lp(&t, 0.13).complete && !by_lp(&t, 0.13).found);
    t.a.rmax = 0; /* then the moves take no time at all */
    d = by_lp(&t, 0.2);
    assert_true(verified_gap(&t, &d, 0.2) == 0.5);
    t.b.rmax = 0;
    d = by_lp(&t, 0);
    assert_true(d.complete && !d.found);
    release(&t);
}

/* Two schemes that each keep something busy: the same unit, or one each. Only both together tell. */
static void units_are_shared_or_not(void** state) {
    (void)state;
    two t;
    ptl_mapping_new(&t.a, port_names, 1, 2, 0, NULL);
    ptl_mapping_new(&t.b, port_names, 1, 2, 0, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        ptl_mapping_add(&t.a, i ? "sqrt" : "div", &(ptl_uop){1, 1}, 1, 1, NULL);
        ptl_mapping_add(&t.b, i ? "sqrt" : "div", &(ptl_uop){1, 1}, 1, 1, NULL);
        ptl_mapping_keep_busy(&t.a, i, 1, i ? 4 : 8, NULL);
        ptl_mapping_keep_busy(&t.b, i, i + 1, i ? 4 : 8, NULL);
    }
    pair_up(&t);
    ptl_comparison c;
    assert_int_equal(ptl_compare(&t.a, &t.b, 0.02, 0, &t.arena, &c, NULL), PTL_OK);
    assert_true(c.equal && !c.same_limits && verified_gap(&t, &c.distinction, 0.02) > 0);
    ptl_distinction d =
        by_lp(&t, 1.3); /* x of div: at most 8 x + 4 (1 - x) and max(8 x, 4 (1 - x)), 8 / 3 apart */
    assert_true(verified_gap(&t, &d, 1.3) <= 8.0 / 3 && d.experiment.size == 2);
    assert_true(by_lp(&t, 1.34).complete && !by_lp(&t, 1.34).found);
    t.b.schemes[1].unit = 1;
    t.b.schemes[1].busy = 4.01; /* less than measurements resolve */
    assert_int_equal(ptl_compare(&t.a, &t.b, 0.02, 0, &t.arena, &c, NULL), PTL_OK);
    assert_true(!c.same_limits && !c.distinction.found && c.distinction.complete);
    t.b.schemes[1].busy = 4;
    assert_int_equal(ptl_compare(&t.a, &t.b, 0.02, 0, &t.arena, &c, NULL), PTL_OK);
    assert_true(c.same_limits && c.distinction.complete);
    assert_int_equal(ptl_mapping_keep_busy(&t.a, 0, 3, 1, NULL), PTL_BAD_INPUT);
    assert_int_equal(ptl_mapping_keep_busy(&t.a, 0, 1, -1, NULL), PTL_BAD_INPUT);
    release(&t);
}

/* A gap that shows only in rather exact proportions: the experiment has them. */
static void odd_proportions_are_found(void** state) {
    (void)state;
    two t;
    ptl_mapping_new(&t.a, port_names, 5, 2, 0, NULL);
    ptl_mapping_new(&t.b, port_names, 5, 2, 0, NULL);
    ptl_uop x[] = {{1, 37}, {2, 100}}, y[] = {{1, 101}};
    ptl_mapping_add(&t.a, "x", x, 2, 1, NULL);
    ptl_mapping_add(&t.a, "y", y, 1, 1, NULL);
    x[0].count = 38; /* seen as soon as port 0 is the bottleneck, most where it is just so under both */
    ptl_mapping_add(&t.b, "x", x, 2, 1, NULL);
    ptl_mapping_add(&t.b, "y", y, 1, 1, NULL);
    pair_up(&t);
    /* a: max(37 x + 101 y, 100 x), b: max(38 x + 101 y, 100 x); the gap is x where 37 x + 101 y >= 100 x: x =
     * 101 / 164 */
    ptl_distinction d = by_lp(&t, 101.0 / 164 / 2 - 1e-8);
    assert_true(verified_gap(&t, &d, 0.3) > 0.6158);
    assert_int_equal(ptl_experiment_length(&d.experiment), 164);
    d = by_lp(&t, 101.0 / 164 / 2 + 1e-8);
    assert_true(d.complete && !d.found);
    release(&t);
}

static void mappings_of_the_usual_size_are_decided(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(5);
    two t;
    random_shape shape = three_level(&r, 9, SANITIZED ? 60 : 250);
    shape.rmax = 5;
    random_mapping(&t.a, &r, &shape);
    renamed_copy(&t.b, &t.a, (const size_t[]){8, 3, 1, 0, 7, 2, 6, 5, 4});
    pair_up(&t);
    ptl_distinction d = by_lp(&t, 0.001);
    assert_true(d.complete && !d.found);
    t.b.rmax = 5.1;
    d = by_lp(&t, 0.001); /* 3 slots: 0.6 and 0.588 */
    verified_gap(&t, &d, 0.001);
    release(&t);
}

/* Every union is there once, and nothing else is: each set is the union of the uops inside it. */
static void unions_of_ports_are_all_there(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(7);
    for (int round = 0; round < ROUNDS(200); round++) {
        ptl_mapping m;
        random_shape shape = three_level(&r, 1 + (unsigned)ptl_rng_below(&r, 9), 5);
        random_mapping(&m, &r, &shape);
        const ptl_usage* usages[5];
        for (size_t i = 0; i < 5; i++) usages[i] = &m.schemes[i];
        ptl_arena arena = PTL_ARENA_EMPTY;
        ptl_port_unions all;
        assert_int_equal(ptl_port_unions_of(usages, 5, &arena, &all, NULL), PTL_OK);
        size_t expected = 0;
        for (ptl_ports q = 1; q < UINT32_C(1) << shape.ports; q++) {
            ptl_ports covered = 0;
            for (size_t i = 0; i < 5; i++)
                for (uint32_t j = 0; j < usages[i]->uop_count; j++)
                    if (!(usages[i]->uops[j].ports & ~q)) covered |= usages[i]->uops[j].ports;
            size_t times = 0;
            for (size_t i = 0; i < all.count; i++) times += all.sets[i] == q;
            assert_int_equal(times, covered == q);
            expected += covered == q;
        }
        assert_int_equal(all.count, expected);
        assert_false(all.cut);
        ptl_arena_release(&arena);
        ptl_mapping_free(&m);
    }
}

/* 2^17 sets of ports are not looked through: then there is no claim of a proof. */
static void too_many_sets_of_ports_are_no_proof(void** state) {
    (void)state;
    static const char* const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                        "j", "k", "l", "m", "n", "o", "p", "q"};
    two t;
    assert_int_equal(ptl_mapping_new(&t.a, names, 17, 17, 0, NULL), PTL_OK);
    assert_int_equal(ptl_mapping_new(&t.b, names, 17, 17, 0, NULL), PTL_OK);
    for (unsigned i = 0; i < 17; i++) {
        ptl_mapping_add(&t.a, names[i], &(ptl_uop){UINT32_C(1) << i, 2}, 1, 1, NULL);
        ptl_mapping_add(&t.b, names[i], &(ptl_uop){UINT32_C(1) << (16 - i), 2}, 1, 1, NULL);
    }
    pair_up(&t);
    ptl_distinction d = by_lp(&t, 0.02);
    assert_true(!d.found && !d.complete && d.examined >= 2 * PTL_PORT_UNIONS_MAX);
    release(&t);
}

static void it_can_be_interrupted(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(6);
    two t;
    random_shape shape = three_level(&r, 6, 20);
    random_mapping(&t.a, &r, &shape);
    renamed_copy(&t.b, &t.a, (const size_t[]){5, 3, 1, 0, 4, 2});
    pair_up(&t);
    ptl_distinction d;
    ptl_interrupt_set(true);
    assert_int_equal(ptl_distinguish_by_lp(&t.pairs, 0.02, &t.arena, &d, NULL), PTL_INTERRUPTED);
    ptl_interrupt_set(false);
    assert_true(!d.complete && !d.found);
    release(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_agree_with_theorem_b),
        cmocka_unit_test(renamed_copies_are_proved_the_same),
        cmocka_unit_test(programs_miss_nothing_that_trying_finds),
        cmocka_unit_test(what_no_other_scheme_shows_is_proved_indistinguishable),
        cmocka_unit_test(limits_on_issue_count),
        cmocka_unit_test(units_are_shared_or_not),
        cmocka_unit_test(odd_proportions_are_found),
        cmocka_unit_test(mappings_of_the_usual_size_are_decided),
        cmocka_unit_test(unions_of_ports_are_all_there),
        cmocka_unit_test(too_many_sets_of_ports_are_no_proof),
        cmocka_unit_test(it_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
