#include "smt/columns.h"

#include <stdlib.h>
#include <string.h>

struct ptl_union {
    uint64_t set;
    ptl_literal at_least[]; /* [x - 1] */
};

/* out sorts the na + nb inputs of which a and b are already sorted. */
static void merge(ptl_z3* z, const ptl_literal* a, size_t na, const ptl_literal* b, size_t nb,
                  ptl_literal* out) {
    for (size_t x = 0; x < na + nb; x++) out[x] = ptl_z3_variable(z, "t%zu", x + 1);
    for (size_t i = 0; i <= na; i++)
        for (size_t j = 0; j <= nb; j++) {
            if (i + j > 0) ptl_z3_or(z, i ? -a[i - 1] : 0, j ? -b[j - 1] : 0, out[i + j - 1], 0);
            if (i + j < na + nb) ptl_z3_or(z, i < na ? a[i] : 0, j < nb ? b[j] : 0, -out[i + j], 0);
        }
}

bool ptl_count(ptl_z3* z, const ptl_literal* in, size_t n, ptl_literal* out) {
    if (n == 1) out[0] = in[0];
    if (n <= 1) return true;
    size_t half = n / 2;
    ptl_literal* parts = malloc(n * sizeof *parts);
    bool done = parts && ptl_count(z, in, half, parts) && ptl_count(z, in + half, n - half, parts + half);
    if (done) merge(z, parts, half, parts + half, n - half, out);
    free(parts);
    return done;
}

/* Column k + 1 is not above column k: equal up to scheme i implies runs[i][k] or not runs[i][k + 1]. */
static void order_ports(ptl_columns* c) {
    for (size_t k = 0; k + 1 < c->ports; k++) {
        ptl_literal equal = PTL_TRUE;
        for (size_t i = 0; i < c->schemes; i++) {
            ptl_literal a = c->runs[i * c->ports + k], b = c->runs[i * c->ports + k + 1];
            ptl_z3_or(c->z, -equal, a, -b, 0);
            if (i + 1 == c->schemes) break;
            ptl_literal still = ptl_z3_variable(c->z, "equal.%zu.%zu", i, k);
            ptl_z3_or(c->z, -equal, still, a, b);
            ptl_z3_or(c->z, -equal, still, -a, -b);
            /* The other direction is not needed to keep the order, but decides `still` from the columns. */
            ptl_z3_or(c->z, -still, equal, 0, 0);
            ptl_z3_or(c->z, -still, -a, b, 0);
            ptl_z3_or(c->z, -still, a, -b, 0);
            equal = still;
        }
    }
}

ptl_status ptl_columns_new(ptl_columns* c, ptl_z3* z, ptl_arena* arena, size_t schemes, size_t ports,
                           const unsigned* counts, ptl_error* error) {
    *c = (ptl_columns){.z = z, .arena = arena, .schemes = schemes, .ports = ports, .table_size = 1024};
    c->runs = ptl_arena_array(arena, schemes * ports, sizeof *c->runs);
    c->table = calloc(c->table_size, sizeof(ptl_union*));
    if (!c->runs || !c->table) return ptl_no_memory_in(error, "columns");
    for (size_t i = 0; i < schemes; i++)
        for (size_t k = 0; k < ports; k++) c->runs[i * ports + k] = ptl_z3_variable(z, "m.%zu.%zu", i, k);
    order_ports(c);
    for (size_t i = 0; i < schemes; i++) {
        int count = counts ? (int)counts[i] : 0;
        c->least[i] = count ? (unsigned)count : 1;
        ptl_z3_or(z, ptl_columns_at_least(c, (uint64_t)1 << i, count ? count : 1), 0, 0, 0);
        if (count) ptl_z3_or(z, -ptl_columns_at_least(c, (uint64_t)1 << i, count + 1), 0, 0, 0);
    }
    return PTL_OK;
}

