#include "smt/observe.h"

#include <stdlib.h>
#include <string.h>

typedef struct subset {
    uint64_t set;   /* schemes */
    uint32_t mass;  /* their copies */
    unsigned least; /* ports that their union has for certain */
} subset;

static subset subset_of(const ptl_columns* c, const ptl_terms* e, uint32_t chosen) {
    subset s = {0};
    for (; chosen; chosen &= chosen - 1) {
        unsigned k = (unsigned)__builtin_ctz(chosen);
        s.set |= (uint64_t)1 << e->scheme[k];
        s.mass += e->copies[k];
        if (c->least[e->scheme[k]] > s.least) s.least = c->least[e->scheme[k]];
    }
    return s;
}

unsigned ptl_ports_needed(const ptl_columns* c, uint64_t mass, double upper) {
    unsigned needed = 1;
    while (needed <= c->ports && (double)mass / needed > upper + PTL_SLACK) needed++;
    return needed;
}

static void bound_above(ptl_columns* c, const ptl_terms* e, double upper, ptl_literal guard) {
    for (uint32_t chosen = 1; chosen < (uint32_t)1 << e->count; chosen++) {
        subset s = subset_of(c, e, chosen);
        unsigned needed = ptl_ports_needed(c, s.mass, upper);
        if (needed <= s.least) continue;
        ptl_z3_or(c->z, guard ? -guard : 0, ptl_columns_at_least(c, s.set, (int)needed), 0, 0);
        if (e->count == 1 && !guard && needed <= c->ports) c->least[e->scheme[0]] = needed;
    }
}

/* Largest number of ports with which the mass keeps all of them busy for `lower` cycles; 0: none. */
static unsigned most_ports(const ptl_columns* c, uint32_t mass, double lower) {
    unsigned most = (unsigned)c->ports;
    while (most > 0 && (double)mass / most < lower - PTL_SLACK) most--;
    return most;
}

/* "broken, or some set is confined to few enough ports". False if every mapping keeps the bound. */
static bool bound_below(ptl_columns* c, const ptl_terms* e, double lower, ptl_literal guard,
                        ptl_literal broken, ptl_error* err, ptl_status* status) {
    size_t subsets = (size_t)1 << e->count, n = 0;
    ptl_literal* clause = malloc((subsets + 2) * sizeof *clause);
    bool needed = true;
    if (!clause) {
        *status = ptl_fail(err, PTL_NO_MEMORY, "observation", NULL, "no memory");
        return false;
    }
    if (guard) clause[n++] = -guard;
    if (broken) clause[n++] = broken;
    for (uint32_t chosen = 1; chosen < subsets && needed; chosen++) {
        subset s = subset_of(c, e, chosen);
        unsigned most = most_ports(c, s.mass, lower);
        if (most >= c->ports) needed = false;
        if (most >= s.least && most < c->ports) clause[n++] = -ptl_columns_at_least(c, s.set, (int)most + 1);
    }
    if (needed) ptl_z3_clause(c->z, clause, n);
    free(clause);
    return needed;
}

bool ptl_cost_add(ptl_cost* cost, const ptl_price* p) {
    if (cost->count == cost->capacity) {
        size_t capacity = cost->capacity ? 2 * cost->capacity : 64;
        ptl_price* prices = realloc(cost->prices, capacity * sizeof *prices);
        if (!prices) return false;
        cost->prices = prices;
        cost->capacity = capacity;
    }
    cost->prices[cost->count++] = *p;
    return true;
}

ptl_status ptl_observe(ptl_columns* c, ptl_cost* cost, const ptl_terms* e, const ptl_bounds* b,
                       ptl_literal guard, ptl_error* err) {
    ptl_status status = PTL_OK;
    ptl_price p = {.steps = 0};
    unsigned price = 0;
    bound_above(c, e, b->upper, guard);
    /* A mapping that breaks a bound breaks all higher ones: the price is that of all so far. */
    for (size_t k = 0; k < b->lowers && status == PTL_OK; k++) {
        unsigned weight = b->lower[k].weight;
        ptl_literal broken = weight ? ptl_z3_variable(c->z, "broken.%zu.%zu", cost->count, k) : 0;
        if (!bound_below(c, e, b->lower[k].bound, guard, broken, err, &status) || !weight) continue;
        p.broken[p.steps] = broken;
        p.price[p.steps++] = price += weight;
    }
    p.kept = p.steps;
    if (status == PTL_OK && p.steps && !ptl_cost_add(cost, &p))
        status = ptl_fail(err, PTL_NO_MEMORY, "observation", NULL, "no memory");
    return status;
}

