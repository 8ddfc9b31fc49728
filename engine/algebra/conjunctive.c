#include "algebra/conjunctive.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

static ptl_status check_names(const char* const* names, size_t count, ptl_error* error) {
    if (count > PTL_RESOURCES_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, "resources", NULL,
                        "%zu resources, but at most %d are supported", count, PTL_RESOURCES_MAX);
    const char** sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted) return ptl_no_memory(error, "for a conjunctive mapping");
    ptl_status s = PTL_OK;
    for (size_t i = 0; i < count; i++) sorted[i] = names[i];
    qsort(sorted, count, sizeof *sorted, ptl_ascending_texts);
    for (size_t i = 0; !s && i < count; i++) {
        if (!*sorted[i])
            s = ptl_fail(error, PTL_BAD_INPUT, "resources", NULL, "a resource has an empty name");
        else if (i && !strcmp(sorted[i - 1], sorted[i]))
            s = ptl_fail(error, PTL_BAD_INPUT, "resources", "give every resource its own name",
                         "resource '%.40s' is there twice", sorted[i]);
    }
    free(sorted);
    return s;
}

ptl_status ptl_conjunctive_new(ptl_conjunctive* c, const char* const* resources, size_t resource_count,
                               size_t scheme_capacity, ptl_error* error) {
    *c = (ptl_conjunctive){.resource_count = resource_count, .scheme_capacity = scheme_capacity};
    ptl_status s = check_names(resources, resource_count, error);
    if (s) return s;
    c->resources = ptl_arena_array(&c->arena, resource_count + 1, sizeof *c->resources);
    c->schemes = ptl_arena_array(&c->arena, scheme_capacity + 1, sizeof *c->schemes);
    bool ok = c->resources && c->schemes;
    for (size_t i = 0; ok && i < resource_count; i++)
        ok = (c->resources[i] = ptl_arena_string(&c->arena, resources[i])) != NULL;
    if (ok) return PTL_OK;
    ptl_conjunctive_free(c);
    return ptl_no_memory(error, "for a conjunctive mapping");
}

static int by_resource(const void* a, const void* b) {
    uint32_t x = ((const ptl_load*)a)->resource, y = ((const ptl_load*)b)->resource;
    return (x > y) - (x < y);
}

ptl_status ptl_conjunctive_add(ptl_conjunctive* c, const char* name, const ptl_load* loads, size_t count,
                               ptl_error* error) {
    if (c->scheme_count == c->scheme_capacity)
        return ptl_fail(error, PTL_INTERNAL, name, NULL, "more schemes than the mapping was made for");
    if (!loads) count = 0;
    ptl_resource_use u = {.name = ptl_arena_string(&c->arena, name), .known = loads != NULL};
    ptl_load* kept = ptl_arena_array(&c->arena, count + 1, sizeof *kept);
    if (!u.name || !kept) return ptl_no_memory(error, "for a conjunctive mapping");
    for (size_t i = 0; i < count; i++) {
        if (loads[i].resource >= c->resource_count)
            return ptl_fail(error, PTL_INTERNAL, name, NULL, "there is no resource %u", loads[i].resource);
        if (!(loads[i].load >= 0 && loads[i].load <= PTL_LOAD_MAX))
            return ptl_fail(error, PTL_BAD_INPUT, name, NULL,
                            "the load on '%.40s' must be from 0 to %g cycles",
                            c->resources[loads[i].resource], PTL_LOAD_MAX);
        if (loads[i].load > 0) kept[u.load_count++] = loads[i];
    }
    if (u.load_count > 1) qsort(kept, u.load_count, sizeof *kept, by_resource);
    u.loads = kept;
    c->schemes[c->scheme_count++] = u;
    return PTL_OK;
}

static void accumulate(const ptl_conjunctive* c, const ptl_experiment* x, double* pressure) {
    memset(pressure, 0, c->resource_count * sizeof *pressure);
    for (size_t i = 0; i < x->size; i++) {
        const ptl_resource_use* u = &c->schemes[x->terms[i].scheme];
        for (uint32_t k = 0; k < u->load_count; k++)
            pressure[u->loads[k].resource] += x->terms[i].count * u->loads[k].load;
    }
}

ptl_status ptl_conjunctive_throughput(const ptl_conjunctive* c, const ptl_experiment* experiment,
                                      double* cycles, double* pressure, ptl_error* error) {
    for (size_t i = 0; i < experiment->size; i++) {
        const ptl_resource_use* u = &c->schemes[experiment->terms[i].scheme];
        if (!u->known)
            return ptl_fail(error, PTL_BAD_INPUT, u->name, "leave this scheme out",
                            "the mapping does not explain this scheme");
    }
    double* sums = pressure ? pressure : malloc((c->resource_count + 1) * sizeof *sums);
    if (!sums) return ptl_no_memory(error, "for a conjunctive mapping");
    accumulate(c, experiment, sums);
    *cycles = 0;
    for (size_t r = 0; r < c->resource_count; r++) *cycles = sums[r] > *cycles ? sums[r] : *cycles;
    if (!pressure) free(sums);
    return PTL_OK;
}

void ptl_conjunctive_free(ptl_conjunctive* c) {
    ptl_arena_release(&c->arena);
    *c = (ptl_conjunctive){0};
}
