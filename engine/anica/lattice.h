/* The lattice of one feature of instruction schemes (dissertation §8.1.4, Table 8.2).
 *
 * A lattice is a graph of nodes, the abstract values: what a node represents is a set of schemes of the
 * universe (its concretization), its immediate successors are reached by steps, and the order is the graph's.
 * Nodes come into being when they are first asked for, and each is made once: equal values are equal numbers.
 * Node 0 is top in every lattice. What a node means is told by its key, a few words:
 *
 *   singleton  {atom}                f(i) = atom
 *   edit       {atom, d}             at most d edits from the atom, d = 0 ... bound
 *   log        {k}                   |f(i)| < 2^k, k = 0 ... bound
 *   subset     {1, atom, ...}        f(i) contains these; atoms ascending. {1} is the empty set, below top
 *              {0}                   f(i) is empty ("none")
 *   graph      {k}                   the k-th node that was given, from 0 on
 *
 * A scheme whose value is not known is represented by top, and by nothing else.
 * Asking may make nodes: one thread at a time. */
#ifndef PTL_ANICA_LATTICE_H
#define PTL_ANICA_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "anica/names.h"
#include "base/bitset.h"
#include "base/error.h"

typedef uint32_t ptl_node;
#define PTL_TOP 0u
#define PTL_NO_NODE UINT32_MAX

/* A way up from a node. The same step can lead up from many nodes: dropping one atom of a set does the same
 * to all sets that have it. singleton: PTL_STEP_TOP; edit and log: the new d or k; subset: the atom to drop;
 * graph: the node it leads to. PTL_STEP_TOP leads to top. */
typedef uint32_t ptl_step;
#define PTL_STEP_TOP UINT32_MAX

typedef enum ptl_lattice_kind {
    PTL_LATTICE_SINGLETON,
    PTL_LATTICE_EDIT,
    PTL_LATTICE_LOG,
    PTL_LATTICE_SUBSET,
    PTL_LATTICE_GRAPH,
    PTL_LATTICE_KINDS
} ptl_lattice_kind;

#define PTL_LATTICE_BOUND_MAX 30 /* the largest bound of edit and log */

#define PTL_LATTICE_SET_MAX 200 /* the most members of a set */

typedef struct ptl_lattice ptl_lattice;

/* A lattice over a universe of `schemes` schemes, all of whose values are unknown. The bound matters to edit
 * and log only. The caller frees. */
ptl_status ptl_lattice_new(ptl_lattice** out, ptl_lattice_kind kind, unsigned bound, size_t schemes,
                           ptl_error* error);
void ptl_lattice_free(ptl_lattice* l);

ptl_lattice_kind ptl_lattice_kind_of(const ptl_lattice* l);
unsigned ptl_lattice_bound(const ptl_lattice* l);

/* The atoms: values of singletons, base texts of edit distances, members of sets, labels of graphs. */
ptl_names* ptl_lattice_atoms(ptl_lattice* l);

/* Building: f(scheme). Before the first node is asked for. */

/* The value: one atom (singleton, edit), or a set of them (subset; any order, duplicates do no harm;
 * PTL_BAD_INPUT if they are more than PTL_LATTICE_SET_MAX). */
ptl_status ptl_lattice_set_value(ptl_lattice* l, size_t scheme, const uint32_t* atoms, size_t n,
                                 ptl_error* error);
/* The size of the value (log). */
void ptl_lattice_set_size(ptl_lattice* l, size_t scheme, uint32_t size);

/* Graphs are given node by node. Labels are distinct: PTL_NO_NODE if this one exists, or without memory. */
ptl_node ptl_lattice_add_node(ptl_lattice* l, const char* label);
/* `to` (or PTL_TOP) succeeds `from`. Nodes without successor get top. */
ptl_status ptl_lattice_add_edge(ptl_lattice* l, ptl_node from, ptl_node to, ptl_error* error);
void ptl_lattice_add_member(ptl_lattice* l, ptl_node node, size_t scheme);
void ptl_lattice_set_node(ptl_lattice* l, size_t scheme, ptl_node node);
/* Computes the order of a graph; PTL_BAD_INPUT if it has a cycle. Other kinds need no such call. */
ptl_status ptl_lattice_finish(ptl_lattice* l, ptl_error* error);

/* Asking. Where a node is returned, PTL_NO_NODE means that there is no memory, unless it says otherwise. */

/* Representation of a scheme (beta of Table 8.2). */
ptl_node ptl_lattice_represent(ptl_lattice* l, size_t scheme);

/* The node with this key; PTL_NO_NODE also if no value has such a key. */
ptl_node ptl_lattice_intern(ptl_lattice* l, const uint32_t* key, size_t n);

/* The key of a node other than top; n = 0 for top. Valid as long as the lattice. */
const uint32_t* ptl_lattice_key(const ptl_lattice* l, ptl_node node, size_t* n);

/* Concretization (gamma of Table 8.2); NULL without memory. Valid as long as the lattice. */
const ptl_bitset* ptl_lattice_concretize(ptl_lattice* l, ptl_node node);

bool ptl_lattice_leq(const ptl_lattice* l, ptl_node a, ptl_node b);

/* The steps to the immediate successors, always in the same order; none from top. NULL without memory. Valid
 * as long as the lattice. */
const ptl_step* ptl_lattice_steps(ptl_lattice* l, ptl_node node, size_t* n);

/* Returns the node that a step leads to from a node; the node itself if the step does not lead anywhere from
 * there. */
ptl_node ptl_lattice_take(ptl_lattice* l, ptl_node node, ptl_step step);

/* Nodes made so far, with top. */
size_t ptl_lattice_count(const ptl_lattice* l);

#endif
