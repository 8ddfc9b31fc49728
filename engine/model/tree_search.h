/* The search through a load tree, for the vectors of kernel_*.c.
 *
 * A search that goes from node to node would spend its time on mispredicted branches and on waiting for the
 * next node. So a block of experiments goes through it together, step by step: first all of them descend
 * along the largest bounds, to a value that is nearly always the best; then the list of the nodes whose
 * bounds exceed that value is worked off, level by level. No branch depends on the numbers, and the steps of
 * different experiments overlap in the processor. */
#include <stdlib.h>
#include <string.h>

#include "model/kernel.h"

#define BLOCK 16     /* experiments that go together */
#define NODE_BITS 24 /* of an entry of the list; the experiment's place in the block is above them */
#define ENTRY(e, node) ((uint32_t)(e) << NODE_BITS | (uint32_t)(node))
#define PLACE_OF(entry) ((entry) >> NODE_BITS)
#define NODE_OF(entry) ((entry) & ((UINT32_C(1) << NODE_BITS) - 1))

typedef struct space {
    float bounds[BLOCK * PTL_TOP_NODES * PTL_LANES]; /* of the top nodes, experiment by experiment */
    float best[BLOCK];
    uint32_t *list, *next; /* entries; room for all leaves of all experiments, and for overshoot */
} space;

/* A block of experiments, as if of n terms each. */
typedef struct block {
    const ptl_load_tree* t;
    const float* const* row; /* of experiment e: n of them from e * n on */
    const float* count;
} block;

/* Sums over the terms of experiment e, for the node that starts at `at` in each row. */
PTL_INLINE vec node_sums(const block* b, unsigned n, unsigned e, size_t at) {
    const float *const *row = b->row + (size_t)e * n, *count = b->count + (size_t)e * n;
    vec v = vec_scaled(count[0], row[0] + at);
    for (unsigned k = 1; k < n; k++) v = vec_added(v, count[k], row[k] + at);
    return v;
}

/* All of a tree without inner levels. */
PTL_INLINE void search_flat(const block* b, unsigned n, unsigned size, float* best) {
    for (unsigned e = 0; e < size; e++) {
        vec v = node_sums(b, n, e, 0);
        for (size_t j = 1; j < b->t->node_count[0]; j++) v = vec_larger(v, node_sums(b, n, e, j * PTL_LANES));
        best[e] = vec_largest(v);
    }
}

/* Sets s->bounds, and s->best to the value at the end of the way along the largest bounds. */
PTL_INLINE void descend(const block* b, unsigned n, unsigned size, space* s) {
    const ptl_load_tree* t = b->t;
    unsigned top = t->levels - 1;
    size_t width = t->node_count[top];
    uint32_t child[BLOCK];
    for (unsigned e = 0; e < size; e++) {
        float* bounds = s->bounds + e * PTL_TOP_NODES * PTL_LANES;
        vec largest = vec_scaled(0, b->row[0]);
        for (size_t j = 0; j < width; j++) {
            vec v = node_sums(b, n, e, t->offset[top] + j * PTL_LANES);
            vec_store(bounds + j * PTL_LANES, v);
            largest = vec_larger(largest, v);
        }
        float bound = vec_largest(largest);
        uint64_t lanes = 0;
        for (size_t j = 0; j < width; j++)
            lanes |= (uint64_t)vec_at_least(vec_load(bounds + j * PTL_LANES), bound) << j * PTL_LANES;
        child[e] = (uint32_t)__builtin_ctzll(lanes);
    }
    for (unsigned level = top - 1; level > 0; level--)
        for (unsigned e = 0; e < size; e++) {
            vec v = node_sums(b, n, e, t->offset[level] + (size_t)child[e] * PTL_LANES);
            child[e] = child[e] * PTL_LANES + (uint32_t)__builtin_ctz(vec_at_least(v, vec_largest(v)));
        }
    for (unsigned e = 0; e < size; e++)
        s->best[e] = vec_largest(node_sums(b, n, e, (size_t)child[e] * PTL_LANES));
    if (top == 1) /* these are done: their bounds are their values */
        for (unsigned e = 0; e < size; e++) s->bounds[e * PTL_TOP_NODES * PTL_LANES + child[e]] = 0;
}

/* Appends first + k for every bit k of nodes. There are seldom more than four: then no branch is taken. */
PTL_INLINE size_t append(uint32_t* list, uint64_t nodes, uint32_t first) {
    const uint64_t none = UINT64_C(1) << 63;
    size_t count = (size_t)__builtin_popcountll(nodes);
    list[0] = first + (uint32_t)__builtin_ctzll(nodes | none), nodes &= nodes - 1;
    list[1] = first + (uint32_t)__builtin_ctzll(nodes | none), nodes &= nodes - 1;
    list[2] = first + (uint32_t)__builtin_ctzll(nodes | none), nodes &= nodes - 1;
    list[3] = first + (uint32_t)__builtin_ctzll(nodes | none), nodes &= nodes - 1;
    for (size_t i = 4; i < count; i++, nodes &= nodes - 1) list[i] = first + (uint32_t)__builtin_ctzll(nodes);
    return count;
}

