/* Load vectors for many queries of one mapping.
 *
 * With L_i[Q] = (uops of scheme i, with multiplicity, whose ports lie in Q) / |Q|, computed once per scheme,
 * the inverse throughput of an experiment is t(e) = max over Q of sum over i of e(i) L_i[Q]: a multiply-add
 * per scheme and set. R_max is one more resource of the same kind, with the load slots(i) / R_max.
 *
 * The vectors are kept as a tree of upper bounds. The leaves are nodes of 16 sets; a lane of a node one level
 * up is the maximum over the 16 lanes of one child, scheme by scheme. The same sum over it bounds the child
 * from above (e(i) >= 0), so a subtree is opened only if its bound exceeds the best value found. This is a
 * search in which a node costs one multiply-add per scheme and vector, and which opens very few: a set Q wins
 * only if much of the experiment lies inside it, and that much lies in few of them.
 *
 * Numbers are floats that hold whole numbers: loads times `unit`, the least common multiple of the widths |Q|
 * (and of R_max, if that is whole). As long as t(e) * unit < 2^24 every step is exact and the result is
 * t(e), correctly rounded: the same bits from every kernel, every order and every tree. Beyond that, results
 * are within a relative error of (2 + number of schemes) 2^-24. (Rounding is monotone, so bounds stay
 * bounds.)
 */
#ifndef PTL_MODEL_LOAD_TREE_H
#define PTL_MODEL_LOAD_TREE_H

#include "model/port_sets.h"

#define PTL_LANES 16        /* of a node, and children of a node */
#define PTL_TOP_NODES_MAX 4 /* a level with more nodes gets another one above */
#define PTL_LEVELS_MAX 6    /* 20 ports: 2^20 sets, 65,536 nodes, 4,096, 256, 16, 1 */
#define PTL_TREE_BYTES_MAX ((size_t)4 << 30)

typedef struct ptl_load_tree {
    size_t scheme_count;
    unsigned levels; /* 0 is the leaves */
    size_t node_count[PTL_LEVELS_MAX];
    size_t offset[PTL_LEVELS_MAX]; /* of a level, in floats from the start of a row */
    size_t stride;                 /* of rows, in floats; a multiple of PTL_LANES */
    float* rows;                   /* scheme_count rows, aligned to 64 bytes */
    size_t row_capacity;           /* floats */
    ptl_ports* sets;               /* of the leaves' lanes; 0: padding, and lane 0 if there is an R_max */
    size_t set_capacity;
    float* weights; /* of the leaves' lanes: unit / |Q| */
    size_t weight_capacity;
    bool* known; /* per scheme */
    size_t known_capacity;
    size_t unknown_count; /* schemes that are not explained */
    double unit;          /* a load of 1 cycle */
    double rmax;
} ptl_load_tree;

#define PTL_LOAD_TREE_EMPTY ((ptl_load_tree){0})

/* Fills the tree for a mapping; sets as port_sets.h lists them for it. The tree keeps its memory for the next
 * fill. PTL_LIMIT: it would take more than PTL_TREE_BYTES_MAX; PTL_NO_MEMORY. */
ptl_status ptl_load_tree_fill(ptl_load_tree* t, const ptl_port_sets* sets, const ptl_mapping* m,
                              ptl_error* error);

/* Fills one row anew, for a scheme that changed. Its uops' port sets must be among unions of those of the
 * tree. */
void ptl_load_tree_row(ptl_load_tree* t, size_t scheme, const ptl_usage* usage);

void ptl_load_tree_free(ptl_load_tree* t);

#endif
