#include "smt/tell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/port_unions.h"

#define TOLERANCE 1e-7 /* of counts that are computed from shares: they are compared with whole numbers */

static uint64_t rows_inside(const ptl_tell* t, const uint32_t* mapping, ptl_ports q) {
    uint64_t rows = 0;
    for (size_t r = 0; r < t->uops->rows; r++)
        if (!(mapping[r] & ~q)) rows |= (uint64_t)1 << r;
    return rows;
}

/* The vector of Q, of rows `inside`, times a weight, added to v; Q = PTL_ISSUE_TERM: the one of R_max. */
static void add_vector(const ptl_tell* t, uint64_t inside, ptl_ports q, double weight, double* v) {
    for (size_t i = 0; i < t->uops->schemes; i++)
        if (q == PTL_ISSUE_TERM) v[i] += weight * t->uops->slots[i] / t->rmax;
    for (; inside && q != PTL_ISSUE_TERM; inside &= inside - 1)
        v[t->uops->owner[__builtin_ctzll(inside)]] += weight / ptl_ports_count(q);
}

/* A: no scheme has more uops in Q than this allows, unless Q's vector is above it somewhere. */
static void cover_below(ptl_tell* t, const double* v) {
    const ptl_uops* u = t->uops;
    ptl_z3* z = t->columns->z;
    for (size_t s = 1; s <= t->columns->ports; s++) {
        ptl_literal clause[PTL_SCHEMES_MAX + 2];
        size_t n = 0;
        clause[n++] = -t->slower;
        clause[n++] = -t->q.size[s - 1];
        for (size_t i = 0; i < u->schemes; i++) {
            double most = floor((double)s * (v[i] + 2 * t->epsilon) + TOLERANCE);
            size_t count = u->first[i + 1] - u->first[i];
            if (most < (double)count) clause[n++] = t->q.inside[u->first[i] + (size_t)most];
        }
        ptl_z3_clause(z, clause, n);
    }
}

/* One of the vectors in the cover of v, less the uops that are not needed for it: it is not the mapping's. */
static ptl_literal without(const ptl_tell* t, uint64_t rows, double weight, unsigned width, double* spare) {
    uint8_t n[PTL_SCHEMES_MAX] = {0};
    for (; rows; rows &= rows - 1) {
        size_t i = t->uops->owner[__builtin_ctzll(rows)];
        if (spare[i] < weight / width)
            n[i]++;
        else
            spare[i] -= weight / width;
    }
    return ptl_loose_literal(t->loose, n, width);
}

/* B: some vector in the cover of the k-th one is not the mapping's. */
static void cover_vector(ptl_tell* t, size_t k, const uint32_t* other, const ptl_cover* c) {
    double spare[PTL_SCHEMES_MAX]; /* per scheme: how much more the cover gives than v needs */
    ptl_literal clause[PTL_SCHEMES_MAX + 2];
    size_t n = 0;
    for (size_t i = 0; i < t->uops->schemes; i++) spare[i] = 2 * t->epsilon;
    add_vector(t, rows_inside(t, t->rows, t->sets[k]), t->sets[k], -1, spare);
    for (size_t j = 0; j < c->size; j++)
        add_vector(t, c->by[j] == PTL_ISSUE_TERM ? 0 : rows_inside(t, other, c->by[j]), c->by[j],
                   c->weight[j], spare);
    clause[n++] = -t->uncovered[k];
    for (size_t j = 0; j < c->size && n < PTL_SCHEMES_MAX + 2; j++)
        if (c->by[j] != PTL_ISSUE_TERM)
            clause[n++] =
                without(t, rows_inside(t, other, c->by[j]), c->weight[j], ptl_ports_count(c->by[j]), spare);
    ptl_z3_clause(t->columns->z, clause, n);
}

/* a <= b + 2 epsilon in all schemes? */
static bool below(const ptl_tell* t, const double* a, const double* b, double epsilon) {
    for (size_t i = 0; i < t->uops->schemes; i++)
        if (a[i] > b[i] + 2 * epsilon) return false;
    return true;
}

/* Do the uops inside q hang together, by ports that they share? Otherwise its vector is a mean of those of
 * its parts. */
