/* Declares what one kind of lattice has to provide (private to lattice*.c). Nodes are passed as their keys;
 * none is top. */
#ifndef PTL_ANICA_LATTICE_KIND_H
#define PTL_ANICA_LATTICE_KIND_H

#include "anica/lattice.h"
#include "base/arena.h"

/* f(i); size for log, atoms for the others. */
typedef struct ptl_feature_value {
    bool known;
    uint32_t size;
    const uint32_t* atoms;
} ptl_feature_value;

typedef struct ptl_key {
    const uint32_t* words;
    size_t n;
} ptl_key;

typedef struct ptl_graph ptl_graph;

typedef struct ptl_lattice_node {
    ptl_key key;
    ptl_bitset concretization; /* words is NULL until it is asked for */
    const ptl_step* steps;     /* NULL until they are asked for */
    size_t step_count;
} ptl_lattice_node;

typedef struct ptl_lattice_rules {
    bool (*is_key)(const ptl_lattice* l, ptl_key key);
    ptl_node (*represent)(ptl_lattice* l, size_t scheme); /* of a known value */
    void (*concretize)(ptl_lattice* l, ptl_key key, ptl_bitset* empty);
    bool (*leq)(const ptl_lattice* l, ptl_key a, ptl_key b);          /* a and b differ */
    const ptl_step* (*steps)(ptl_lattice* l, ptl_key key, size_t* n); /* NULL without memory */
    ptl_node (*take)(ptl_lattice* l, ptl_key key, ptl_step step);     /* one of its steps, not to top */
} ptl_lattice_rules;

struct ptl_lattice {
    ptl_lattice_kind kind;
    const ptl_lattice_rules* rules;
    unsigned bound;
    size_t schemes;
    ptl_names atoms;
    ptl_arena arena; /* keys, concretizations, steps, values */
    ptl_feature_value* values;
    ptl_node* representations; /* PTL_NO_NODE until asked for */
    ptl_lattice_node** nodes;  /* each stays where it is */
    uint32_t count, capacity;
    uint32_t* slots; /* hash table of the keys: node, or 0 if free */
    uint32_t slot_count;
    ptl_graph* graph;
};

extern const ptl_lattice_rules ptl_singleton_rules, ptl_edit_rules, ptl_log_rules, ptl_subset_rules,
    ptl_graph_rules;

void ptl_graph_free(ptl_graph* graph);

#endif