/* Works off what the bounds leave open. */
PTL_INLINE void refine(const block* b, unsigned n, unsigned size, space* s) {
    const ptl_load_tree* t = b->t;
    size_t width = t->node_count[t->levels - 1], entries = 0;
    for (unsigned e = 0; e < size; e++) {
        const float* bounds = s->bounds + e * PTL_TOP_NODES * PTL_LANES;
        uint64_t open = 0;
        for (size_t j = 0; j < width; j++)
            open |= (uint64_t)vec_above(vec_load(bounds + j * PTL_LANES), s->best[e]) << j * PTL_LANES;
        entries += append(s->list + entries, open, ENTRY(e, 0));
    }
    for (unsigned level = t->levels - 2; level > 0; level--) {
        size_t found = 0;
        for (size_t i = 0; i < entries; i++) {
            unsigned e = PLACE_OF(s->list[i]);
            size_t first = (size_t)NODE_OF(s->list[i]) * PTL_LANES;
            unsigned open = vec_above(node_sums(b, n, e, t->offset[level] + first), s->best[e]);
            found += append(s->next + found, open, ENTRY(e, first));
        }
        uint32_t* worked_off = s->list;
        s->list = s->next;
        s->next = worked_off;
        entries = found;
    }
    for (size_t i = 0; i < entries; i++) {
        unsigned e = PLACE_OF(s->list[i]);
        float value = vec_largest(node_sums(b, n, e, (size_t)NODE_OF(s->list[i]) * PTL_LANES));
        s->best[e] = value > s->best[e] ? value : s->best[e];
    }
}

PTL_INLINE void search_block(const block* b, unsigned n, unsigned size, space* s) {
    if (b->t->levels == 1) {
        search_flat(b, n, size, s->best);
    } else {
        descend(b, n, size, s);
        refine(b, n, size, s);
    }
}

static void search_any(const block* b, unsigned n, unsigned size, space* s) {
    switch (n) { /* the usual numbers of terms unroll */
    case 0: memset(s->best, 0, sizeof s->best); break;
    case 1: search_block(b, 1, size, s); break;
    case 2: search_block(b, 2, size, s); break;
    case 3: search_block(b, 3, size, s); break;
    case 4: search_block(b, 4, size, s); break;
    default: search_block(b, n, size, s);
    }
}

/* The experiments from `from` on, up to BLOCK: their rows and counts, padded to the longest with terms that
 * add nothing, so that all go the same way. Returns that number of terms. */
static unsigned gather_block(const ptl_load_tree* t, const uint32_t* start, const uint32_t* scheme,
                             const float* count, size_t from, unsigned size, const float** row,
                             float* padded) {
    unsigned n = 0;
    for (size_t j = from; j < from + size; j++) n = start[j + 1] - start[j] > n ? start[j + 1] - start[j] : n;
    for (size_t j = from; j < from + size; j++, row += n, padded += n) {
        unsigned own = start[j + 1] - start[j];
        for (unsigned k = 0; k < n; k++) {
            uint32_t at = start[j] + k;
            row[k] = k < own ? t->rows + scheme[at] * t->stride : t->rows;
            padded[k] = k < own ? count[at] : 0;
        }
    }
    return n;
}

static size_t longest(const uint32_t* start, size_t size) {
    size_t most = 1;
    for (size_t j = 0; j < size; j++) most = start[j + 1] - start[j] > most ? start[j + 1] - start[j] : most;
    return most;
}

static ptl_status search(const ptl_load_tree* t, const uint32_t* start, const uint32_t* scheme,
                         const float* count, size_t size, double* cycles) {
    size_t entries = (t->node_count[0] + 4) * BLOCK, terms = longest(start, size) * BLOCK;
    space* s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
    uint32_t* lists = malloc(2 * entries * sizeof *lists);
    const float** row = malloc(terms * sizeof *row);
    float* padded = malloc(terms * sizeof *padded);
    ptl_status status = s && lists && row && padded ? PTL_OK : PTL_NO_MEMORY;
    if (!status) s->list = lists, s->next = lists + entries;
    for (size_t from = 0; !status && from < size; from += BLOCK) {
        unsigned together = size - from < BLOCK ? (unsigned)(size - from) : BLOCK;
        unsigned n = gather_block(t, start, scheme, count, from, together, row, padded);
        search_any(&(block){t, row, padded}, n, together, s);
        for (unsigned e = 0; e < together; e++) cycles[from + e] = (double)s->best[e] / t->unit;
    }
    free(padded);
    free(row);
    free(lists);
    free(s);
    return status;
}

/* The uops of the scheme inside each set, times its weight. */
static void fill_leaves(const ptl_load_tree* t, const ptl_usage* u, float* row) {
    const ptl_ports* restrict sets = t->sets;
    const float* restrict weights = t->weights;
    size_t lanes = t->node_count[0] * PTL_LANES;
    memset(row, 0, lanes * sizeof *row);
    for (uint32_t i = 0; i < u->uop_count; i++) {
        ptl_ports ports = u->uops[i].ports;
        float uops = (float)u->uops[i].count;
        for (size_t k = 0; k < lanes; k++) row[k] += ports & ~sets[k] ? 0 : uops * weights[k];
    }
}

static void fill(const ptl_load_tree* t, const ptl_usage* u, float issue, float* row) {
    fill_leaves(t, u, row);
    if (t->rmax > 0) row[0] = issue;
    for (unsigned level = 1; level < t->levels; level++) {
        const float* below = row + t->offset[level - 1];
        float* here = row + t->offset[level];
        size_t children = t->node_count[level - 1], lanes = t->node_count[level] * PTL_LANES;
        for (size_t c = 0; c < children; c++) here[c] = vec_largest(vec_load(below + c * PTL_LANES));
        for (size_t c = children; c < lanes; c++) here[c] = 0;
    }
}
