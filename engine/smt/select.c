#include "smt/select.h"

/* joined[k]: a scheme in S runs on port k. */
static void join(const ptl_select* s, const ptl_literal* runs, const char* name, ptl_literal* joined) {
    ptl_z3* z = s->columns->z;
    size_t schemes = s->columns->schemes, ports = s->columns->ports;
    for (size_t k = 0; k < ports; k++) {
        ptl_literal any[PTL_SCHEMES_MAX + 1];
        joined[k] = ptl_z3_variable(z, "%s.%zu", name, k);
        for (size_t i = 0; i < schemes; i++) {
            ptl_literal runs_it = runs[i * ports + k], both = ptl_z3_variable(z, "%s.%zu.%zu", name, i, k);
            ptl_z3_or(z, -both, s->member[i], 0, 0);
            ptl_z3_or(z, -both, runs_it, 0, 0);
            ptl_z3_or(z, both, -s->member[i], -runs_it, 0);
            ptl_z3_or(z, -both, joined[k], 0, 0);
            any[i] = both;
        }
        any[schemes] = -joined[k];
        ptl_z3_clause(z, any, schemes + 1);
    }
}

/* Where c of the given mapping is x, the other's must be far enough below or above. */
static void differ(const ptl_select* s, const ptl_literal* c_given, const ptl_literal* c_other,
                   double epsilon, double rmax) {
    unsigned ports = (unsigned)s->columns->ports;
    for (unsigned x = 1; x <= ports; x++) {
        unsigned below = x, above = x; /* the nearest values that can be told from x */
        while (below >= 1 && !ptl_distinct(x, below, epsilon, rmax)) below--;
        while (above <= ports && !ptl_distinct(x, above, epsilon, rmax)) above++;
        ptl_literal clause[5];
        size_t n = 0;
        clause[n++] = -s->active;
        clause[n++] = -c_given[x - 1];
        if (x < ports) clause[n++] = c_given[x];
        if (below >= 1) clause[n++] = -c_other[below]; /* below < x <= ports: the index exists */
        if (above <= ports) clause[n++] = c_other[above - 1];
        ptl_z3_clause(s->columns->z, clause, n);
    }
}

ptl_status ptl_select_new(ptl_select* s, ptl_columns* columns, double epsilon, double rmax,
                          ptl_error* error) {
    size_t schemes = columns->schemes, ports = columns->ports;
    ptl_z3* z = columns->z;
    *s = (ptl_select){.columns = columns};
    s->member = ptl_arena_array(columns->arena, schemes, sizeof *s->member);
    s->size = ptl_arena_array(columns->arena, schemes, sizeof *s->size);
    s->given = ptl_arena_array(columns->arena, schemes * ports, sizeof *s->given);
    ptl_literal joined[2][PTL_CANDIDATE_PORTS_MAX], c[2][PTL_CANDIDATE_PORTS_MAX];
    if (!s->member || !s->size || !s->given) return ptl_no_memory_in(error, "query");
    s->active = ptl_z3_variable(z, "other");
    for (size_t i = 0; i < schemes; i++) {
        s->member[i] = ptl_z3_variable(z, "s.%zu", i);
        for (size_t k = 0; k < ports; k++) s->given[i * ports + k] = ptl_z3_variable(z, "g.%zu.%zu", i, k);
    }
    join(s, s->given, "ug", joined[0]);
    join(s, columns->runs, "uo", joined[1]);
    if (!ptl_count(z, s->member, schemes, s->size) || !ptl_count(z, joined[0], ports, c[0]) ||
        !ptl_count(z, joined[1], ports, c[1]))
        return ptl_no_memory_in(error, "query");
    ptl_z3_or(z, -s->active, s->size[0], 0, 0);
    differ(s, c[0], c[1], epsilon, rmax);
    return PTL_OK;
}

size_t ptl_select_ask(const ptl_select* s, const uint32_t* given, size_t max_size, uint64_t among,
                      ptl_literal* assumptions) {
    size_t schemes = s->columns->schemes, ports = s->columns->ports, n = 0;
    assumptions[n++] = s->active;
    if (max_size > 0 && max_size < schemes) assumptions[n++] = -s->size[max_size];
    for (size_t i = 0; i < schemes; i++) {
        if (!(among >> i & 1)) assumptions[n++] = -s->member[i];
        for (size_t k = 0; k < ports; k++) {
            ptl_literal runs = s->given[i * ports + k];
            assumptions[n++] = given[i] >> k & 1 ? runs : -runs;
        }
    }
    return n;
}

uint64_t ptl_select_read(const ptl_select* s) {
    uint64_t set = 0;
    for (size_t i = 0; i < s->columns->schemes; i++)
        if (ptl_z3_value(s->columns->z, s->member[i])) set |= (uint64_t)1 << i;
    return set;
}
