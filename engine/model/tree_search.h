/* The search through a load tree, for the vectors of kernel_*.c.
 *
 * A search that goes from node to node would mostly wait: for the next node, and after mispredicted branches.
 * So a block of experiments first goes down along the largest bounds together, step by step, where the steps
 * of different experiments overlap in the processor and no branch depends on the numbers. The values at the
 * end are nearly always the best; few bounds exceed them and leave something to open. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/kernel.h"

#define BLOCK 16 /* experiments that go together */

typedef struct space {
    float sums[BLOCK * PTL_LANES]; /* a vector of every experiment, to be reduced together */
    float bounds[BLOCK * PTL_TOP_NODES_MAX * PTL_LANES]; /* of the top nodes, experiment by experiment */
    float best[BLOCK];
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
PTL_INLINE void search_flat(const block* b, unsigned n, unsigned size, space* s) {
    for (unsigned e = 0; e < size; e++) {
        vec v = node_sums(b, n, e, 0);
        for (size_t j = 1; j < b->t->node_count[0]; j++) v = vec_larger(v, node_sums(b, n, e, j * PTL_LANES));
        vec_store(s->sums + e * PTL_LANES, v);
    }
    vec_largest_each(s->sums, s->best);
}

/* The top node and lane with the largest bound. */
PTL_INLINE uint32_t widest_way(const float* bounds, size_t width, float largest) {
    uint64_t lanes = 0;
    for (size_t j = 0; j < width; j++)
        lanes |= (uint64_t)vec_at_least(vec_load(bounds + j * PTL_LANES), largest) << j * PTL_LANES;
    return (uint32_t)__builtin_ctzll(lanes);
}

/* Sets s->bounds, of `width` top nodes, and s->best to the value at the end of the way along the largest
 * bounds.
 */
PTL_INLINE void descend(const block* b, unsigned n, unsigned size, size_t width, space* s) {
    const ptl_load_tree* t = b->t;
    unsigned top = t->levels - 1;
    uint32_t child[BLOCK];
    for (unsigned e = 0; e < size; e++) {
        float* bounds = s->bounds + e * PTL_TOP_NODES_MAX * PTL_LANES;
        vec largest = vec_scaled(0, b->row[0]);
        for (size_t j = 0; j < width; j++) {
            vec v = node_sums(b, n, e, t->offset[top] + j * PTL_LANES);
            vec_store(bounds + j * PTL_LANES, v);
            largest = vec_larger(largest, v);
        }
        vec_store(s->sums + e * PTL_LANES, largest);
    }
    vec_largest_each(s->sums, s->best);
    for (unsigned e = 0; e < size; e++)
        child[e] = widest_way(s->bounds + e * PTL_TOP_NODES_MAX * PTL_LANES, width, s->best[e]);
    for (unsigned level = top - 1; level > 0; level--)
        for (unsigned e = 0; e < size; e++) {
            vec v = node_sums(b, n, e, t->offset[level] + (size_t)child[e] * PTL_LANES);
            child[e] = child[e] * PTL_LANES + (uint32_t)__builtin_ctz(vec_at_least(v, vec_largest(v)));
        }
    for (unsigned e = 0; e < size; e++)
        vec_store(s->sums + e * PTL_LANES, node_sums(b, n, e, (size_t)child[e] * PTL_LANES));
    vec_largest_each(s->sums, s->best);
    if (top == 1) /* these are done: their bounds are their values */
        for (unsigned e = 0; e < size; e++) s->bounds[e * PTL_TOP_NODES_MAX * PTL_LANES + child[e]] = 0;
}

/* Opens the children of one node of the second level, as far as their bounds exceed best; returns the best.
 */
PTL_INLINE float open_leaves(const block* b, unsigned n, unsigned e, uint64_t open, size_t first,
                             float best) {
    for (; open; open &= open - 1) {
        size_t leaf = first + (unsigned)__builtin_ctzll(open);
        float value = vec_largest(node_sums(b, n, e, leaf * PTL_LANES));
        best = value > best ? value : best;
    }
    return best;
}

/* The same for nodes of the level `level`, two or more above the leaves. */
static float open_nodes(const block* b, unsigned n, unsigned e, uint64_t open, size_t first, unsigned level,
                        float best) {
    for (; open; open &= open - 1) {
        size_t node = first + (unsigned)__builtin_ctzll(open);
        vec v = node_sums(b, n, e, b->t->offset[level - 1] + node * PTL_LANES);
        uint64_t below = vec_above(v, best);
        best = level == 2 ? open_leaves(b, n, e, below, node * PTL_LANES, best)
                          : open_nodes(b, n, e, below, node * PTL_LANES, level - 1, best);
    }
    return best;
}

/* Opens what the bounds leave open. */
PTL_INLINE void refine(const block* b, unsigned n, unsigned size, size_t width, space* s) {
    unsigned top = b->t->levels - 1;
    for (unsigned e = 0; e < size; e++) {
        const float* bounds = s->bounds + e * PTL_TOP_NODES_MAX * PTL_LANES;
        uint64_t open = 0;
        for (size_t j = 0; j < width; j++)
            open |= (uint64_t)vec_above(vec_load(bounds + j * PTL_LANES), s->best[e]) << j * PTL_LANES;
        s->best[e] = top == 1 ? open_leaves(b, n, e, open, 0, s->best[e])
                              : open_nodes(b, n, e, open, 0, top, s->best[e]);
    }
}

PTL_INLINE void search_block(const block* b, unsigned n, unsigned size, space* s) {
    if (b->t->levels == 1) {
        search_flat(b, n, size, s);
        return;
    }
    switch (b->t->node_count[b->t->levels - 1]) { /* known numbers unroll */
    case 1: descend(b, n, size, 1, s), refine(b, n, size, 1, s); break;
    case 2: descend(b, n, size, 2, s), refine(b, n, size, 2, s); break;
    case 3: descend(b, n, size, 3, s), refine(b, n, size, 3, s); break;
    default: descend(b, n, size, 4, s), refine(b, n, size, 4, s);
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

/* The same number of terms for all experiments of a block: those with fewer get terms that add nothing. */
static void pad(const uint32_t* start, const float* count, unsigned n, unsigned size, const float* nothing,
                const float** row, float* padded) {
    for (unsigned e = size; e-- > 0;) { /* in place, from the end on */
        unsigned own = start[e + 1] - start[e], first = start[e] - start[0];
        for (unsigned k = n; k-- > 0;) {
            row[e * n + k] = k < own ? row[first + k] : nothing;
            padded[e * n + k] = k < own ? count[first + k] : 0;
        }
    }
}

/* Experiments start[0] ... start[size]. row, padded: room for size times the longest. Returns the block's
 * number of terms. */
static unsigned gather_block(block* b, const uint32_t* start, const uint32_t* scheme, const float* count,
                             unsigned size, const float** row, float* padded) {
    const float* rows = b->t->rows;
    size_t stride = b->t->stride;
    unsigned n = 0, shortest = UINT_MAX, terms = start[size] - start[0];
    for (unsigned e = 0; e < size; e++) {
        unsigned own = start[e + 1] - start[e];
        n = own > n ? own : n;
        shortest = own < shortest ? own : shortest;
    }
    for (unsigned k = 0; k < terms; k++) row[k] = rows + scheme[start[0] + k] * stride;
    b->row = row;
    b->count = count + start[0];
    if (shortest == n) return n;
    pad(start, b->count, n, size, rows, row, padded);
    b->count = padded;
    return n;
}

static size_t longest(const uint32_t* start, size_t size) {
    size_t most = 1;
    for (size_t j = 0; j < size; j++) most = start[j + 1] - start[j] > most ? start[j + 1] - start[j] : most;
    return most;
}

static ptl_status search(const ptl_load_tree* t, const uint32_t* start, const uint32_t* scheme,
                         const float* count, size_t size, double* cycles) {
    size_t terms = longest(start, size) * BLOCK;
    space* s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
    const float** row = malloc(terms * sizeof *row);
    float* padded = malloc(terms * sizeof *padded);
    if (s) memset(s, 0, sizeof *s); /* blocks that are not full reduce what is there */
    ptl_status status = s && row && padded ? PTL_OK : PTL_NO_MEMORY;
    for (size_t from = 0; !status && from < size; from += BLOCK) {
        unsigned together = size - from < BLOCK ? (unsigned)(size - from) : BLOCK;
        block b = {.t = t};
        unsigned n = gather_block(&b, start + from, scheme, count, together, row, padded);
        search_any(&b, n, together, s);
        for (unsigned e = 0; e < together; e++) cycles[from + e] = (double)s->best[e] / t->unit;
    }
    free(padded);
    free(row);
    free(s);
    return status;
}

/* The loads of a scheme on the 16 sets of a leaf. */
PTL_INLINE vec leaf_loads(const ptl_load_tree* t, const ptl_usage* u, size_t at) {
    vec inside = vec_scaled(0, t->weights);
    for (uint32_t i = 0; i < u->uop_count; i++)
        inside = vec_where_inside(inside, t->sets + at, u->uops[i].ports, (float)u->uops[i].count);
    return vec_times(inside, vec_load(t->weights + at));
}

static void fill(const ptl_load_tree* t, const ptl_usage* u, float issue, float* row) {
    for (size_t j = 0; j < t->node_count[0]; j++)
        vec_store(row + j * PTL_LANES, leaf_loads(t, u, j * PTL_LANES));
    if (t->rmax > 0) row[0] = issue;
    for (unsigned level = 1; level < t->levels; level++) {
        const float* below = row + t->offset[level - 1];
        float* here = row + t->offset[level];
        size_t children = t->node_count[level - 1], lanes = t->node_count[level] * PTL_LANES;
        size_t c = 0;
        for (; c + PTL_LANES <= children; c += PTL_LANES) vec_largest_each(below + c * PTL_LANES, here + c);
        for (; c < children; c++) here[c] = vec_largest(vec_load(below + c * PTL_LANES));
        for (; c < lanes; c++) here[c] = 0;
    }
}
