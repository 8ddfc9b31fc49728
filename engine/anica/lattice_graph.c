/* Lattices that are given node by node: what a lattice written in Lua is compiled to. */
#include <stdlib.h>
#include <string.h>

#include "anica/lattice_kind.h"
#include "base/room.h"

struct ptl_graph {
    struct edge {
        ptl_node from, to;
    } * edges;
    size_t count, capacity;
    size_t* first;     /* by node: its first edge in the order of `from`; one more than there are nodes */
    ptl_bitset* above; /* by node: all nodes that are reached from it */
};

void ptl_graph_free(ptl_graph* graph) {
    if (!graph) return;
    free(graph->edges);
    free(graph->first);
    free(graph);
}

static ptl_graph* graph_of(ptl_lattice* l) {
    if (!l->graph) l->graph = calloc(1, sizeof *l->graph);
    return l->graph;
}

/* The k-th node has the k-th label and the number k + 1. */
ptl_node ptl_lattice_add_node(ptl_lattice* l, const char* label) {
    if (!graph_of(l) || ptl_names_find(&l->atoms, label) != PTL_NO_NAME) return PTL_NO_NODE;
    uint32_t k = ptl_names_add(&l->atoms, label);
    ptl_node node = k == PTL_NO_NAME ? PTL_NO_NODE : ptl_lattice_intern(l, &k, 1);
    if (node == PTL_NO_NODE) return node;
    ptl_bitset* set = &l->nodes[node]->concretization;
    *set = ptl_bitset_new(&l->arena, l->schemes);
    return set->words ? node : PTL_NO_NODE;
}

ptl_status ptl_lattice_add_edge(ptl_lattice* l, ptl_node from, ptl_node to, ptl_error* error) {
    ptl_graph* g = l->graph;
    if (!ptl_room(&g->edges, &g->capacity, g->count + 1, sizeof *g->edges))
        return ptl_no_memory(error, "for a lattice");
    g->edges[g->count++] = (struct edge){from, to};
    return PTL_OK;
}

void ptl_lattice_add_member(ptl_lattice* l, ptl_node node, size_t scheme) {
    if (node != PTL_TOP) ptl_bitset_add(&l->nodes[node]->concretization, scheme);
}

void ptl_lattice_set_node(ptl_lattice* l, size_t scheme, ptl_node node) {
    l->values[scheme].known = node != PTL_TOP;
    l->representations[scheme] = node;
}

/* Edges in the order of `from`, otherwise as they were given (counting sort). */
static bool sort_edges(ptl_lattice* l, ptl_graph* g) {
    size_t* first = calloc(l->count + 2, sizeof *first);
    struct edge* sorted = malloc((g->count + 1) * sizeof *sorted);
    if (!first || !sorted) {
        free(first);
        free(sorted);
        return false;
    }
    for (size_t k = 0; k < g->count; k++) first[g->edges[k].from + 2]++;
    for (size_t node = 1; node < l->count + 2; node++) first[node] += first[node - 1];
    /* first[node + 1] is where the next edge of the node goes; in the end, where those of node + 1 begin */
    for (size_t k = 0; k < g->count; k++) sorted[first[g->edges[k].from + 1]++] = g->edges[k];
    free(g->edges);
    free(g->first);
    g->edges = sorted;
    g->capacity = g->count + 1;
    g->first = first;
    return true;
}

enum { UNSEEN, OPEN, DONE };

/* Depth first from `node`: above[node] := what its successors are and have above. False if there is a cycle.
 * The path is at most as long as there are nodes. */
