#include "smt/confined.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

ptl_status ptl_confined_new(ptl_confined* q, ptl_columns* c, const ptl_uops* u, uint64_t schemes,
                            ptl_error* error) {
    ptl_literal in[PTL_CANDIDATE_PORTS_MAX], row[PTL_SCHEMES_MAX];
    *q = (ptl_confined){.columns = c, .uops = u};
    for (size_t k = 0; k < c->ports; k++) in[k] = ptl_z3_variable(c->z, "q.%zu", k);
    bool ok = ptl_count(c->z, in, c->ports, q->size);
    for (size_t i = 0; i < u->schemes && ok; i++) {
        if (!(schemes >> i & 1)) continue;
        size_t first = u->first[i], n = u->first[i + 1] - first;
        for (size_t r = first; r < first + n; r++) {
            row[r] = ptl_z3_variable(c->z, "inside.%zu", r);
            for (size_t k = 0; k < c->ports; k++)
                ptl_z3_or(c->z, -row[r], -c->runs[r * c->ports + k], in[k], 0);
        }
        ok = ptl_count(c->z, row + first, n, q->inside + first);
    }
    return ok ? PTL_OK : ptl_no_memory_in(error, "query");
}

/* Sums that can be reached, ascending, each with a literal that implies that it is (a generalised totalizer
 * in one direction: Joshi, Martins, Manquinho 2015). */
typedef struct sums {
    size_t count;
    uint32_t* value;
    ptl_literal* reached;
} sums;

static bool sums_new(sums* s, size_t room) {
    *s = (sums){.value = malloc((room + 1) * sizeof *s->value),
                .reached = malloc((room + 1) * sizeof *s->reached)};
    return s->value && s->reached;
}

static void sums_free(sums* s) {
    free(s->value);
    free(s->reached);
    *s = (sums){0};
}

static void list_sums(const sums* a, const sums* b, sums* out) {
    size_t n = 0, unique = 0;
    for (size_t i = 0; i <= a->count; i++)
        for (size_t j = 0; j <= b->count; j++)
            if (i + j > 0) out->value[n++] = (i ? a->value[i - 1] : 0) + (j ? b->value[j - 1] : 0);
    qsort(out->value, n, sizeof *out->value, ptl_ascending_words);
    for (size_t k = 0; k < n; k++)
        if (unique == 0 || out->value[k] != out->value[unique - 1]) out->value[unique++] = out->value[k];
    out->count = unique;
}

/* Neither more than i of a nor more than j of b: nothing above their sum is reached. */
static void join_sums(ptl_z3* z, const sums* a, const sums* b, sums* out) {
    list_sums(a, b, out);
    for (size_t k = 0; k < out->count; k++) {
        out->reached[k] = ptl_z3_variable(z, "mass.%u", out->value[k]);
        if (k > 0) ptl_z3_or(z, -out->reached[k], out->reached[k - 1], 0, 0);
    }
    for (size_t i = 0; i <= a->count; i++)
        for (size_t j = 0; j <= b->count; j++) {
            uint32_t sum = (i ? a->value[i - 1] : 0) + (j ? b->value[j - 1] : 0);
            size_t above = 0;
            while (above < out->count && out->value[above] <= sum) above++;
            if (above < out->count)
                ptl_z3_or(z, i < a->count ? a->reached[i] : 0, j < b->count ? b->reached[j] : 0,
                          -out->reached[above], 0);
        }
}

/* The masses of e inside Q. */
static bool weigh(const ptl_confined* q, const ptl_terms* e, sums* total) {
    *total = (sums){0};
    for (size_t k = 0; k < e->count; k++) {
        size_t first = q->uops->first[e->scheme[k]], n = q->uops->first[e->scheme[k] + 1] - first;
        uint32_t value[PTL_SCHEMES_MAX];
        ptl_literal reached[PTL_SCHEMES_MAX];
        for (size_t x = 0; x < n; x++) {
            value[x] = (uint32_t)(x + 1) * e->copies[k];
            reached[x] = q->inside[first + x];
        }
        sums one = {n, value, reached}, joined;
        bool ok = sums_new(&joined, (total->count + 1) * (n + 1));
        if (ok) join_sums(q->columns->z, total, &one, &joined);
        sums_free(total);
        *total = joined;
        if (!ok) return false;
    }
    return true;
}

ptl_status ptl_confined_mass(const ptl_confined* q, const ptl_terms* e, double l, ptl_literal guard,
                             ptl_literal broken, ptl_error* error) {
    ptl_z3* z = q->columns->z;
    sums total;
    bool ok = weigh(q, e, &total);
    if (ok) ptl_z3_or(z, guard ? -guard : 0, broken, q->size[0], 0);
    for (size_t x = 1; ok && x <= q->columns->ports; x++) {
        size_t k = 0;
        while (k < total.count && total.value[k] < (l - PTL_SLACK) * (double)x) k++;
        ptl_literal enough = k < total.count ? total.reached[k] : 0;
        ptl_literal clause[4] = {-q->size[x - 1]};
        size_t n = 1;
        if (guard) clause[n++] = -guard;
        if (broken) clause[n++] = broken;
        if (enough) clause[n++] = enough;
        ptl_z3_clause(z, clause, n);
    }
    sums_free(&total);
    return ok ? PTL_OK : ptl_no_memory_in(error, "observation");
}
