/* Schemes that no experiment needs to tell apart. */
#include "algebra/distinguish.h"

static bool same_usage(const ptl_usage* x, const ptl_usage* y) {
    if (x->uop_count != y->uop_count || x->slots != y->slots) return false;
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
