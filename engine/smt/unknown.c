#include "smt/unknown.h"

#include <stdlib.h>

#include "model/throughput.h"

/* mapping[i, k] or uop2port[u, k]: each row on some port, a scheme on as many as are known. */
static ptl_status rows_of_booleans(ptl_unknown* u, const unsigned* counts, ptl_error* error) {
    u->rows = u->uops.rows;
    u->runs = ptl_arena_array(&u->arena, u->rows * u->ports, sizeof *u->runs);
    if (!u->runs) return ptl_no_memory_in(error, "mapping");
    for (size_t r = 0; r < u->rows; r++) {
        ptl_formula* row = u->runs + r * u->ports;
        for (size_t k = 0; k < u->ports; k++)
            row[k] = ptl_arith_variable(u->a, PTL_BOOLEAN, "runs.%zu.%zu", r, k);
        ptl_arith_assert(u->a, ptl_arith_or(u->a, row, u->ports));
        size_t i = u->uops.owner[r];
        if (counts && counts[i] && u->uops.first[i + 1] - u->uops.first[i] == 1)
            ptl_arith_assert(u->a, ptl_arith_exactly(u->a, row, u->ports, counts[i]));
    }
    return PTL_OK;
}

/* insn2uop[i, u] for all non-empty sets u of ports: at least one uop each, and not endlessly many. */
static ptl_status rows_of_sets(ptl_unknown* u, ptl_error* error) {
    u->rows = ((size_t)1 << u->ports) - 1;
    u->runs = ptl_arena_array(&u->arena, u->rows * u->ports, sizeof *u->runs);
    u->uses = ptl_arena_array(&u->arena, u->rows * u->schemes, sizeof *u->uses);
    if (!u->runs || !u->uses) return ptl_no_memory_in(error, "mapping");
    for (size_t r = 0; r < u->rows; r++)
        for (size_t k = 0; k < u->ports; k++)
            u->runs[r * u->ports + k] = (r + 1) >> k & 1 ? PTL_FORMULA_TRUE : PTL_FORMULA_FALSE;
    ptl_formula zero = ptl_arith_whole(u->a, 0), one = ptl_arith_whole(u->a, 1),
                most = ptl_arith_whole(u->a, PTL_FREE_UOPS_MAX);
    for (size_t i = 0; i < u->schemes; i++) {
        ptl_formula* row = u->uses + i * u->rows;
        for (size_t r = 0; r < u->rows; r++) {
            row[r] = ptl_arith_variable(u->a, PTL_WHOLE, "uses.%zu.%zu", i, r + 1);
            ptl_arith_assert(u->a, ptl_arith_at_most(u->a, zero, row[r]));
        }
        ptl_formula sum = ptl_arith_sum(u->a, row, u->rows);
        ptl_arith_assert(u->a, ptl_arith_at_most(u->a, one, sum));
        ptl_arith_assert(u->a, ptl_arith_at_most(u->a, sum, most));
    }
    return PTL_OK;
}

/* The free form has limits of its own. */
static ptl_status check_free(const ptl_unknown_options* o, ptl_error* error) {
    if (o->uops || o->counts)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "leave them out",
                        "the free form knows no numbers of uops or ports");
    if (o->ports > PTL_FREE_PORTS_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "give numbers of uops",
                        "%zu ports, but the free form takes up to %d", o->ports, PTL_FREE_PORTS_MAX);
    return PTL_OK;
}

ptl_status ptl_unknown_new(ptl_unknown* u, ptl_arith* a, const ptl_unknown_options* o, ptl_error* error) {
    *u = (ptl_unknown){.a = a, .free = o->free, .schemes = o->schemes, .ports = o->ports};
    ptl_status status = ptl_uops_check(o->schemes, o->ports, o->free ? NULL : o->counts, o->uops, error);
    if (!status && o->free) status = check_free(o, error);
    if (!status) status = ptl_uops_set(&u->uops, o->schemes, o->uops, o->slots, error);
    if (!status) status = u->free ? rows_of_sets(u, error) : rows_of_booleans(u, o->counts, error);
    return status;
}