static bool connected(const ptl_tell* t, ptl_ports q) {
    uint64_t rest = rows_inside(t, t->rows, q);
    ptl_ports reached = rest ? t->rows[__builtin_ctzll(rest)] : q;
    for (bool grown = true; grown;) {
        grown = false;
        for (uint64_t rows = rest; rows; rows &= rows - 1) {
            ptl_ports ports = t->rows[__builtin_ctzll(rows)];
            if (!(ports & reached)) continue;
            grown |= (ports & ~reached) != 0;
            reached |= ports;
            rest &= ~(rows & -rows);
        }
    }
    return reached == q;
}

/* Vectors of which another one is the equal or better are not needed, nor means of others, nor what R_max
 * hides. */
static void keep_extremal(ptl_tell* t, const ptl_port_unions* unions, double* v) {
    size_t schemes = t->uops->schemes;
    double* limit = v + unions->count * schemes; /* the vector of R_max, if there is one */
    for (size_t i = 0; i < schemes; i++) limit[i] = t->rmax > 0 ? t->uops->slots[i] / t->rmax : 0;
    for (size_t k = 0; k < unions->count; k++)
        add_vector(t, rows_inside(t, t->rows, unions->sets[k]), unions->sets[k], 1, v + k * schemes);
    for (size_t k = 0; k < unions->count; k++) {
        bool needed = connected(t, unions->sets[k]) && !below(t, v + k * schemes, limit, t->epsilon);
        for (size_t j = 0; j < unions->count && needed; j++)
            needed = j == k || !below(t, v + k * schemes, v + j * schemes, 0) ||
                     (k < j && below(t, v + j * schemes, v + k * schemes, 0));
        if (needed) t->sets[t->vectors++] = unions->sets[k];
    }
}

/* The vectors of the given mapping, and what covers what at first: each covers itself. */
static ptl_status start(ptl_tell* t, ptl_error* error) {
    size_t schemes = t->uops->schemes;
    const ptl_usage** usages = ptl_arena_array(&t->arena, schemes, sizeof *usages);
    if (!usages) return ptl_no_memory_in(error, "query");
    for (size_t i = 0; i < schemes; i++) usages[i] = &t->given.schemes[i];
    ptl_port_unions unions;
    ptl_status status = ptl_port_unions_of(usages, schemes, &t->arena, &unions, error);
    if (status) return status;
    double* v = ptl_arena_array(&t->arena, (unions.count + 1) * schemes, sizeof *v);
    t->sets = ptl_arena_array(&t->arena, unions.count, sizeof *t->sets);
    t->uncovered = ptl_arena_array(&t->arena, unions.count, sizeof *t->uncovered);
    if (!v || !t->sets || !t->uncovered) return ptl_no_memory_in(error, "query");
    keep_extremal(t, &unions, v);
    if (t->rmax > 0) cover_below(t, v + unions.count * schemes);
    for (size_t k = 0; k < t->vectors; k++) {
        double one[PTL_SCHEMES_MAX] = {0}, whole = 1;
        t->uncovered[k] = ptl_z3_variable(t->columns->z, "uncovered.%zu", k);
        add_vector(t, rows_inside(t, t->rows, t->sets[k]), t->sets[k], 1, one);
        cover_below(t, one);
        ptl_cover itself = {.ports = t->sets[k], .size = 1, .by = &t->sets[k], .weight = &whole};
        cover_vector(t, k, t->rows, &itself);
    }
    return PTL_OK;
}

ptl_status ptl_tell_begin(ptl_tell* t, const uint32_t* given, ptl_error* error) {
    ptl_status status = PTL_OK;
    ptl_z3* z = t->columns->z;
    size_t schemes = t->uops->schemes;
    if (!t->ready)
        status = ptl_confined_new(&t->q, t->columns, t->uops,
                                  schemes >= 64 ? UINT64_MAX : ((uint64_t)1 << schemes) - 1, error);
    t->ready = !status;
    t->rows = given;
    t->vectors = 0;
    if (!status) status = ptl_uops_mapping(t->uops, given, t->columns->ports, t->rmax, &t->given, error);
    if (status) return status;
    t->active = ptl_z3_variable(z, "other");
    t->slower = ptl_z3_variable(z, "slower");
    status = start(t, error);
    ptl_literal* clause = ptl_arena_array(&t->arena, t->vectors + 2, sizeof *clause);
    if (!status && !clause) status = ptl_no_memory_in(error, "query");
    if (status) {
        ptl_tell_end(t);
        return status;
    }
    clause[0] = -t->active;
    clause[1] = t->slower;
    memcpy(clause + 2, t->uncovered, t->vectors * sizeof *clause);
    ptl_z3_clause(z, clause, t->vectors + 2);
    ptl_z3_or(z, -t->slower, t->q.size[0], 0, 0);
    return PTL_OK;
}

