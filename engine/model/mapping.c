#include "model/mapping.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static ptl_status check_ports(const char* const* ports, size_t count, ptl_error* error) {
    if (count == 0)
        return ptl_fail(error, PTL_BAD_INPUT, "ports", "name at least one port", "there are no ports");
    if (count > PTL_PORTS_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, "ports", NULL, "%zu ports, but at most %d are supported", count,
                        PTL_PORTS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (!*ports[i])
            return ptl_fail(error, PTL_BAD_INPUT, "ports", NULL, "port %zu has an empty name", i + 1);
        for (size_t j = 0; j < i; j++)
            if (!strcmp(ports[i], ports[j]))
                return ptl_fail(error, PTL_BAD_INPUT, "ports", "give every port its own name",
                                "port '%.40s' is there twice", ports[i]);
    }
    return PTL_OK;
}

ptl_status ptl_mapping_new(ptl_mapping* m, const char* const* ports, size_t port_count,
                           size_t scheme_capacity, double rmax, ptl_error* error) {
    *m = (ptl_mapping){0};
    ptl_status s = check_ports(ports, port_count, error);
    if (s) return s;
    if (rmax != 0 && !(rmax >= PTL_RMAX_MIN && rmax <= PTL_RMAX_MAX))
        return ptl_fail(error, PTL_BAD_INPUT, "rmax", "write the issue slots per cycle, or leave it out",
                        "R_max must be a number from %g to %.0f", PTL_RMAX_MIN, PTL_RMAX_MAX);
    m->rmax = rmax;
    m->port_count = (unsigned)port_count;
    m->scheme_capacity = scheme_capacity;
    m->ports = ptl_arena_array(&m->arena, port_count, sizeof *m->ports);
    m->schemes = ptl_arena_array(&m->arena, scheme_capacity ? scheme_capacity : 1, sizeof *m->schemes);
    bool ok = m->ports && m->schemes;
    for (size_t i = 0; ok && i < port_count; i++)
        ok = (m->ports[i] = ptl_arena_string(&m->arena, ports[i])) != NULL;
    if (ok) return PTL_OK;
    ptl_mapping_free(m);
    return ptl_no_memory(error, "for the mapping");
}

static int by_ports(const void* a, const void* b) {
    ptl_ports x = ((const ptl_uop*)a)->ports, y = ((const ptl_uop*)b)->ports;
    return (x > y) - (x < y);
}

/* Sorted, one entry per port set. Returns how many are left. */
static size_t merge_uops(ptl_uop* uops, size_t count) {
    if (count > 1) qsort(uops, count, sizeof *uops, by_ports);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept && uops[kept - 1].ports == uops[i].ports)
            uops[kept - 1].count += uops[i].count;
        else
            uops[kept++] = uops[i];
    }
    return kept;
}

static ptl_status check_usage(const ptl_mapping* m, const char* name, const ptl_uop* uops, size_t count,
                              uint32_t slots, ptl_error* error) {
    uint64_t total = 0;
    ptl_ports all = m->port_count == PTL_PORTS_MAX ? UINT32_MAX : (UINT32_C(1) << m->port_count) - 1;
    for (size_t i = 0; i < count; i++) {
        if (!uops[i].ports)
            return ptl_fail(error, PTL_BAD_INPUT, name, "give it at least one port", "uop %zu has no port",
                            i + 1);
        if (uops[i].ports & ~all)
            return ptl_fail(error, PTL_BAD_INPUT, name, NULL,
                            "uop %zu uses a port that the mapping does not have", i + 1);
        if (!uops[i].count)
            return ptl_fail(error, PTL_BAD_INPUT, name, "leave it out", "uop %zu has the multiplicity 0",
                            i + 1);
        total += uops[i].count;
    }
    if (total > PTL_UOP_COUNT_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, name, NULL, "more than %u uops", PTL_UOP_COUNT_MAX);
    if (slots > PTL_SLOTS_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, name, NULL, "more than %u issue slots", PTL_SLOTS_MAX);
    return PTL_OK;
}

ptl_status ptl_mapping_add(ptl_mapping* m, const char* name, const ptl_uop* uops, size_t uop_count,
                           uint32_t slots, ptl_error* error) {
    if (m->scheme_count == m->scheme_capacity)
        return ptl_fail(error, PTL_INTERNAL, name, NULL, "more schemes than the mapping was made for");
    if (!uops) uop_count = 0;
    ptl_status s = check_usage(m, name, uops, uop_count, slots, error);
    if (s) return s;
    ptl_usage u = {.name = ptl_arena_string(&m->arena, name), .slots = slots, .known = uops != NULL};
    if (!u.name) return ptl_no_memory(error, "for the mapping");
    if (uop_count) {
        ptl_uop* copy = ptl_arena_array(&m->arena, uop_count, sizeof *copy);
        if (!copy) return ptl_no_memory(error, "for the mapping");
        memcpy(copy, uops, uop_count * sizeof *copy);
        u.uops = copy;
        u.uop_count = (uint32_t)merge_uops(copy, uop_count);
    }
    m->schemes[m->scheme_count++] = u;
    return PTL_OK;
}

ptl_status ptl_mapping_keep_busy(ptl_mapping* m, uint32_t scheme, uint32_t unit, double cycles,
                                 ptl_error* error) {
    if (unit < 1 || unit > m->unit_count + 1)
        return ptl_fail(error, PTL_BAD_INPUT, m->schemes[scheme].name, "number units from 1 on",
                        "unit %u, but there are %u", unit, m->unit_count);
    if (!(cycles >= 0 && cycles <= DBL_MAX))
        return ptl_fail(error, PTL_BAD_INPUT, m->schemes[scheme].name, NULL,
                        "a unit is busy for a finite number of cycles from 0 on");
    if (unit > m->unit_count) m->unit_count = unit;
    m->schemes[scheme].unit = unit;
    m->schemes[scheme].busy = cycles;
    return PTL_OK;
}

void ptl_mapping_free(ptl_mapping* m) {
    ptl_arena_release(&m->arena);
    *m = (ptl_mapping){0};
}

ptl_ports ptl_mapping_used_ports(const ptl_mapping* m) {
    ptl_ports used = 0;
    for (size_t i = 0; i < m->scheme_count; i++)
        for (uint32_t u = 0; u < m->schemes[i].uop_count; u++) used |= m->schemes[i].uops[u].ports;
    return used;
}