void ptl_unknown_free(ptl_unknown* u) {
    ptl_arena_release(&u->arena);
}

/* The demand of each set of ports: sum of copies[i] uses[i, set] over the schemes. A product of unknowns
 * where neither the experiment nor the mapping is known. */
static ptl_formula relate_sets(const ptl_unknown* u, const ptl_formula* copies, ptl_formula t) {
    ptl_formula demand[1 << PTL_FREE_PORTS_MAX], parts[PTL_SCHEMES_MAX];
    for (size_t r = 0; r < u->rows; r++) {
        size_t n = 0;
        for (size_t i = 0; i < u->schemes; i++)
            if (copies[i]) parts[n++] = ptl_arith_product(u->a, copies[i], u->uses[i * u->rows + r]);
        demand[r] = ptl_arith_real(u->a, ptl_arith_sum(u->a, parts, n));
    }
    return ptl_relate_throughput(u->a, &(ptl_relation){u->rows, u->ports, demand, u->runs}, t);
}

ptl_formula ptl_unknown_relate(const ptl_unknown* u, const ptl_formula* copies, ptl_formula t) {
    if (u->free) return relate_sets(u, copies, t);
    ptl_formula demand[PTL_SCHEMES_MAX], *runs = malloc(u->rows * u->ports * sizeof *runs);
    if (!runs) {
        ptl_arith_give_up(u->a);
        return PTL_FORMULA_FALSE;
    }
    size_t n = 0;
    for (size_t r = 0; r < u->rows; r++) {
        if (!copies[u->uops.owner[r]]) continue;
        demand[n] = ptl_arith_real(u->a, copies[u->uops.owner[r]]);
        for (size_t k = 0; k < u->ports; k++) runs[n * u->ports + k] = u->runs[r * u->ports + k];
        n++;
    }
    ptl_formula formula = ptl_relate_throughput(u->a, &(ptl_relation){n, u->ports, demand, runs}, t);
    free(runs);
    return formula;
}

ptl_formula ptl_known_relate(const ptl_unknown* u, const ptl_known* m, const ptl_formula* copies,
                             ptl_formula t) {
    size_t rows = m->first[u->schemes], n = 0;
    ptl_formula demand[PTL_UNKNOWN_ROWS_MAX], *runs = malloc((rows * u->ports + 1) * sizeof *runs);
    if (!runs) {
        ptl_arith_give_up(u->a);
        return PTL_FORMULA_FALSE;
    }
    for (size_t i = 0; i < u->schemes; i++)
        for (size_t r = m->first[i]; r < m->first[i + 1] && copies[i]; r++, n++) {
            demand[n] = ptl_arith_real(u->a, copies[i]);
            for (size_t k = 0; k < u->ports; k++)
                runs[n * u->ports + k] = m->ports[r] >> k & 1 ? PTL_FORMULA_TRUE : PTL_FORMULA_FALSE;
        }
    ptl_formula formula = ptl_relate_throughput(u->a, &(ptl_relation){n, u->ports, demand, runs}, t);
    free(runs);
    return formula;
}

ptl_formula ptl_unknown_admits(const ptl_unknown* u, const ptl_observation* o) {
    ptl_formula copies[PTL_SCHEMES_MAX] = {0}, parts[PTL_LOWERS_MAX + 2];
    size_t n = 0;
    int64_t num, den;
    for (size_t k = 0; k < o->terms.count; k++)
        copies[o->terms.scheme[k]] = ptl_arith_whole(u->a, o->terms.copies[k]);
    ptl_formula t = ptl_arith_variable(u->a, PTL_REAL, "t");
    if (o->bounds.upper < 1e9) {
        ptl_most_cycles(o->bounds.upper, u->ports, &num, &den);
        parts[n++] = ptl_arith_at_most(u->a, t, ptl_arith_ratio(u->a, num, den));
    }
    for (size_t k = 0; k < o->bounds.lowers; k++) {
        ptl_least_cycles(o->bounds.lower[k].bound, u->ports, &num, &den);
        parts[n++] = ptl_arith_at_most(u->a, ptl_arith_ratio(u->a, num, den), t);
    }
    parts[n++] = ptl_unknown_relate(u, copies, t);
    return ptl_arith_and(u->a, parts, n);
}

