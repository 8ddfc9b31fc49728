/* Subset-or-None (Table 8.2): {1, atoms...} for "contains these", {0} for "is empty". */
#include <string.h>

#include "anica/lattice_kind.h"

static bool is_none(ptl_key key) {
    return key.words[0] == 0;
}

static bool subset_is_key(const ptl_lattice* l, ptl_key key) {
    if (key.words[0] == 0) return key.n == 1;
    if (key.n > PTL_LATTICE_SET_MAX + 1) return false;
    for (size_t k = 1; k < key.n; k++) {
        if (key.words[k] >= l->atoms.count) return false;
        if (k > 1 && key.words[k] <= key.words[k - 1]) return false;
    }
    return key.words[0] == 1;
}

static ptl_node subset_represent(ptl_lattice* l, size_t scheme) {
    const ptl_feature_value* v = &l->values[scheme];
    uint32_t key[PTL_LATTICE_SET_MAX + 1] = {v->size > 0};
    if (v->size > PTL_LATTICE_SET_MAX) return PTL_TOP;
    memcpy(key + 1, v->atoms, v->size * sizeof *key);
    return ptl_lattice_intern(l, key, v->size + 1);
}

/* Tells whether the ascending words of a are all in those of b. */
static bool within(const uint32_t* a, size_t m, const uint32_t* b, size_t n) {
    size_t j = 0;
    for (size_t i = 0; i < m; i++, j++) {
        while (j < n && b[j] < a[i]) j++;
        if (j == n || b[j] != a[i]) return false;
    }
    return true;
}

static void subset_concretize(ptl_lattice* l, ptl_key key, ptl_bitset* set) {
    for (size_t i = 0; i < l->schemes; i++) {
        const ptl_feature_value* v = &l->values[i];
        if (!v->known) continue;
        bool in = is_none(key) ? v->size == 0 : within(key.words + 1, key.n - 1, v->atoms, v->size);
        if (in) ptl_bitset_add(set, i);
    }
}

/* More members, fewer schemes. */
static bool subset_leq(const ptl_lattice* l, ptl_key a, ptl_key b) {
    (void)l;
    return !is_none(a) && !is_none(b) && within(b.words + 1, b.n - 1, a.words + 1, a.n - 1);
}

static const ptl_step* subset_steps(ptl_lattice* l, ptl_key key, size_t* n) {
    size_t members = key.n - 1;
    ptl_step* steps = ptl_arena_array(&l->arena, members ? members : 1, sizeof *steps);
    if (!steps) return NULL;
    if (members)
        memcpy(steps, key.words + 1, members * sizeof *steps);
    else
        steps[0] = PTL_STEP_TOP;
    *n = members ? members : 1;
    return steps;
}

static ptl_node subset_take(ptl_lattice* l, ptl_key key, ptl_step step) {
    uint32_t rest[PTL_LATTICE_SET_MAX + 1];
    size_t n = 0;
    for (size_t k = 0; k < key.n; k++)
        if (k == 0 || key.words[k] != step) rest[n++] = key.words[k];
    return ptl_lattice_intern(l, rest, n);
}

const ptl_lattice_rules ptl_subset_rules = {
    subset_is_key, subset_represent, subset_concretize, subset_leq, subset_steps, subset_take,
};
