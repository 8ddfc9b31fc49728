#include "smt/cost.h"

#include <stdlib.h>

#include "base/room.h"
#include "smt/columns.h"

bool ptl_cost_add(ptl_cost* cost, ptl_literal broken, unsigned weight, size_t before) {
    if (!ptl_room(&cost->softs, &cost->capacity, cost->count + 1, sizeof *cost->softs)) return false;
    cost->softs[cost->count++] = (ptl_soft){broken, weight, before};
    return true;
}

/* Must it be looked at? Not before the one that is broken first is paid. */
static bool is_due(const ptl_cost* cost, const ptl_soft* s) {
    return s->weight && (!s->before || !cost->softs[s->before - 1].weight);
}

/* "Not broken" for all that weigh at least so much. */
static size_t kept(const ptl_cost* cost, unsigned least, ptl_literal* out) {
    size_t n = 0;
    for (size_t k = 0; k < cost->count; k++)
        if (cost->softs[k].weight >= least && is_due(cost, &cost->softs[k]))
            out[n++] = -cost->softs[k].broken;
    return n;
}

/* The next lower weight; 0: none. */
static unsigned lighter(const ptl_cost* cost, unsigned than) {
    unsigned next = 0;
    for (size_t k = 0; k < cost->count; k++) {
        unsigned w = cost->softs[k].weight;
        if (w < than && w > next && is_due(cost, &cost->softs[k])) next = w;
    }
    return next;
}

static ptl_soft* soft_of(const ptl_cost* cost, ptl_literal not_broken) {
    size_t k = 0;
    while (cost->softs[k].broken != -not_broken) k++;
    return &cost->softs[k];
}

/* These can't all be kept: pays for one of them. core becomes scratch. False: no memory. */
static bool pay(ptl_cost* cost, ptl_literal* core, size_t n) {
    unsigned price = UINT32_MAX;
    for (size_t k = 0; k < n; k++)
        if (soft_of(cost, core[k])->weight < price) price = soft_of(cost, core[k])->weight;
    for (size_t k = 0; k < n; k++) {
        soft_of(cost, core[k])->weight -= price;
        core[k] = -core[k];
    }
    cost->least += price;
    if (n < 2) return true;
    ptl_literal* at_least = malloc(n * sizeof *at_least);
    bool done = at_least && ptl_count(cost->z, core, n, at_least);
    for (size_t k = 1; done && k < n; k++)
        done = ptl_cost_add(cost, at_least[k], price, k > 1 ? cost->count : 0);
    free(at_least);
    return done;
}

#define TRIMS 4

/* Smaller cores pay more in the end: asks about the core alone as long as that makes it smaller. */
static ptl_status trim(ptl_cost* cost, ptl_cost_check check, void* context, ptl_literal* core, size_t* n,
                       ptl_error* error) {
    for (int k = 0; k<TRIMS&& * n> 1; k++) {
        bool sat;
        ptl_status status = check(context, core, *n, &sat, error);
        if (status || sat) return status;
        size_t before = *n;
        *n = ptl_z3_core(cost->z, core, before);
        if (*n == before) break;
    }
    return PTL_OK;
}

/* One check at that weight; if some of the softs must be broken, pays for one. */
static ptl_status step(ptl_cost* cost, unsigned weight, ptl_cost_check check, void* context, bool* sat,
                       bool* found, ptl_error* error) {
    ptl_literal* a = malloc((cost->count + 1) * sizeof *a);
    if (!a) return ptl_no_memory_in(error, "cost");
    size_t n = kept(cost, weight, a);
    ptl_status status = check(context, a, n, sat, error);
    if (!status && !*sat) {
        n = ptl_z3_core(cost->z, a, n);
        *found = n > 0;
        status = trim(cost, check, context, a, &n, error);
        if (!status && n == 0) *found = false;
        if (!status && n > 0 && !pay(cost, a, n)) status = ptl_no_memory_in(error, "cost");
    }
    free(a);
    return status;
}

/* The heavy ones first: what they cost is the greatest part. */
ptl_status ptl_cost_minimise(ptl_cost* cost, ptl_cost_check check, void* context, bool* found,
                             ptl_error* error) {
    unsigned weight = lighter(cost, UINT32_MAX);
    for (*found = true; *found;) {
        bool sat;
        ptl_status status = step(cost, weight, check, context, &sat, found, error);
        if (status) return status;
        if (!sat) continue;
        weight = lighter(cost, weight);
        if (!weight) break;
    }
    return PTL_OK;
}

/* row[x - 1], x up to room: implied by "these cost x or more". */
static void add_price(ptl_cost* cost, const ptl_soft* s, ptl_literal* row, unsigned room) {
    for (unsigned x = room; x >= 1; x--) { /* downwards: row[x - 1 - weight] must still be the old one */
        ptl_literal before = s->weight >= x ? PTL_TRUE : row[x - 1 - s->weight];
        if (before == PTL_FALSE) continue;
        ptl_literal next = ptl_z3_variable(cost->z, "cost.%u", x);
        ptl_z3_or(cost->z, -row[x - 1], next, 0, 0);
        ptl_z3_or(cost->z, -s->broken, -before, next, 0);
        row[x - 1] = next;
    }
}

/* A literal that forbids what costs more than the rest by itself, and all sums that do. */
static ptl_literal forbid(ptl_cost* cost, unsigned rest) {
    unsigned room = rest + 1;
    ptl_literal* row = malloc(room * sizeof *row);
    if (!row) return ptl_z3_give_up(cost->z), PTL_FALSE;
    for (unsigned x = 0; x < room; x++) row[x] = PTL_FALSE;
    ptl_literal within = ptl_z3_variable(cost->z, "within.%u", cost->least + rest);
    for (size_t k = 0; k < cost->count; k++) {
        const ptl_soft* s = &cost->softs[k];
        if (s->weight > rest)
            ptl_z3_or(cost->z, -within, -s->broken, 0, 0);
        else if (s->weight)
            add_price(cost, s, row, room);
    }
    ptl_z3_or(cost->z, -within, -row[rest], 0, 0);
    free(row);
    return within;
}

ptl_literal ptl_cost_within(ptl_cost* cost, unsigned limit) {
    if (limit < cost->least) return PTL_FALSE;
    if (cost->count == 0) return PTL_TRUE;
    for (size_t k = 0; k < 2; k++) {
        const ptl_cost_limit* l = &cost->limits[k];
        if (l->literal && l->limit == limit && l->least == cost->least && l->count == cost->count)
            return l->literal;
    }
    cost->limits[1] = cost->limits[0];
    cost->limits[0] = (ptl_cost_limit){forbid(cost, limit - cost->least), limit, cost->least, cost->count};
    return cost->limits[0].literal;
}

void ptl_cost_free(ptl_cost* cost) {
    free(cost->softs);
    cost->softs = NULL;
}
