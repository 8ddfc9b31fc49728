#include "model/batch.h"

#include <stdlib.h>

#include "base/room.h"

#define COUNT_MAX (UINT32_C(1) << 24)

/* At least that many elements; false: no memory, and what was there is still there. */
static bool grow_terms(ptl_batch* b, size_t wanted) {
    if (wanted <= b->term_capacity) return true;
    size_t capacity = wanted < 512 ? 512 : wanted * 2;
    if (!ptl_resize(&b->scheme, capacity, sizeof *b->scheme) ||
        !ptl_resize(&b->count, capacity, sizeof *b->count))
        return false;
    b->term_capacity = capacity;
    return true;
}

ptl_status ptl_batch_add(ptl_batch* b, const ptl_experiment* e, ptl_error* error) {
    if (!ptl_room(&b->start, &b->start_capacity, b->size + 2, sizeof *b->start))
        return ptl_no_memory(error, "for a batch of experiments");
    if (b->size == 0) b->start[0] = 0;
    uint32_t at = b->start[b->size];
    if (e->size > UINT32_MAX - at)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "use several batches", "too many experiments in a batch");
    if (!grow_terms(b, at + e->size)) return ptl_no_memory(error, "for a batch of experiments");
    for (size_t k = 0; k < e->size; k++) {
        ptl_term t = e->terms[k];
        if (t.count > COUNT_MAX)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "use smaller counts",
                            "experiment %zu has %u instances of one scheme", b->size + 1, t.count);
        b->scheme[at + k] = t.scheme;
        b->count[at + k] = (float)t.count;
        if (t.scheme >= b->scheme_count) b->scheme_count = t.scheme + 1;
    }
    b->start[++b->size] = at + (uint32_t)e->size;
    return PTL_OK;
}

void ptl_batch_free(ptl_batch* b) {
    free(b->start);
    free(b->scheme);
    free(b->count);
    *b = PTL_BATCH_EMPTY;
}

void ptl_batch_keep_busy(const ptl_batch* b, const ptl_mapping* m, double* cycles) {
    for (size_t j = 0; m->unit_count && j < b->size; j++)
        for (uint32_t i = b->start[j]; i < b->start[j + 1]; i++) {
            uint32_t unit = m->schemes[b->scheme[i]].unit;
            double busy = 0;
            for (uint32_t k = i; unit && k < b->start[j + 1]; k++)
                if (m->schemes[b->scheme[k]].unit == unit)
                    busy += (double)b->count[k] * m->schemes[b->scheme[k]].busy;
            if (busy > cycles[j]) cycles[j] = busy;
        }
}

static ptl_status check_known(const ptl_batch* b, const ptl_load_tree* t, ptl_error* error) {
    if (b->scheme_count > t->scheme_count)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "experiments with %u schemes, a mapping of %zu",
                        b->scheme_count, t->scheme_count);
    if (!t->unknown_count) return PTL_OK;
    for (size_t j = 0; j < b->size; j++)
        for (uint32_t k = b->start[j]; k < b->start[j + 1]; k++)
            if (!t->known[b->scheme[k]])
                return ptl_fail(error, PTL_BAD_INPUT, NULL, "leave it out",
                                "experiment %zu has a scheme that the mapping does not explain", j + 1);
    return PTL_OK;
}

ptl_status ptl_batch_run(const ptl_batch* b, const ptl_load_tree* t, ptl_kernel kernel, double* cycles,
                         ptl_error* error) {
    const ptl_kernel_table* chosen = ptl_kernel_of(kernel);
    if (!chosen)
        return ptl_fail(error, PTL_UNSUPPORTED, NULL, "let the kernel be chosen",
                        "this processor cannot run that kernel");
    ptl_status s = check_known(b, t, error);
    if (!s && b->size) s = chosen->search(t, b->start, b->scheme, b->count, b->size, cycles);
    return s == PTL_NO_MEMORY ? ptl_no_memory(error, "for a batch of experiments") : s;
}
