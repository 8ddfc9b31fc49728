#include "smt/lira.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/divisor.h"
#include "base/room.h"
#include "smt/observed.h"

/* A formula that holds of every mapping besides the observations. */
typedef struct side {
    bool same; /* else: fixed rows */
    size_t scheme;
    uint64_t among;
    uint32_t rows[PTL_SCHEMES_MAX];
} side;

struct ptl_lira {
    ptl_lira_options options;
    unsigned lists[3][PTL_SCHEMES_MAX]; /* what the options point to */
    ptl_arith* a;
    ptl_unknown unknown;
    ptl_observed observed;
    side* sides;
    size_t sided;
    double deadline;
};

/* Options outlive the caller's lists. */
static const unsigned* keep(unsigned* to, const unsigned* from, size_t n) {
    if (!from) return NULL;
    memcpy(to, from, (n < PTL_SCHEMES_MAX ? n : PTL_SCHEMES_MAX) * sizeof *to);
    return to;
}

ptl_status ptl_lira_new(ptl_lira** out, const ptl_lira_options* o, ptl_error* error) {
    *out = NULL;
    ptl_lira* s = calloc(1, sizeof *s);
    if (!s) return ptl_no_memory_in(error, "search");
    s->options = *o;
    ptl_unknown_options* m = &s->options.mapping;
    m->counts = keep(s->lists[0], m->counts, m->schemes);
    m->uops = keep(s->lists[1], m->uops, m->schemes);
    m->slots = keep(s->lists[2], m->slots, m->schemes);
    ptl_status status = ptl_arith_new(&s->a, o->seed, error);
    if (!status) status = ptl_unknown_new(&s->unknown, s->a, m, error);
    if (status) {
        ptl_lira_free(s);
        return status;
    }
    *out = s;
    return PTL_OK;
}

void ptl_lira_free(ptl_lira* s) {
    if (!s) return;
    ptl_unknown_free(&s->unknown);
    ptl_arith_free(s->a);
    free(s->observed.list);
    free(s->sides);
    free(s);
}

void ptl_lira_deadline(ptl_lira* s, double when) {
    s->deadline = when;
    ptl_arith_deadline(s->a, when);
}

/* Asserts a formula and lets go of the terms it was made of. */
static void tell(ptl_arith* a, size_t mark, ptl_formula formula) {
    ptl_arith_assert(a, formula);
    ptl_arith_release(a, mark);
}

static ptl_status check_bounds(const ptl_bounds* b, ptl_error* error) {
    bool numbers = !isnan(b->upper);
    for (size_t k = 0; k < b->lowers; k++) {
        numbers = numbers && !isnan(b->lower[k].bound);
        if (b->lower[k].weight)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "take the symmetric reading",
                            "the LIRA encoding knows no bounds at a price");
    }
    return numbers ? PTL_OK : ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "a bound that is not a number");
}

ptl_status ptl_lira_observe(ptl_lira* s, const ptl_terms* terms, const ptl_bounds* bounds, ptl_error* error) {
    ptl_status status = ptl_observed_check(terms, s->unknown.schemes, error);
    if (!status) status = check_bounds(bounds, error);
    if (!status) status = ptl_observed_add(&s->observed, terms, bounds, error);
    if (status) return status;
    size_t mark = ptl_arith_mark(s->a);
    tell(s->a, mark, ptl_unknown_admits(&s->unknown, &s->observed.list[s->observed.count - 1]));
    return PTL_OK;
}

static ptl_formula side_formula(const ptl_unknown* u, const side* x) {
    return x->same ? ptl_unknown_shares(u, x->scheme, x->among) : ptl_unknown_has(u, x->rows);
}

static ptl_status add_side(ptl_lira* s, const side* x, ptl_error* error) {
    if (s->unknown.free)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "give numbers of uops",
                        "the free form has no uops to speak of");
    if (!ptl_resize(&s->sides, s->sided + 1, sizeof *s->sides)) return ptl_no_memory_in(error, "search");
    s->sides[s->sided++] = *x;
    size_t mark = ptl_arith_mark(s->a);
    tell(s->a, mark, side_formula(&s->unknown, x));
    return PTL_OK;
}

