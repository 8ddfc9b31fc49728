#include "smt/loose.h"

#include <stdlib.h>
#include <string.h>

struct ptl_loose_entry {
    uint64_t hash;
    unsigned s;
    ptl_literal literal;
    uint8_t n[];
};

struct ptl_loose_ports {
    ptl_literal at_least[PTL_SCHEMES_MAX]; /* first[i] + x - 1: implied if x uops of scheme i lie inside; 0:
                                              not yet */
};

ptl_status ptl_loose_new(ptl_loose* l, ptl_columns* c, const ptl_uops* u, ptl_error* error) {
    *l = (ptl_loose){.columns = c, .uops = u, .size = 256};
    l->table = calloc(l->size, sizeof *l->table);
    size_t sets = (size_t)1 << (c->ports <= 20 ? c->ports : 0); /* with more ports sets are never listed */
    l->ports = calloc(sets, sizeof *l->ports);
    return l->table && l->ports ? PTL_OK : ptl_no_memory_in(error, "search");
}

void ptl_loose_free(ptl_loose* l) {
    free(l->table);
    free(l->ports);
    *l = (ptl_loose){0};
}

/* Of scheme i at least x uops lie inside the ports of q. */
static ptl_literal inside(ptl_loose* l, uint32_t q, size_t i, size_t x) {
    ptl_columns* c = l->columns;
    size_t first = l->uops->first[i], n = l->uops->first[i + 1] - first;
    if (!l->ports[q]) l->ports[q] = ptl_arena_alloc(c->arena, sizeof **l->ports);
    if (!l->ports[q]) return ptl_z3_give_up(c->z), PTL_FALSE;
    ptl_literal* found = &l->ports[q]->at_least[first];
    if (found[x - 1]) return found[x - 1];
    ptl_literal row[PTL_SCHEMES_MAX];
    for (size_t r = 0; r < n; r++) {
        ptl_literal clause[PTL_CANDIDATE_PORTS_MAX + 1];
        size_t k = 0;
        row[r] = clause[k++] = ptl_z3_variable(c->z, "in.%x.%zu", q, first + r);
        for (size_t port = 0; port < c->ports; port++)
            if (!(q >> port & 1)) clause[k++] = c->runs[(first + r) * c->ports + port];
        ptl_z3_clause(c->z, clause, k);
    }
    if (!ptl_count(c->z, row, n, found)) ptl_z3_give_up(c->z);
    return found[x - 1];
}

/* For every set of s ports: some scheme has fewer uops inside. (Smaller sets hold no more.) */
static void by_ports(ptl_loose* l, const uint8_t* n, unsigned s, ptl_literal literal) {
    uint32_t all = (uint32_t)1 << l->columns->ports;
    for (uint32_t q = ((uint32_t)1 << s) - 1; q < all;) {
        ptl_literal clause[PTL_SCHEMES_MAX + 1];
        size_t k = 0;
        clause[k++] = -literal;
        for (size_t i = 0; i < l->uops->schemes; i++)
            if (n[i]) clause[k++] = -inside(l, q, i, n[i]);
        ptl_z3_clause(l->columns->z, clause, k);
        uint32_t low = q & -q, next = q + low; /* the next set of as many ports */
        q = next | (((q ^ next) >> 2) / low);
    }
}

/* For every choice of uops: they have more than s ports. */
static void by_uops(ptl_loose* l, const uint8_t* n, unsigned s, ptl_literal literal, size_t i,
                    uint64_t chosen) {
    const ptl_uops* u = l->uops;
    while (i < u->schemes && !n[i]) i++;
    if (i == u->schemes) {
        ptl_z3_or(l->columns->z, -literal, ptl_columns_at_least(l->columns, chosen, (int)s + 1), 0, 0);
        return;
    }
    size_t count = u->first[i + 1] - u->first[i];
    for (uint64_t m = ((uint64_t)1 << n[i]) - 1; m < (uint64_t)1 << count;) {
        by_uops(l, n, s, literal, i + 1, chosen | m << u->first[i]);
        uint64_t low = m & -m, next = m + low;
        m = next | (((m ^ next) >> 2) / low);
    }
}

static double choose(size_t n, size_t k) {
    double result = 1;
    for (size_t i = 0; i < k; i++) result = result * (double)(n - i) / (double)(i + 1);
    return result;
}

/* A set of uops costs about as much as this many sets of ports: its ports are counted. */
#define SETS_PER_UNION 8

static bool few_choices(const ptl_loose* l, const uint8_t* n, unsigned s) {
    double choices = 1;
    for (size_t i = 0; i < l->uops->schemes; i++)
        choices *= choose(l->uops->first[i + 1] - l->uops->first[i], n[i]);
    return l->columns->ports > 20 || choices * SETS_PER_UNION <= choose(l->columns->ports, s);
}

static size_t slot(const ptl_loose* l, uint64_t hash, const uint8_t* n, unsigned s) {
    size_t k = (size_t)(hash >> 16) & (l->size - 1);
    while (l->table[k] && (l->table[k]->s != s || memcmp(l->table[k]->n, n, l->uops->schemes) != 0))
        k = (k + 1) & (l->size - 1);
    return k;
}

static bool make_room(ptl_loose* l) {
    if (2 * l->count < l->size) return true;
    ptl_loose larger = *l;
    larger.size *= 2;
    larger.table = calloc(larger.size, sizeof *larger.table);
    if (!larger.table) return false;
    for (size_t k = 0; k < l->size; k++)
        if (l->table[k])
            larger.table[slot(&larger, l->table[k]->hash, l->table[k]->n, l->table[k]->s)] = l->table[k];
    free(l->table);
    *l = larger;
    return true;
}

ptl_literal ptl_loose_literal(ptl_loose* l, const uint8_t* n, unsigned s) {
    size_t schemes = l->uops->schemes, uops = 0;
    uint64_t hash = s;
    for (size_t i = 0; i < schemes; i++) {
        uops += n[i];
        hash = (hash ^ n[i]) * 0x100000001b3u + (hash >> 29);
    }
    if (uops == 0 || s >= l->columns->ports) return PTL_FALSE;
    if (s == 0) return PTL_TRUE;
    hash *= 0x9e3779b97f4a7c15u;
    size_t k = slot(l, hash, n, s);
    if (l->table[k]) return l->table[k]->literal;
    ptl_loose_entry* entry = ptl_arena_alloc(l->columns->arena, sizeof *entry + schemes);
    if (!entry || !make_room(l)) return ptl_z3_give_up(l->columns->z), PTL_FALSE;
    *entry = (ptl_loose_entry){hash, s, ptl_z3_variable(l->columns->z, "loose.%u", s)};
    memcpy(entry->n, n, schemes);
    l->table[slot(l, hash, n, s)] = entry;
    l->count++;
    if (few_choices(l, n, s))
        by_uops(l, n, s, entry->literal, 0, 0);
    else
        by_ports(l, n, s, entry->literal);
    return entry->literal;
}