void ptl_tell_end(ptl_tell* t) {
    ptl_z3_or(t->columns->z, -t->active, 0, 0, 0);
    ptl_mapping_free(&t->given);
    ptl_arena_release(&t->arena);
}

/* Exactly this mapping. */
static void exclude(ptl_tell* t, const uint32_t* other) {
    size_t ports = t->columns->ports;
    ptl_literal clause[PTL_SCHEMES_MAX * PTL_CANDIDATE_PORTS_MAX + 1];
    size_t n = 0;
    clause[n++] = -t->active;
    for (size_t r = 0; r < t->uops->rows; r++)
        for (size_t k = 0; k < ports; k++) {
            ptl_literal runs = t->columns->runs[r * ports + k];
            clause[n++] = other[r] >> k & 1 ? -runs : runs;
        }
    ptl_z3_clause(t->columns->z, clause, n);
}

static void exclude_like(ptl_tell* t, const uint32_t* other, const ptl_proof* proof) {
    double last[PTL_SCHEMES_MAX] = {-1};
    size_t bytes = t->uops->schemes * sizeof *last;
    for (size_t k = 0; k < proof->count; k++) {
        const ptl_cover* c = &proof->covers[k];
        if (!c->of_a && c->size > 1) { /* single vectors are known from the start */
            double v[PTL_SCHEMES_MAX] = {0};
            for (size_t j = 0; j < c->size; j++)
                add_vector(t, rows_inside(t, t->rows, c->by[j]), c->by[j], c->weight[j], v);
            if (memcmp(v, last, bytes) != 0) cover_below(t, v);
            memcpy(last, v, bytes);
        }
        for (size_t j = 0; c->of_a && j < t->vectors; j++)
            if (t->sets[j] == c->ports) cover_vector(t, j, other, c);
    }
}

static void copy_terms(const ptl_experiment* from, ptl_terms* to) {
    *to = (ptl_terms){.count = from->size};
    for (size_t k = 0; k < from->size && k < PTL_TERMS_MAX; k++) {
        to->scheme[k] = (uint8_t)from->terms[k].scheme;
        to->copies[k] = from->terms[k].count;
    }
}

static ptl_status compare(ptl_tell* t, const ptl_mapping* b, ptl_distinction* d, ptl_proof* proof,
                          ptl_error* error) {
    ptl_pairs pairs;
    ptl_status status = ptl_pairs_find(&pairs, &t->given, b, proof->arena, error);
    /* What samples find is small. */
    if (!status) status = ptl_distinguish_by_sampling(&pairs, t->epsilon, t->seed, proof->arena, d, error);
    if (!status && !d->found)
        status = ptl_distinguish_with_proof(&pairs, t->epsilon, proof->arena, d, proof, error);
    return status;
}

ptl_status ptl_tell_decide(ptl_tell* t, const uint32_t* other, bool* found, bool* proved,
                           ptl_terms* experiment, ptl_error* error) {
    ptl_arena arena = PTL_ARENA_EMPTY;
    ptl_mapping b;
    ptl_distinction d = {0};
    ptl_proof proof = {.arena = &arena};
    ptl_status status = ptl_uops_mapping(t->uops, other, t->columns->ports, t->rmax, &b, error);
    if (status) return status;
    status = compare(t, &b, &d, &proof, error);
    *found = d.found && d.experiment.size <= PTL_TERMS_MAX;
    *proved = d.complete && !d.found;
    if (!status && *found) copy_terms(&d.experiment, experiment);
    if (!status && *proved) exclude_like(t, other, &proof);
    if (!status && !*found) exclude(t, other);
    ptl_mapping_free(&b);
    ptl_arena_release(&arena);
    return status;
}
