#include "anica/expand.h"

#include <string.h>

/* Counts, and fills `out` if there is one. */
static ptl_status walk(const ptl_domain* d, const ptl_abstract* a, ptl_expansion* out, size_t* n,
                       ptl_error* error) {
    *n = 0;
    for (size_t i = 0; i < a->length; i++) {
        for (size_t f = 0; f < d->feature_count; f++) {
            size_t count;
            const ptl_step* steps =
                ptl_lattice_steps(d->features[f], a->nodes[i * d->feature_count + f], &count);
            if (!steps) return ptl_no_memory(error, "for the expansions of an abstract block");
            for (size_t k = 0; k < count && out; k++) {
                out[*n + k] =
                    (ptl_expansion){.instruction = (uint8_t)i, .feature = (uint8_t)f, .step = steps[k]};
            }
            *n += count;
        }
    }
    for (size_t k = 0; k < a->alias_count && out; k++)
        out[*n + k] = (ptl_expansion){.of_alias = true, .a = a->aliases[k].a, .b = a->aliases[k].b};
    *n += a->alias_count;
    return PTL_OK;
}

ptl_status ptl_expansion_count(const ptl_domain* d, const ptl_abstract* a, size_t* n, ptl_error* error) {
    return walk(d, a, NULL, n, error);
}

ptl_status ptl_expansion_list(const ptl_domain* d, const ptl_abstract* a, ptl_expansion* out,
                              ptl_error* error) {
    size_t n;
    return walk(d, a, out, &n, error);
}

static void drop_alias(ptl_abstract* a, ptl_operand_ref x, ptl_operand_ref y) {
    const ptl_alias* found = ptl_abstract_alias(a, x, y);
    if (!found) return;
    size_t at = (size_t)(found - a->aliases);
    memmove(a->aliases + at, a->aliases + at + 1, (a->alias_count - at - 1) * sizeof *a->aliases);
    a->alias_count--;
}

ptl_status ptl_expand(const ptl_domain* d, const ptl_abstract* a, const ptl_expansion* list, size_t n,
                      ptl_abstract* out, ptl_error* error) {
    memcpy(out->nodes, a->nodes, a->length * d->feature_count * sizeof *a->nodes);
    if (a->alias_count) memcpy(out->aliases, a->aliases, a->alias_count * sizeof *a->aliases);
    out->alias_count = a->alias_count;
    for (size_t k = 0; k < n; k++) {
        const ptl_expansion* e = &list[k];
        if (e->of_alias) {
            drop_alias(out, e->a, e->b);
        } else if (e->instruction < out->length && e->feature < d->feature_count) {
            ptl_node* node = &out->nodes[e->instruction * d->feature_count + e->feature];
            *node = ptl_lattice_take(d->features[e->feature], *node, e->step);
            if (*node == PTL_NO_NODE) return ptl_no_memory(error, "for the expansions of an abstract block");
        }
    }
    return ptl_abstract_finish(d, out, error);
}
