/* Lattices in which every value has one successor: singletons, edit distances, log sizes (Table 8.2). */
#include <string.h>

#include "anica/edit_distance.h"
#include "anica/lattice_kind.h"

/* A list of one step. */
static const ptl_step* only(ptl_lattice* l, ptl_step step, size_t* n) {
    ptl_step* steps = ptl_arena_alloc(&l->arena, sizeof *steps);
    if (steps) *steps = step;
    *n = 1;
    return steps;
}

static bool has_atom(const ptl_lattice* l, size_t scheme, uint32_t atom) {
    const ptl_feature_value* v = &l->values[scheme];
    return v->known && v->size == 1 && v->atoms[0] == atom;
}

static bool never_leq(const ptl_lattice* l, ptl_key a, ptl_key b) {
    (void)l, (void)a, (void)b;
    return false;
}

/* Singletons: {atom} */

static bool singleton_is_key(const ptl_lattice* l, ptl_key key) {
    return key.n == 1 && key.words[0] < l->atoms.count;
}

static ptl_node singleton_represent(ptl_lattice* l, size_t scheme) {
    const ptl_feature_value* v = &l->values[scheme];
    return v->size == 1 ? ptl_lattice_intern(l, v->atoms, 1) : PTL_TOP;
}

static void singleton_concretize(ptl_lattice* l, ptl_key key, ptl_bitset* set) {
    for (size_t i = 0; i < l->schemes; i++)
        if (has_atom(l, i, key.words[0])) ptl_bitset_add(set, i);
}

static const ptl_step* singleton_steps(ptl_lattice* l, ptl_key key, size_t* n) {
    (void)key;
    return only(l, PTL_STEP_TOP, n);
}

static ptl_node no_step(ptl_lattice* l, ptl_key key, ptl_step step) {
    (void)l, (void)key, (void)step;
    return PTL_TOP;
}

const ptl_lattice_rules ptl_singleton_rules = {
    singleton_is_key, singleton_represent, singleton_concretize, never_leq, singleton_steps, no_step,
};

/* Edit distances: {atom, d} */

static bool edit_is_key(const ptl_lattice* l, ptl_key key) {
    return key.n == 2 && key.words[0] < l->atoms.count && key.words[1] <= l->bound;
}

static ptl_node edit_represent(ptl_lattice* l, size_t scheme) {
    const ptl_feature_value* v = &l->values[scheme];
    if (v->size != 1) return PTL_TOP;
    uint32_t key[2] = {v->atoms[0], 0};
    return ptl_lattice_intern(l, key, 2);
}

/* Schemes with one mnemonic follow one another in a universe that is sorted by name. */
static void edit_concretize(ptl_lattice* l, ptl_key key, ptl_bitset* set) {
    const char* base = l->atoms.texts[key.words[0]];
    uint32_t last = PTL_NO_NAME;
    bool is_near = false;
    for (size_t i = 0; i < l->schemes; i++) {
        const ptl_feature_value* v = &l->values[i];
        if (!v->known || v->size != 1) continue;
        if (v->atoms[0] != last) {
            last = v->atoms[0];
            is_near = ptl_within_edits(base, l->atoms.texts[last], key.words[1]);
        }
        if (is_near) ptl_bitset_add(set, i);
    }
}

static bool edit_leq(const ptl_lattice* l, ptl_key a, ptl_key b) {
    (void)l;
    return a.words[0] == b.words[0] && a.words[1] <= b.words[1];
}

static const ptl_step* edit_steps(ptl_lattice* l, ptl_key key, size_t* n) {
    return only(l, key.words[1] < l->bound ? key.words[1] + 1 : PTL_STEP_TOP, n);
}

static ptl_node edit_take(ptl_lattice* l, ptl_key key, ptl_step step) {
    uint32_t higher[2] = {key.words[0], step};
    return ptl_lattice_intern(l, higher, 2);
}

const ptl_lattice_rules ptl_edit_rules = {
    edit_is_key, edit_represent, edit_concretize, edit_leq, edit_steps, edit_take,
};

/* Log sizes: {k}; 0 only if empty, otherwise 1 + floor(log2(size)), top from 2^bound on. */

static bool log_is_key(const ptl_lattice* l, ptl_key key) {
    return key.n == 1 && key.words[0] <= l->bound;
}

static ptl_node log_represent(ptl_lattice* l, size_t scheme) {
    uint32_t size = l->values[scheme].size, k = 0;
    if (size >= UINT32_C(1) << l->bound) return PTL_TOP;
    for (; size; size >>= 1) k++;
    return ptl_lattice_intern(l, &k, 1);
}

static void log_concretize(ptl_lattice* l, ptl_key key, ptl_bitset* set) {
    for (size_t i = 0; i < l->schemes; i++)
        if (l->values[i].known && l->values[i].size < UINT32_C(1) << key.words[0]) ptl_bitset_add(set, i);
}

static bool log_leq(const ptl_lattice* l, ptl_key a, ptl_key b) {
    (void)l;
    return a.words[0] <= b.words[0];
}

static const ptl_step* log_steps(ptl_lattice* l, ptl_key key, size_t* n) {
    return only(l, key.words[0] < l->bound ? key.words[0] + 1 : PTL_STEP_TOP, n);
}

static ptl_node log_take(ptl_lattice* l, ptl_key key, ptl_step step) {
    (void)key;
    return ptl_lattice_intern(l, &step, 1);
}

const ptl_lattice_rules ptl_log_rules = {
    log_is_key, log_represent, log_concretize, log_leq, log_steps, log_take,
};