ptl_formula ptl_unknown_has(const ptl_unknown* u, const uint32_t* rows) {
    ptl_formula parts[PTL_CANDIDATE_PORTS_MAX], all[PTL_SCHEMES_MAX];
    size_t n = 0;
    for (size_t r = 0; r < u->rows; r++) {
        if (!rows[r]) continue;
        for (size_t k = 0; k < u->ports; k++) {
            ptl_formula runs = u->runs[r * u->ports + k];
            parts[k] = rows[r] >> k & 1 ? runs : ptl_arith_not(u->a, runs);
        }
        all[n++] = ptl_arith_and(u->a, parts, u->ports);
    }
    return ptl_arith_and(u->a, all, n);
}

ptl_formula ptl_unknown_shares(const ptl_unknown* u, size_t scheme, uint64_t among) {
    ptl_formula any[PTL_SCHEMES_MAX * PTL_SCHEMES_MAX], parts[PTL_CANDIDATE_PORTS_MAX];
    size_t n = 0;
    for (size_t j = 0; j < u->schemes; j++) {
        size_t one = u->uops.first[j];
        if (!(among >> j & 1) || j == scheme || u->uops.first[j + 1] - one != 1) continue;
        for (size_t r = u->uops.first[scheme]; r < u->uops.first[scheme + 1]; r++) {
            for (size_t k = 0; k < u->ports; k++)
                parts[k] = ptl_arith_iff(u->a, u->runs[r * u->ports + k], u->runs[one * u->ports + k]);
            any[n++] = ptl_arith_and(u->a, parts, u->ports);
        }
    }
    return ptl_arith_or(u->a, any, n);
}

static void read_rows(const ptl_unknown* u, ptl_known* m) {
    for (size_t r = 0; r < u->rows; r++) {
        m->ports[r] = 0;
        for (size_t k = 0; k < u->ports; k++)
            if (ptl_arith_holds(u->a, u->runs[r * u->ports + k])) m->ports[r] |= UINT32_C(1) << k;
    }
    for (size_t i = 0; i <= u->schemes; i++) m->first[i] = u->uops.first[i];
}

ptl_status ptl_unknown_read(const ptl_unknown* u, ptl_known* m, ptl_error* error) {
    *m = (ptl_known){0};
    if (!u->free) {
        read_rows(u, m);
        return PTL_OK;
    }
    for (size_t i = 0, n = 0; i < u->schemes; i++) {
        for (size_t r = 0; r < u->rows; r++)
            for (int64_t left = ptl_arith_number(u->a, u->uses[i * u->rows + r]); left > 0; left--) {
                if (n == PTL_UNKNOWN_ROWS_MAX)
                    return ptl_fail(error, PTL_LIMIT, NULL, "take fewer schemes", "more than %d uops",
                                    PTL_UNKNOWN_ROWS_MAX);
                m->ports[n++] = (uint32_t)(r + 1);
            }
        m->first[i + 1] = n;
    }
    return PTL_OK;
}

ptl_status ptl_known_cycles(const ptl_known* m, const ptl_terms* t, double* cycles, ptl_error* error) {
    ptl_mass masses[PTL_UNKNOWN_ROWS_MAX];
    ptl_demand demand = PTL_DEMAND_EMPTY;
    ptl_bottleneck b;
    size_t n = 0;
    for (size_t k = 0; k < t->count; k++)
        for (size_t r = m->first[t->scheme[k]]; r < m->first[t->scheme[k] + 1]; r++)
            masses[n++] = (ptl_mass){m->ports[r], t->copies[k]};
    ptl_status status = ptl_demand_masses(&demand, masses, n, error);
    if (!status) status = ptl_bottleneck_of(&demand, &b, error);
    if (!status) *cycles = ptl_bottleneck_cycles(&b);
    ptl_demand_free(&demand);
    return status;
}
