#include "model/facile.h"

static uint64_t mass_inside(const ptl_demand* d, ptl_ports q) {
    uint64_t mass = 0;
    for (size_t w = 0; w < d->size; w++) mass += d->uops[w].ports & ~q ? 0 : d->uops[w].mass;
    return mass;
}

ptl_status ptl_facile(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error) {
    *out = (ptl_bottleneck){0};
    if (d->size > PTL_FACILE_UOPS_MAX)
        return ptl_fail(error, PTL_LIMIT, NULL, "use fewer different schemes", "more than %d different uops",
                        PTL_FACILE_UOPS_MAX);
    for (size_t u = 0; u < d->size; u++)
        for (size_t v = u; v < d->size; v++) {
            ptl_ports q = d->uops[u].ports | d->uops[v].ports;
            ptl_bottleneck_consider(out, mass_inside(d, q), q);
        }
    return PTL_OK;
}
