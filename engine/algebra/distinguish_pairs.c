/* This file answers what all searches ask of a pair of mappings. */
#include <stdlib.h>

#include "algebra/distinguish.h"
#include "model/throughput.h"

static bool same_usage(const ptl_usage* x, const ptl_usage* y) {
    if (x->uop_count != y->uop_count || x->slots != y->slots) return false;
    if (x->unit != y->unit || x->busy != y->busy) return false;
    for (uint32_t j = 0; j < x->uop_count; j++)
        if (x->uops[j].ports != y->uops[j].ports || x->uops[j].count != y->uops[j].count) return false;
    return true;
}

size_t ptl_pairs_kinds(const ptl_pairs* p, uint32_t* kinds) {
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++) {
        size_t k = 0;
        while (k < count && !(same_usage(&p->a->schemes[p->in_a[i]], &p->a->schemes[p->in_a[kinds[k]]]) &&
                              same_usage(&p->b->schemes[p->in_b[i]], &p->b->schemes[p->in_b[kinds[k]]])))
            k++;
        if (k == count) kinds[count++] = (uint32_t)i;
    }
    return count;
}

ptl_status ptl_both_cycles(const ptl_pairs* p, const ptl_experiment* e, double* cycles_a, double* cycles_b,
                           ptl_error* error) {
    ptl_demand d = PTL_DEMAND_EMPTY;
    ptl_bottleneck b;
    ptl_term* terms = malloc((e->size + 1) * sizeof *terms);
    ptl_status s = terms ? PTL_OK : ptl_no_memory(error, "to compare");
    for (size_t i = 0; !s && i < e->size; i++) {
        size_t k = 0; /* the pair of this scheme of a */
        while (k < p->count && p->in_a[k] != e->terms[i].scheme) k++;
        if (k == p->count)
            s = ptl_fail(error, PTL_INTERNAL, NULL, NULL, "a scheme that the mappings do not share");
        else
            terms[i] = (ptl_term){p->in_b[k], e->terms[i].count};
    }
    if (!s) s = ptl_demand_fill(&d, p->a, e, error);
    if (!s) s = ptl_bottleneck_of(&d, &b, error);
    if (!s) *cycles_a = ptl_demand_cycles(&d, &b, p->a->rmax);
    if (!s) s = ptl_demand_fill(&d, p->b, &(ptl_experiment){terms, e->size}, error);
    if (!s) s = ptl_bottleneck_of(&d, &b, error);
    if (!s) *cycles_b = ptl_demand_cycles(&d, &b, p->b->rmax);
    free(terms);
    ptl_demand_free(&d);
    return s;
}