ptl_status ptl_lira_fix(ptl_lira* s, const uint32_t* rows, ptl_error* error) {
    side x = {.same = false};
    for (size_t r = 0; r < s->unknown.uops.rows; r++) {
        x.rows[r] = rows[r];
        if ((uint64_t)rows[r] >> s->unknown.ports)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "allow more ports",
                            "given ports beyond the %zu there are", s->unknown.ports);
    }
    return add_side(s, &x, error);
}

ptl_status ptl_lira_same(ptl_lira* s, size_t scheme, uint64_t among, ptl_error* error) {
    const ptl_uops* u = &s->unknown.uops;
    bool single = false;
    for (size_t j = 0; j < u->schemes; j++)
        single = single || ((among >> j & 1) && j != scheme && u->first[j + 1] - u->first[j] == 1);
    if (!single)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "name one",
                        "no scheme with a single uop to share it with");
    return add_side(s, &(side){.same = true, .scheme = scheme, .among = among}, error);
}

ptl_status ptl_lira_cycles(const ptl_lira* s, const ptl_known* mapping, const ptl_terms* terms,
                           double* cycles, ptl_error* error) {
    ptl_status status = ptl_known_cycles(mapping, terms, cycles, error);
    double slots = 0;
    for (size_t k = 0; k < terms->count; k++)
        slots += (double)terms->copies[k] * s->unknown.uops.slots[terms->scheme[k]];
    if (!status && s->options.rmax > 0) *cycles = fmax(*cycles, slots / s->options.rmax);
    return status;
}

/* Arithmetic outside of the solver must agree with its answer. */
static ptl_status verify(const ptl_lira* s, const ptl_known* mapping, ptl_error* error) {
    for (size_t k = 0; k < s->observed.count; k++) {
        double t;
        unsigned cost;
        ptl_status status = ptl_known_cycles(mapping, &s->observed.list[k].terms, &t, error);
        if (status) return status;
        if (!ptl_bounds_admit(&s->observed.list[k].bounds, t, &cost))
            return ptl_fail(error, PTL_INTERNAL, "query", NULL, "formulas and Theorem 5.2 disagree");
    }
    return PTL_OK;
}

ptl_status ptl_lira_mapping(ptl_lira* s, bool* found, ptl_known* mapping, ptl_error* error) {
    ptl_status status = ptl_arith_check(s->a, NULL, 0, found, error);
    if (!status && *found) status = ptl_unknown_read(&s->unknown, mapping, error);
    if (!status && *found) status = verify(s, mapping, error);
    return status;
}

/* The experiment that is looked for: copies of each scheme and what follows from them. */
typedef struct wanted {
    ptl_formula copies[PTL_SCHEMES_MAX];
    ptl_formula length, floor; /* real: instructions; cycles that the front end takes */
} wanted;

static ptl_formula fraction(ptl_arith* a, double x) {
    int64_t num, den;
    ptl_fraction(x, &num, &den);
    return ptl_arith_ratio(a, num, den);
}

static void want(ptl_lira* s, size_t max_length, wanted* w) {
    ptl_arith* a = s->a;
    const ptl_unknown* u = &s->unknown;
    ptl_formula slots[PTL_SCHEMES_MAX], zero = ptl_arith_whole(a, 0);
    for (size_t i = 0; i < u->schemes; i++) {
        w->copies[i] = ptl_arith_variable(a, PTL_WHOLE, "exp.%zu", i);
        ptl_arith_assert(a, ptl_arith_at_most(a, zero, w->copies[i]));
        slots[i] = ptl_arith_product(a, ptl_arith_whole(a, u->uops.slots[i]), w->copies[i]);
    }
    ptl_formula length = ptl_arith_sum(a, w->copies, u->schemes);
    ptl_arith_assert(a, ptl_arith_at_most(a, ptl_arith_whole(a, 1), length));
    if (max_length)
        ptl_arith_assert(a, ptl_arith_at_most(a, length, ptl_arith_whole(a, (int64_t)max_length)));
    w->length = ptl_arith_real(a, length);
    if (s->options.rmax > 0)
        w->floor = ptl_arith_product(a, fraction(a, 1 / s->options.rmax),
                                     ptl_arith_real(a, ptl_arith_sum(a, slots, u->schemes)));
}

