#include "model/load_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/divisor.h"
#include "model/kernel.h"

/* Aligned memory for at least count elements; the old content is lost. NULL: no memory, nothing is kept. */
static void* renew(void* old, size_t* capacity, size_t count, size_t size) {
    if (count <= *capacity) return old;
    free(old);
    void* memory = aligned_alloc(64, (count * size + 63) / 64 * 64);
    *capacity = memory ? count : 0;
    return memory;
}

static void lay_out(ptl_load_tree* t, size_t lanes) {
    t->levels = 0;
    t->stride = 0;
    size_t nodes = lanes;
    do {
        nodes = (nodes + PTL_LANES - 1) / PTL_LANES;
        t->offset[t->levels] = t->stride;
        t->node_count[t->levels++] = nodes;
        t->stride += nodes * PTL_LANES;
    } while (nodes > PTL_TOP_NODES_MAX);
}

/* The least common multiple of all widths, and of R_max if it is a small whole number. */
static double common_unit(const ptl_port_sets* sets, double rmax) {
    uint64_t unit = 1;
    unsigned last = 0;
    for (size_t i = 0; i < sets->count; i++) {
        unsigned width = ptl_ports_count(sets->sets[i]);
        if (width != last) unit = unit / ptl_common_divisor(unit, width) * width;
        last = width;
    }
    if (rmax >= 1 && rmax <= 64 && rmax == floor(rmax))
        unit = unit / ptl_common_divisor(unit, (uint64_t)rmax) * (uint64_t)rmax;
    return (double)unit;
}

static ptl_status reserve(ptl_load_tree* t, size_t lanes, size_t schemes, ptl_error* error) {
    size_t row = t->stride * sizeof(float);
    if (schemes > PTL_TREE_BYTES_MAX / row)
        return ptl_fail(error, PTL_LIMIT, NULL, "use fewer schemes, or ask for one experiment at a time",
                        "load vectors of %zu schemes with %zu port sets take more than %zu GiB", schemes,
                        lanes, PTL_TREE_BYTES_MAX >> 30);
    size_t padded = t->node_count[0] * PTL_LANES;
    t->rows = renew(t->rows, &t->row_capacity, (schemes ? schemes : 1) * t->stride, sizeof *t->rows);
    t->sets = renew(t->sets, &t->set_capacity, padded, sizeof *t->sets);
    t->weights = renew(t->weights, &t->weight_capacity, padded, sizeof *t->weights);
    t->known = renew(t->known, &t->known_capacity, schemes ? schemes : 1, sizeof *t->known);
    if (t->rows && t->sets && t->weights && t->known) return PTL_OK;
    return ptl_no_memory(error, "for load vectors");
}

void ptl_load_tree_row(ptl_load_tree* t, size_t scheme, const ptl_usage* u) {
    float* row = t->rows + scheme * t->stride;
    float issue = t->rmax > 0 ? (float)(u->slots * t->unit / t->rmax) : 0;
    ptl_kernel_of(PTL_KERNEL_AUTO)->fill(t, u, issue, row);
    t->unknown_count += t->known[scheme];
    t->unknown_count -= u->known;
    t->known[scheme] = u->known;
}

ptl_status ptl_load_tree_fill(ptl_load_tree* t, const ptl_port_sets* sets, const ptl_mapping* m,
                              ptl_error* error) {
    size_t limit = m->rmax > 0, lanes = sets->count + limit;
    if (!lanes) lanes = 1;
    lay_out(t, lanes);
    ptl_status s = reserve(t, lanes, m->scheme_count, error);
    if (s) return s;
    t->scheme_count = m->scheme_count;
    t->unit = common_unit(sets, m->rmax);
    t->rmax = m->rmax;
    for (size_t i = 0; i < t->node_count[0] * PTL_LANES; i++) {
        bool is_set = i >= limit && i - limit < sets->count;
        t->sets[i] = is_set ? sets->sets[i - limit] : 0;
        t->weights[i] = is_set ? (float)(t->unit / ptl_ports_count(t->sets[i])) : 0;
    }
    t->unknown_count = 0;
    for (size_t i = 0; i < m->scheme_count; i++) {
        t->known[i] = true;
        ptl_load_tree_row(t, i, &m->schemes[i]);
    }
    return PTL_OK;
}

void ptl_load_tree_free(ptl_load_tree* t) {
    free(t->rows);
    free(t->sets);
    free(t->weights);
    free(t->known);
    *t = PTL_LOAD_TREE_EMPTY;
}