ptl_status ptl_columns_fix(ptl_columns* c, const uint32_t* rows, ptl_error* error) {
    for (size_t i = 0; i < c->schemes; i++) {
        if (rows[i] == 0) continue;
        if ((uint64_t)rows[i] >> c->ports)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "allow more ports",
                            "the given ports are more than the %zu that a mapping may have", c->ports);
        c->least[i] = (unsigned)__builtin_popcount(rows[i]);
        for (size_t k = 0; k < c->ports; k++) {
            ptl_literal runs = c->runs[i * c->ports + k];
            ptl_z3_or(c->z, rows[i] >> k & 1 ? runs : -runs, 0, 0, 0);
        }
    }
    return PTL_OK;
}

void ptl_columns_free(ptl_columns* c) {
    free(c->table);
    c->table = NULL;
}

static size_t slot(const ptl_columns* c, uint64_t set) {
    size_t k = (size_t)((set * 0x9e3779b97f4a7c15u) >> 20) & (c->table_size - 1);
    while (c->table[k] && c->table[k]->set != set) k = (k + 1) & (c->table_size - 1);
    return k;
}

static bool make_room(ptl_columns* c) {
    if (2 * c->unions < c->table_size) return true;
    ptl_columns larger = *c;
    larger.table_size *= 2;
    larger.table = calloc(larger.table_size, sizeof(ptl_union*));
    if (!larger.table) return false;
    for (size_t k = 0; k < c->table_size; k++)
        if (c->table[k]) larger.table[slot(&larger, c->table[k]->set)] = c->table[k];
    free(c->table);
    *c = larger;
    return true;
}

/* used[k]: port k runs a scheme of the set. */
static void join(ptl_columns* c, uint64_t set, ptl_literal* used) {
    for (size_t k = 0; k < c->ports; k++) {
        ptl_literal any[PTL_SCHEMES_MAX + 1];
        size_t n = 0;
        if ((set & (set - 1)) == 0) {
            used[k] = c->runs[(size_t)__builtin_ctzll(set) * c->ports + k];
            continue;
        }
        used[k] = ptl_z3_variable(c->z, "u.%llx.%zu", (unsigned long long)set, k);
        for (uint64_t rest = set; rest; rest &= rest - 1) {
            ptl_literal runs = c->runs[(size_t)__builtin_ctzll(rest) * c->ports + k];
            ptl_z3_or(c->z, -runs, used[k], 0, 0);
            any[n++] = runs;
        }
        any[n++] = -used[k];
        ptl_z3_clause(c->z, any, n);
    }
}

static ptl_union* new_union(ptl_columns* c, uint64_t set) {
    ptl_literal used[PTL_CANDIDATE_PORTS_MAX];
    ptl_union* u = ptl_arena_alloc(c->arena, sizeof *u + c->ports * sizeof(ptl_literal));
    if (!u || !make_room(c)) return NULL;
    u->set = set;
    join(c, set, used);
    if (!ptl_count(c->z, used, c->ports, u->at_least)) return NULL;
    c->table[slot(c, set)] = u;
    c->unions++;
    return u;
}

ptl_literal ptl_columns_at_least(ptl_columns* c, uint64_t set, int x) {
    if (x <= 0) return PTL_TRUE;
    if (x > (int)c->ports || set == 0) return PTL_FALSE;
    ptl_union* u = c->table[slot(c, set)];
    if (!u) u = new_union(c, set);
    if (!u) {
        ptl_z3_give_up(c->z);
        return PTL_FALSE;
    }
    return u->at_least[x - 1];
}

void ptl_columns_read(const ptl_columns* c, uint32_t* mapping) {
    for (size_t i = 0; i < c->schemes; i++) {
        mapping[i] = 0;
        for (size_t k = 0; k < c->ports; k++)
            if (ptl_z3_value(c->z, c->runs[i * c->ports + k])) mapping[i] |= (uint32_t)1 << k;
    }
}
