#include "model/batch_mappings.h"

#include <stdlib.h>

#define SLICES_PER_THREAD 8 /* so that no thread is left with much at the end */

typedef struct run {
    const ptl_mapping* const* mappings;
    size_t count, slices;
    const ptl_batch* batch;
    ptl_kernel kernel;
    ptl_batch_mappings_visit* visit;
    void* context;
    ptl_error* errors; /* one per slice */
} run;

static ptl_status one(const run* r, size_t i, ptl_port_sets* sets, ptl_load_tree* tree, double* cycles,
                      ptl_error* error) {
    ptl_status s = ptl_port_sets_unions(sets, r->mappings[i], error);
    if (!s) s = ptl_load_tree_fill(tree, sets, r->mappings[i], error);
    if (!s) s = ptl_batch_run(r->batch, tree, r->kernel, cycles, error);
    if (!s) ptl_batch_keep_busy(r->batch, r->mappings[i], cycles);
    if (!s) r->visit(r->context, i, cycles);
    return s;
}

static void slice(void* context, size_t index) {
    const run* r = context;
    size_t from = r->count * index / r->slices, to = r->count * (index + 1) / r->slices;
    ptl_port_sets sets = PTL_PORT_SETS_EMPTY;
    ptl_load_tree tree = PTL_LOAD_TREE_EMPTY;
    double* cycles = malloc((r->batch->size + 1) * sizeof *cycles);
    ptl_error* error = &r->errors[index];
    if (!cycles) ptl_no_memory(error, "for a batch of experiments");
    for (size_t i = from; cycles && i < to; i++) {
        ptl_error why;
        ptl_status s = one(r, i, &sets, &tree, cycles, &why);
        if (!s) continue;
        ptl_fail(error, s, why.where, why.mend, "mapping %zu: %.200s", i + 1, why.what);
        break;
    }
    free(cycles);
    ptl_load_tree_free(&tree);
    ptl_port_sets_free(&sets);
}

ptl_status ptl_batch_mappings_run(ptl_pool* pool, const ptl_mapping* const* mappings, size_t count,
                                  const ptl_batch* batch, ptl_kernel kernel, ptl_batch_mappings_visit* visit,
                                  void* context, ptl_error* error) {
    size_t slices = (size_t)ptl_pool_threads(pool) * SLICES_PER_THREAD;
    if (slices > count) slices = count;
    if (!slices) return PTL_OK;
    ptl_error* errors = calloc(slices, sizeof *errors);
    if (!errors) return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for %zu slices", slices);
    run r = {mappings, count, slices, batch, kernel, visit, context, errors};
    ptl_pool_run(pool, slices, slice, &r);
    ptl_status s = PTL_OK;
    for (size_t i = 0; !s && i < slices; i++)
        if ((s = errors[i].status) && error) *error = errors[i];
    free(errors);
    return s;
}