/* Cycles of a new variable t, or the front end's where these are more (section 4.3). */
static ptl_formula limited(ptl_lira* s, const wanted* w, ptl_formula t) {
    return s->options.rmax > 0 ? ptl_arith_if(s->a, ptl_arith_at_most(s->a, t, w->floor), w->floor, t) : t;
}

/* phi_findOtherMapping besides the observations; into a level of its own. */
static void ask_other(ptl_lira* s, const ptl_known* mapping, size_t max_length, wanted* w) {
    ptl_arith* a = s->a;
    ptl_arith_push(a);
    want(s, max_length, w);
    ptl_formula t1 = ptl_arith_variable(a, PTL_REAL, "t1"), t2 = ptl_arith_variable(a, PTL_REAL, "t2");
    ptl_arith_assert(a, ptl_known_relate(&s->unknown, mapping, w->copies, t1));
    ptl_arith_assert(a, ptl_unknown_relate(&s->unknown, w->copies, t2));
    ptl_formula gap = ptl_arith_product(a, fraction(a, 2 * s->options.epsilon), w->length);
    ptl_formula one = limited(s, w, t1), two = limited(s, w, t2);
    ptl_formula apart[2] = {
        ptl_arith_below(a, ptl_arith_sum(a, (ptl_formula[]){one, gap}, 2), two),
        ptl_arith_below(a, ptl_arith_sum(a, (ptl_formula[]){two, gap}, 2), one),
    };
    ptl_arith_assert(a, ptl_arith_or(a, apart, 2));
}

/* The experiment in the solver's model; shortened where all counts have a divisor in common. */
static ptl_status read_experiment(const ptl_lira* s, const wanted* w, ptl_terms* out, ptl_error* error) {
    enum { COPIES_MAX = 1000000 };
    uint64_t divisor = 0;
    *out = (ptl_terms){0};
    int64_t copies[PTL_SCHEMES_MAX];
    for (size_t i = 0; i < s->unknown.schemes; i++) {
        copies[i] = ptl_arith_number(s->a, w->copies[i]);
        divisor = ptl_common_divisor(divisor, copies[i] > 0 ? (uint64_t)copies[i] : 0);
    }
    for (size_t i = 0; i < s->unknown.schemes; i++) {
        if (copies[i] == 0) continue;
        if (copies[i] < 0 || (uint64_t)copies[i] / divisor > COPIES_MAX || out->count == PTL_TERMS_MAX)
            return ptl_fail(error, PTL_LIMIT, NULL, "bound its length", "too large an experiment");
        out->scheme[out->count] = (uint8_t)i;
        out->copies[out->count++] = (uint32_t)((uint64_t)copies[i] / divisor);
    }
    return PTL_OK;
}

static ptl_status verify_other(const ptl_lira* s, const ptl_known* mapping, const ptl_known* other,
                               const ptl_terms* experiment, ptl_error* error) {
    double one, two, length = 0;
    ptl_status status = verify(s, other, error);
    if (!status) status = ptl_lira_cycles(s, mapping, experiment, &one, error);
    if (!status) status = ptl_lira_cycles(s, other, experiment, &two, error);
    if (status) return status;
    for (size_t k = 0; k < experiment->count; k++) length += experiment->copies[k];
    return fabs(one - two) > 2 * s->options.epsilon * length - PTL_SLACK
               ? PTL_OK
               : ptl_fail(error, PTL_INTERNAL, "query", NULL, "formulas and Theorem 5.2 disagree");
}

ptl_status ptl_lira_other(ptl_lira* s, const ptl_known* mapping, size_t max_length, bool* found,
                          ptl_known* other, ptl_terms* experiment, ptl_error* error) {
    wanted w;
    size_t mark = ptl_arith_mark(s->a);
    ask_other(s, mapping, max_length, &w);
    ptl_status status = ptl_arith_check(s->a, NULL, 0, found, error);
    if (!status && *found) status = ptl_unknown_read(&s->unknown, other, error);
    if (!status && *found) status = read_experiment(s, &w, experiment, error);
    ptl_arith_pop(s->a);
    ptl_arith_release(s->a, mark);
    if (!status && *found) status = verify_other(s, mapping, other, experiment, error);
    return status;
}

