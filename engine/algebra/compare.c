#include "algebra/compare.h"

/* Units are the same if those of the one are those of the other, and are busy for as long. */
static bool same_units(const ptl_pairs* p) {
    for (size_t i = 0; i < p->count; i++) {
        const ptl_usage *a = &p->a->schemes[p->in_a[i]], *b = &p->b->schemes[p->in_b[i]];
        if (!a->unit != !b->unit || a->busy != b->busy) return false;
        for (size_t k = 0; a->unit && k < i; k++)
            if ((p->a->schemes[p->in_a[k]].unit == a->unit) != (p->b->schemes[p->in_b[k]].unit == b->unit))
                return false;
    }
    return true;
}

static bool same_limits(const ptl_pairs* p) {
    if (!same_units(p)) return false;
    if (!(p->a->rmax > 0) && !(p->b->rmax > 0)) return true;
    for (size_t i = 0; i < p->count; i++)
        if (p->a->schemes[p->in_a[i]].slots != p->b->schemes[p->in_b[i]].slots) return false;
    return p->a->rmax == p->b->rmax;
}

static ptl_status relate_ports(ptl_comparison* c, ptl_error* error) {
    ptl_status s = ptl_renaming_search(&c->pairs, &c->renaming, &c->equal, error);
    c->decided = s != PTL_LIMIT;
    c->matching = c->pairs.count;
    if (c->equal) return PTL_OK;
    return ptl_renaming_closest(&c->pairs, &c->renaming, &c->matching, error);
}

ptl_status ptl_relate(const ptl_mapping* a, const ptl_mapping* b, ptl_arena* arena, ptl_comparison* out,
                      ptl_error* error) {
    *out = (ptl_comparison){0};
    ptl_status s = ptl_pairs_find(&out->pairs, a, b, arena, error);
    if (s) return s;
    if (out->pairs.count == 0)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "compare mappings that share scheme names",
                        "the mappings explain no scheme in common");
    out->same_limits = same_limits(&out->pairs);
    return relate_ports(out, error);
}

ptl_status ptl_compare(const ptl_mapping* a, const ptl_mapping* b, double epsilon, uint64_t seed,
                       ptl_arena* arena, ptl_comparison* out, ptl_error* error) {
    ptl_status s = ptl_relate(a, b, arena, out, error);
    if (s) return s;
    if (out->equal && out->same_limits) { /* every experiment takes the same time under both */
        out->distinction.complete = true;
        return PTL_OK;
    }
    return ptl_distinguish(&out->pairs, epsilon, seed, arena, &out->distinction, error);
}
