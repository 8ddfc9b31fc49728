#include "anica/lattice.h"

#include <stdlib.h>
#include <string.h>

#include "anica/lattice_kind.h"
#include "base/order.h"

static const ptl_lattice_rules* const rules_of[PTL_LATTICE_KINDS] = {
    [PTL_LATTICE_SINGLETON] = &ptl_singleton_rules,
    [PTL_LATTICE_EDIT] = &ptl_edit_rules,
    [PTL_LATTICE_LOG] = &ptl_log_rules,
    [PTL_LATTICE_SUBSET] = &ptl_subset_rules,
    [PTL_LATTICE_GRAPH] = &ptl_graph_rules,
};

ptl_status ptl_lattice_new(ptl_lattice** out, ptl_lattice_kind kind, unsigned bound, size_t schemes,
                           ptl_error* error) {
    *out = NULL;
    if (bound > PTL_LATTICE_BOUND_MAX) {
        return ptl_fail(error, PTL_BAD_INPUT, "bound", "use a smaller one", "a bound of %u is above %d",
                        bound, PTL_LATTICE_BOUND_MAX);
    }
    ptl_lattice* l = calloc(1, sizeof *l);
    if (!l) return ptl_no_memory(error, "for a lattice");
    l->kind = kind;
    l->rules = rules_of[kind];
    l->bound = bound;
    l->schemes = schemes;
    l->values = ptl_arena_array(&l->arena, schemes, sizeof *l->values);
    l->representations = ptl_arena_array(&l->arena, schemes, sizeof *l->representations);
    bool ready = l->values && l->representations && ptl_lattice_intern(l, NULL, 0) == PTL_TOP;
    if (!ready) {
        ptl_lattice_free(l);
        return ptl_no_memory(error, "for a lattice");
    }
    for (size_t i = 0; i < schemes; i++) l->representations[i] = PTL_NO_NODE;
    *out = l;
    return PTL_OK;
}

void ptl_lattice_free(ptl_lattice* l) {
    if (!l) return;
    ptl_graph_free(l->graph);
    ptl_names_release(&l->atoms);
    ptl_arena_release(&l->arena);
    free(l->nodes);
    free(l->slots);
    free(l);
}

ptl_lattice_kind ptl_lattice_kind_of(const ptl_lattice* l) {
    return l->kind;
}

unsigned ptl_lattice_bound(const ptl_lattice* l) {
    return l->bound;
}

ptl_names* ptl_lattice_atoms(ptl_lattice* l) {
    return &l->atoms;
}

size_t ptl_lattice_count(const ptl_lattice* l) {
    return l->count;
}

ptl_status ptl_lattice_set_value(ptl_lattice* l, size_t scheme, const uint32_t* atoms, size_t n,
                                 ptl_error* error) {
    uint32_t* copy = ptl_arena_array(&l->arena, n, sizeof *copy);
    if (!copy) return ptl_no_memory(error, "for a feature's values");
    if (n) memcpy(copy, atoms, n * sizeof *copy);
    qsort(copy, n, sizeof *copy, ptl_ascending_words);
    uint32_t distinct = 0;
    for (size_t k = 0; k < n; k++)
        if (k == 0 || copy[k] != copy[k - 1]) copy[distinct++] = copy[k];
    l->values[scheme] = (ptl_feature_value){.known = true, .size = distinct, .atoms = copy};
    if (distinct <= PTL_LATTICE_SET_MAX) return PTL_OK;
    return ptl_fail(error, PTL_BAD_INPUT, NULL, "use fewer", "a set has %u members, at most %d are supported",
                    distinct, PTL_LATTICE_SET_MAX);
}

void ptl_lattice_set_size(ptl_lattice* l, size_t scheme, uint32_t size) {
    l->values[scheme] = (ptl_feature_value){.known = true, .size = size};
}

ptl_node ptl_lattice_represent(ptl_lattice* l, size_t scheme) {
    if (!l->values[scheme].known) return PTL_TOP;
    if (l->representations[scheme] == PTL_NO_NODE)
        l->representations[scheme] = l->rules->represent(l, scheme);
    return l->representations[scheme];
}

const uint32_t* ptl_lattice_key(const ptl_lattice* l, ptl_node node, size_t* n) {
    *n = l->nodes[node]->key.n;
    return l->nodes[node]->key.words;
}

const ptl_bitset* ptl_lattice_concretize(ptl_lattice* l, ptl_node node) {
    ptl_lattice_node* at = l->nodes[node];
    if (!at->concretization.words) {
        ptl_bitset set = ptl_bitset_new(&l->arena, l->schemes);
        if (!set.words) return NULL;
        if (node == PTL_TOP)
            ptl_bitset_fill(&set);
        else
            l->rules->concretize(l, at->key, &set);
        at->concretization = set;
    }
    return &at->concretization;
}

bool ptl_lattice_leq(const ptl_lattice* l, ptl_node a, ptl_node b) {
    if (a == b || b == PTL_TOP) return true;
    return a != PTL_TOP && l->rules->leq(l, l->nodes[a]->key, l->nodes[b]->key);
}

const ptl_step* ptl_lattice_steps(ptl_lattice* l, ptl_node node, size_t* n) {
    static const ptl_step none[1];
    ptl_lattice_node* at = l->nodes[node];
    if (!at->steps) at->steps = node == PTL_TOP ? none : l->rules->steps(l, at->key, &at->step_count);
    *n = at->step_count;
    return at->steps;
}

ptl_node ptl_lattice_take(ptl_lattice* l, ptl_node node, ptl_step step) {
    size_t n;
    const ptl_step* steps = ptl_lattice_steps(l, node, &n);
    if (!steps) return PTL_NO_NODE;
    for (size_t k = 0; k < n; k++) {
        if (steps[k] != step) continue;
        return step == PTL_STEP_TOP ? PTL_TOP : l->rules->take(l, l->nodes[node]->key, step);
    }
    return node;
}