char* ptl_lira_text(ptl_lira* s, const ptl_known* mapping, size_t max_length) {
    if (!mapping) return ptl_arith_text(s->a);
    wanted w;
    size_t mark = ptl_arith_mark(s->a);
    ask_other(s, mapping, max_length, &w);
    char* text = ptl_arith_text(s->a);
    ptl_arith_pop(s->a);
    ptl_arith_release(s->a, mark);
    return text;
}

/* Can the chosen observations hold, all but the one at `without`? If not, those that the core names remain.
 */
static ptl_status refute(ptl_arith* a, const ptl_formula* guards, size_t* which, size_t* n, size_t without,
                         bool* sat, ptl_error* error) {
    ptl_formula* assumed = malloc((*n + 1) * sizeof *assumed);
    if (!assumed) return ptl_no_memory_in(error, "conflict");
    size_t m = 0, kept = 0;
    for (size_t i = 0; i < *n; i++)
        if (i != without) assumed[m++] = guards[which[i]];
    ptl_status status = ptl_arith_check(a, assumed, m, sat, error);
    free(assumed);
    if (status || *sat) return status;
    for (size_t i = 0; i < *n; i++)
        if (i != without && ptl_arith_in_core(a, guards[which[i]])) which[kept++] = which[i];
    *n = kept;
    return PTL_OK;
}

/* Deletion: whatever can be left out is left out. What was needed once stays, as it is in every core of fewer
 * observations. */
static ptl_status minimise(ptl_arith* a, const ptl_formula* guards, size_t* which, size_t* n,
                           ptl_error* error) {
    bool sat = false;
    ptl_status status = refute(a, guards, which, n, SIZE_MAX, &sat, error);
    if (!status && sat) *n = 0;
    for (size_t k = 0; k < *n && !status;) {
        status = refute(a, guards, which, n, k, &sat, error);
        if (sat) k++;
    }
    return status;
}

/* In a solver of its own, where each observation holds if its guard does. */
static ptl_status find_conflict(const ptl_lira* s, ptl_arith* a, const ptl_unknown* u, size_t* which,
                                size_t* n, ptl_error* error) {
    ptl_formula* guards = malloc((s->observed.count + 1) * sizeof *guards);
    if (!guards) return ptl_no_memory_in(error, "conflict");
    for (size_t k = 0; k < s->observed.count; k++) {
        guards[k] = ptl_arith_variable(a, PTL_BOOLEAN, "observation.%zu", k);
        which[k] = k;
    }
    size_t mark = ptl_arith_mark(a);
    for (size_t k = 0; k < s->sided; k++) tell(a, mark, side_formula(u, &s->sides[k]));
    for (size_t k = 0; k < s->observed.count; k++)
        tell(a, mark, ptl_arith_implies(a, guards[k], ptl_unknown_admits(u, &s->observed.list[k])));
    *n = s->observed.count;
    ptl_status status = minimise(a, guards, which, n, error);
    free(guards);
    return status;
}

ptl_status ptl_lira_conflict(const ptl_lira* s, size_t* which, size_t* n, ptl_error* error) {
    ptl_arith* a;
    ptl_unknown u;
    *n = 0;
    ptl_status status = ptl_arith_new(&a, s->options.seed, error);
    if (status) return status;
    ptl_arith_deadline(a, s->deadline);
    status = ptl_unknown_new(&u, a, &s->options.mapping, error);
    if (!status) status = find_conflict(s, a, &u, which, n, error);
    if (status) *n = 0;
    ptl_unknown_free(&u);
    ptl_arith_free(a);
    return status;
}

const ptl_unknown* ptl_lira_unknown(const ptl_lira* s) {
    return &s->unknown;
}

size_t ptl_lira_observations(const ptl_lira* s) {
    return s->observed.count;
}

double ptl_lira_seconds(const ptl_lira* s) {
    return ptl_arith_seconds(s->a);
}

size_t ptl_lira_checks(const ptl_lira* s) {
    return ptl_arith_checks(s->a);
}