static bool close_from(ptl_lattice* l, ptl_node start, uint8_t* state, size_t* next, ptl_node* path) {
    ptl_graph* g = l->graph;
    size_t depth = 0;
    path[0] = start;
    state[start] = OPEN;
    next[start] = g->first[start];
    for (;;) {
        ptl_node node = path[depth];
        if (next[node] == g->first[node + 1]) {
            state[node] = DONE;
            if (depth-- == 0) return true;
            ptl_bitset* above = &g->above[path[depth]];
            ptl_bitset_add(above, node);
            ptl_bitset_or(above, &g->above[node]);
            continue;
        }
        ptl_node to = g->edges[next[node]++].to;
        if (to == PTL_TOP) continue;
        if (state[to] == OPEN) return false;
        if (state[to] == DONE) {
            ptl_bitset_add(&g->above[node], to);
            ptl_bitset_or(&g->above[node], &g->above[to]);
        } else {
            state[to] = OPEN;
            next[to] = g->first[to];
            path[++depth] = to;
        }
    }
}

static bool close_all(ptl_lattice* l, uint8_t* state, size_t* next, ptl_node* path) {
    for (ptl_node node = 1; node < l->count; node++)
        if (state[node] == UNSEEN && !close_from(l, node, state, next, path)) return false;
    return true;
}

ptl_status ptl_lattice_finish(ptl_lattice* l, ptl_error* error) {
    ptl_graph* g = l->kind == PTL_LATTICE_GRAPH ? graph_of(l) : NULL;
    if (l->kind != PTL_LATTICE_GRAPH) return PTL_OK;
    if (!g || !sort_edges(l, g)) return ptl_no_memory(error, "for a lattice");
    g->above = ptl_arena_array(&l->arena, l->count, sizeof *g->above);
    bool ready = g->above != NULL;
    for (size_t node = 0; node < l->count && ready; node++) {
        g->above[node] = ptl_bitset_new(&l->arena, l->count);
        ready = g->above[node].words != NULL;
    }
    uint8_t* state = calloc(l->count, sizeof *state);
    size_t* next = calloc(l->count, sizeof *next);
    ptl_node* path = calloc(l->count, sizeof *path);
    ready = ready && state && next && path;
    bool acyclic = ready && close_all(l, state, next, path);
    free(state);
    free(next);
    free(path);
    if (!ready) return ptl_no_memory(error, "for a lattice");
    if (acyclic) return PTL_OK;
    return ptl_fail(error, PTL_BAD_INPUT, "lattice", "expansions must be strictly ascending",
                    "expansions lead from a value back to it");
}

static bool graph_is_key(const ptl_lattice* l, ptl_key key) {
    return key.n == 1 && key.words[0] < l->atoms.count;
}

/* set by ptl_lattice_set_node: never asked for here */
static ptl_node graph_represent(ptl_lattice* l, size_t scheme) {
    (void)l, (void)scheme;
    return PTL_TOP;
}

/* filled by ptl_lattice_add_member */
static void graph_concretize(ptl_lattice* l, ptl_key key, ptl_bitset* set) {
    (void)l, (void)key, (void)set;
}

static bool graph_leq(const ptl_lattice* l, ptl_key a, ptl_key b) {
    return ptl_bitset_has(&l->graph->above[a.words[0] + 1], b.words[0] + 1);
}

static const ptl_step* graph_steps(ptl_lattice* l, ptl_key key, size_t* n) {
    const ptl_graph* g = l->graph;
    ptl_node node = key.words[0] + 1;
    size_t count = g->first[node + 1] - g->first[node];
    ptl_step* steps = ptl_arena_array(&l->arena, count ? count : 1, sizeof *steps);
    if (!steps) return NULL;
    steps[0] = PTL_STEP_TOP;
    for (size_t k = 0; k < count; k++) {
        ptl_node to = g->edges[g->first[node] + k].to;
        steps[k] = to == PTL_TOP ? PTL_STEP_TOP : to;
    }
    *n = count ? count : 1;
    return steps;
}

static ptl_node graph_take(ptl_lattice* l, ptl_key key, ptl_step step) {
    (void)l, (void)key;
    return step;
}

const ptl_lattice_rules ptl_graph_rules = {
    graph_is_key, graph_represent, graph_concretize, graph_leq, graph_steps, graph_take,
};
