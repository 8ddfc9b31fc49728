#include "anica/domain.h"

#include <stdlib.h>
#include <string.h>

static ptl_status take_schemes(ptl_domain* d, const ptl_scheme* schemes, size_t n, ptl_error* error) {
    d->schemes = ptl_arena_array(&d->arena, n, sizeof *d->schemes);
    if (!d->schemes) return ptl_no_memory(error, "for an abstract domain");
    memcpy(d->schemes, schemes, n * sizeof *schemes);
    d->scheme_count = n;
    for (uint32_t i = 0; i < n; i++) {
        if (schemes[i].architecture != schemes[0].architecture)
            return ptl_fail(error, PTL_BAD_INPUT, schemes[i].name, "take those of one",
                            "a universe with schemes of two architectures");
        uint32_t index = ptl_names_add(&d->names, schemes[i].name);
        if (index == PTL_NO_NAME) return ptl_no_memory(error, "for an abstract domain");
        if (index != i)
            return ptl_fail(error, PTL_BAD_INPUT, schemes[i].name, "name it once", "a scheme is there twice");
    }
    return PTL_OK;
}

ptl_status ptl_domain_new(ptl_domain** out, const ptl_scheme* schemes, size_t n, ptl_error* error) {
    *out = NULL;
    if (n == 0) return ptl_fail(error, PTL_BAD_INPUT, "schemes", "name some", "a domain without schemes");
    ptl_domain* d = calloc(1, sizeof *d);
    if (!d) return ptl_no_memory(error, "for an abstract domain");
    ptl_status status = take_schemes(d, schemes, n, error);
    if (!status)
        *out = d;
    else
        ptl_domain_free(d);
    return status;
}

const ptl_architecture* ptl_domain_architecture(const ptl_domain* d) {
    return d->schemes[0].architecture;
}

void ptl_domain_free(ptl_domain* d) {
    if (!d) return;
    for (size_t f = 0; f < d->feature_count; f++) ptl_lattice_free(d->features[f]);
    ptl_names_release(&d->names);
    ptl_arena_release(&d->arena);
    free(d);
}

ptl_status ptl_domain_add(ptl_domain* d, ptl_lattice* feature, ptl_error* error) {
    if (d->feature_count < PTL_FEATURES_MAX) {
        d->features[d->feature_count++] = feature;
        return PTL_OK;
    }
    ptl_lattice_free(feature);
    return ptl_fail(error, PTL_BAD_INPUT, "features", "leave some out", "more than %d features",
                    PTL_FEATURES_MAX);
}

ptl_status ptl_domain_seal(ptl_domain* d, ptl_error* error) {
    d->rows = ptl_arena_array(&d->arena, d->scheme_count * d->feature_count, sizeof *d->rows);
    d->sets = ptl_arena_array(&d->arena, d->scheme_count, sizeof *d->sets);
    if (!d->rows || !d->sets) return ptl_no_memory(error, "for an abstract domain");
    for (size_t f = 0; f < d->feature_count; f++) {
        ptl_status status = ptl_lattice_finish(d->features[f], error);
        if (status) return status;
    }
    for (size_t i = 0; i < d->scheme_count; i++) {
        for (size_t f = 0; f < d->feature_count; f++) {
            ptl_node node = ptl_lattice_represent(d->features[f], i);
            if (node == PTL_NO_NODE) return ptl_no_memory(error, "for an abstract domain");
            d->rows[i * d->feature_count + f] = node;
        }
    }
    return PTL_OK;
}

uint32_t ptl_domain_index(const ptl_domain* d, const char* name) {
    return ptl_names_find(&d->names, name);
}

ptl_status ptl_domain_concretize(const ptl_domain* d, const ptl_node* row, ptl_bitset* set,
                                 ptl_error* error) {
    ptl_bitset_fill(set);
    for (size_t f = 0; f < d->feature_count; f++) {
        if (row[f] == PTL_TOP) continue;
        const ptl_bitset* schemes = ptl_lattice_concretize(d->features[f], row[f]);
        if (!schemes) return ptl_no_memory(error, "for an abstract domain");
        ptl_bitset_and(set, schemes);
    }
    return PTL_OK;
}

const ptl_bitset* ptl_domain_alike(ptl_domain* d, uint32_t scheme) {
    if (!d->sets[scheme].words) {
        ptl_bitset set = ptl_bitset_new(&d->arena, d->scheme_count);
        if (!set.words) return NULL;
        if (ptl_domain_concretize(d, d->rows + scheme * d->feature_count, &set, NULL)) return NULL;
        d->sets[scheme] = set;
    }
    return &d->sets[scheme];
}

bool ptl_domain_leq(const ptl_domain* d, const ptl_node* a, const ptl_node* b) {
    for (size_t f = 0; f < d->feature_count; f++)
        if (!ptl_lattice_leq(d->features[f], a[f], b[f])) return false;
    return true;
}