/* One more price into the sum: the row after it is implied by the row before it and by what is broken. */
static void add_price(ptl_cost* cost, const ptl_price* p) {
    for (unsigned x = cost->cap; x >= 1; x--) { /* downwards: row[x - 1 - price] must still be the old one */
        ptl_literal next = ptl_z3_variable(cost->z, "cost.%zu.%u", cost->summed, x);
        ptl_z3_or(cost->z, -cost->row[x - 1], next, 0, 0);
        for (size_t k = 0; k < p->steps; k++) {
            ptl_literal before = p->price[k] >= x ? PTL_TRUE : cost->row[x - 1 - p->price[k]];
            ptl_z3_or(cost->z, -p->broken[k], -before, next, 0);
        }
        cost->row[x - 1] = next;
    }
}

/* The sum distinguishes costs up to cap only; for a higher limit it is encoded anew. */
static bool raise_cap(ptl_cost* cost, unsigned limit) {
    if (limit < cost->cap) return true;
    unsigned cap = cost->cap ? cost->cap : 16;
    while (cap <= limit) cap *= 2;
    ptl_literal* row = realloc(cost->row, cap * sizeof *row);
    if (!row) return false;
    cost->row = row;
    cost->cap = cap;
    cost->summed = 0;
    for (unsigned x = 0; x < cap; x++) row[x] = PTL_FALSE;
    return true;
}

/* Takes the first n steps of a price as paid. */
static void pay(ptl_cost* cost, ptl_price* p, size_t n) {
    unsigned paid = n ? p->price[n - 1] : 0;
    cost->unavoidable += paid;
    p->steps -= n;
    for (size_t k = 0; k < p->steps; k++) {
        p->broken[k] = p->broken[k + n];
        p->price[k] = p->price[k + n] - paid;
    }
}

/* Every model settles a good part of the questions that are still open. */
static void learn_from_model(ptl_cost* cost) {
    for (size_t i = cost->examined; i < cost->count; i++) {
        ptl_price* p = &cost->prices[i];
        for (size_t k = 0; k < p->kept; k++)
            if (!ptl_z3_value(cost->z, p->broken[k])) p->kept = k;
    }
}

ptl_status ptl_cost_examine(ptl_cost* cost, ptl_error* e) {
    /* What the running total counts already must not be paid a second time. */
    if (cost->examined < cost->summed) cost->examined = cost->summed;
    learn_from_model(cost);
    for (; cost->examined < cost->count; cost->examined++) {
        ptl_price* p = &cost->prices[cost->examined];
        size_t n = 0;
        while (n < p->kept) {
            bool sat;
            ptl_literal kept = -p->broken[n];
            ptl_status status = ptl_z3_check(cost->z, &kept, 1, &sat, e);
            if (status != PTL_OK) return status;
            if (sat)
                learn_from_model(cost);
            else
                n++;
        }
        pay(cost, p, n);
    }
    return PTL_OK;
}

ptl_literal ptl_cost_within(ptl_cost* cost, unsigned limit) {
    if (cost->count == 0) return PTL_TRUE;
    if (limit < cost->unavoidable) return PTL_FALSE;
    limit -= cost->unavoidable;
    if (!raise_cap(cost, limit)) {
        ptl_z3_give_up(cost->z);
        return PTL_TRUE;
    }
    while (cost->summed < cost->count) {
        add_price(cost, &cost->prices[cost->summed]);
        cost->summed++;
    }
    return -cost->row[limit];
}

void ptl_cost_free(ptl_cost* cost) {
    free(cost->prices);
    free(cost->row);
    *cost = (ptl_cost){0};
}
