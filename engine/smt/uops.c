#include "smt/uops.h"

#include <stdio.h>
#include <string.h>

#include "model/throughput.h"

ptl_status ptl_uops_check(size_t schemes, size_t ports, const unsigned* counts, const unsigned* uops,
                          ptl_error* error) {
    if (schemes == 0 || schemes > PTL_SCHEMES_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "infer them in groups",
                        "%zu schemes, but one inference takes 1 to %d", schemes, PTL_SCHEMES_MAX);
    if (ports == 0 || ports > PTL_CANDIDATE_PORTS_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "%zu ports, but a mapping has 1 to %d", ports,
                        PTL_CANDIDATE_PORTS_MAX);
    for (size_t i = 0; counts && uops && i < schemes; i++)
        if (counts[i] && uops[i] > 1)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "leave it open",
                            "a number of ports for a scheme of %u uops", uops[i]);
    for (size_t i = 0; counts && i < schemes; i++)
        if (counts[i] > ports)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "allow more ports",
                            "a scheme on %u ports, but there are only %zu", counts[i], ports);
    return PTL_OK;
}

ptl_status ptl_uops_set(ptl_uops* u, size_t schemes, const unsigned* counts, const unsigned* slots,
                        ptl_error* error) {
    *u = (ptl_uops){.schemes = schemes};
    for (size_t i = 0; i < schemes; i++) {
        size_t n = counts ? counts[i] : 1;
        if (n == 0)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "leave it out", "a scheme without uops has no ports");
        if (u->rows + n > PTL_SCHEMES_MAX)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "infer them in groups",
                            "more than %d uops in one inference", PTL_SCHEMES_MAX);
        for (size_t r = 0; r < n; r++) u->owner[u->rows++] = (uint8_t)i;
        u->first[i + 1] = u->rows;
        u->slots[i] = slots ? slots[i] : 1;
    }
    return PTL_OK;
}

/* Row b is not above row a: equal up to port k implies runs[a][k] or not runs[b][k]. */
static void order_rows(ptl_columns* c, size_t a, size_t b) {
    ptl_literal equal = PTL_TRUE;
    for (size_t k = 0; k < c->ports; k++) {
        ptl_literal x = c->runs[a * c->ports + k], y = c->runs[b * c->ports + k];
        ptl_z3_or(c->z, -equal, x, -y, 0);
        ptl_literal still = ptl_z3_variable(c->z, "same.%zu.%zu", a, k);
        ptl_z3_or(c->z, -equal, still, x, y);
        ptl_z3_or(c->z, -equal, still, -x, -y);
        equal = still;
    }
}

void ptl_uops_order(const ptl_uops* u, ptl_columns* c) {
    for (size_t r = 0; r + 1 < u->rows; r++)
        if (u->owner[r] == u->owner[r + 1]) order_rows(c, r, r + 1);
}

ptl_status ptl_uops_same(const ptl_uops* u, ptl_columns* c, size_t scheme, uint64_t among, ptl_error* error) {
    ptl_literal any[PTL_SCHEMES_MAX * PTL_SCHEMES_MAX];
    size_t n = 0;
    for (size_t j = 0; j < u->schemes; j++) {
        if (!(among >> j & 1) || j == scheme || u->first[j + 1] - u->first[j] != 1) continue;
        for (size_t r = u->first[scheme]; r < u->first[scheme + 1]; r++) {
            ptl_literal equal = any[n++] = ptl_z3_variable(c->z, "uop.%zu.is.%zu", r, j);
            for (size_t k = 0; k < c->ports; k++) {
                ptl_literal x = c->runs[r * c->ports + k], y = c->runs[u->first[j] * c->ports + k];
                ptl_z3_or(c->z, -equal, -x, y, 0);
                ptl_z3_or(c->z, -equal, x, -y, 0);
            }
        }
    }
    if (n == 0)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "name one",
                        "no scheme with a single uop to share it with");
    ptl_z3_clause(c->z, any, n);
    return PTL_OK;
}

size_t ptl_uops_rows(const ptl_uops* u, const ptl_terms* e, uint8_t* row, uint32_t* copies) {
    size_t n = 0;
    for (size_t k = 0; k < e->count; k++)
        for (size_t r = u->first[e->scheme[k]]; r < u->first[e->scheme[k] + 1]; r++) {
            row[n] = (uint8_t)r;
            copies[n++] = e->copies[k];
        }
    return n;
}

bool ptl_uops_few(const ptl_uops* u, const ptl_terms* e, ptl_terms* rows) {
    size_t n = 0;
    for (size_t k = 0; k < e->count; k++) n += u->first[e->scheme[k] + 1] - u->first[e->scheme[k]];
    if (n > PTL_FEW_UOPS_MAX) return false;
    rows->count = ptl_uops_rows(u, e, rows->scheme, rows->copies);
    return true;
}

uint64_t ptl_uops_inside(const ptl_uops* u, const uint32_t* mapping, const ptl_terms* e, ptl_ports q) {
    uint8_t row[PTL_SCHEMES_MAX];
    uint32_t copies[PTL_SCHEMES_MAX];
    uint64_t inside = 0;
    for (size_t n = ptl_uops_rows(u, e, row, copies), k = 0; k < n; k++)
        if (!(mapping[row[k]] & ~q)) inside |= (uint64_t)1 << row[k];
    return inside;
}

ptl_status ptl_uops_cycles(const ptl_uops* u, const uint32_t* mapping, const ptl_terms* e,
                           ptl_demand* scratch, double* cycles, ptl_error* error) {
    ptl_terms rows;
    if (ptl_uops_few(u, e, &rows)) {
        *cycles = ptl_candidate_cycles(mapping, &rows);
        return PTL_OK;
    }
    ptl_bottleneck b;
    ptl_status status = ptl_uops_demand(u, mapping, e, scratch, error);
    if (!status) status = ptl_bottleneck_of(scratch, &b, error);
    if (!status) *cycles = ptl_bottleneck_cycles(&b);
    return status;
}

ptl_status ptl_uops_demand(const ptl_uops* u, const uint32_t* mapping, const ptl_terms* e, ptl_demand* d,
                           ptl_error* error) {
    uint8_t row[PTL_SCHEMES_MAX];
    uint32_t copies[PTL_SCHEMES_MAX];
    ptl_mass masses[PTL_SCHEMES_MAX];
    size_t n = ptl_uops_rows(u, e, row, copies);
    for (size_t k = 0; k < n; k++) masses[k] = (ptl_mass){mapping[row[k]], copies[k]};
    return ptl_demand_masses(d, masses, n, error);
}

ptl_status ptl_uops_mapping(const ptl_uops* u, const uint32_t* mapping, size_t ports, double rmax,
                            ptl_mapping* out, ptl_error* error) {
    char text[PTL_SCHEMES_MAX][8];
    const char* names[PTL_PORTS_MAX];
    for (size_t k = 0; k < PTL_SCHEMES_MAX; k++) snprintf(text[k], sizeof text[k], "%zu", k);
    for (size_t k = 0; k < ports; k++) names[k] = text[k];
    ptl_status status = ptl_mapping_new(out, names, ports, u->schemes, rmax, error);
    for (size_t i = 0; i < u->schemes && !status; i++) {
        ptl_uop uops[PTL_SCHEMES_MAX];
        size_t n = 0;
        for (size_t r = u->first[i]; r < u->first[i + 1]; r++) uops[n++] = (ptl_uop){mapping[r], 1};
        status = ptl_mapping_add(out, text[i], uops, n, u->slots[i], error);
        if (status) ptl_mapping_free(out);
    }
    return status;
}
