#include "algebra/canonical_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

#define LEAVES_MAX 64
#define SYMMETRIES_MAX 64

/* A complete order of the ports. */
typedef struct leaf {
    ptl_uop* form;
    unsigned place[PTL_PORTS_MAX];
    unsigned path[PTL_PORTS_MAX]; /* the ports made special on the way */
    unsigned depth;
} leaf;

typedef struct search {
    const ptl_rows* rows;
    ptl_ports used, with[PTL_PORTS_MAX]; /* interchangeable ports */
    unsigned steps;
    unsigned path[PTL_PORTS_MAX];
    leaf leaves[LEAVES_MAX]; /* [0] is the best so far */
    unsigned leaf_count;
    leaf next; /* scratch */
    uint64_t trace[PTL_PORTS_MAX + 1], best_trace[PTL_PORTS_MAX + 1];
    uint8_t symmetry[SYMMETRIES_MAX][PTL_PORTS_MAX];
    unsigned symmetry_count;
    ptl_arena* arena;
    ptl_status status;
} search;

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* One round: a uop is what its row, its multiplicity and the colours of its ports say, a port what it was and
 * the uops on it. Sums, so that no order of ports matters. */
static void recolour(const ptl_rows* rows, ptl_ports used, uint64_t* colour) {
    uint64_t next[PTL_PORTS_MAX];
    for (ptl_ports p = used; p; p &= p - 1) next[__builtin_ctz(p)] = mix(colour[__builtin_ctz(p)] + 1);
    for (size_t i = 0; i < rows->count; i++) {
        const ptl_usage* u = rows->row[i];
        for (uint32_t j = 0; j < u->uop_count; j++) {
            uint64_t sign = mix((i + 1) * 0x9e3779b97f4a7c15u + u->uops[j].count);
            for (ptl_ports p = u->uops[j].ports; p; p &= p - 1)
                sign += mix(colour[__builtin_ctz(p)] ^ 0x5bd1e995);
            sign = mix(sign);
            for (ptl_ports p = u->uops[j].ports; p; p &= p - 1) next[__builtin_ctz(p)] += sign;
        }
    }
    for (ptl_ports p = used; p; p &= p - 1) colour[__builtin_ctz(p)] = mix(next[__builtin_ctz(p)]);
}

/* Refines until nothing more is told apart. Returns a number that depends on the colours alone. */
static uint64_t refine(const search* s, uint64_t* colour) {
    for (unsigned before = 0;;) {
        uint64_t sorted[PTL_PORTS_MAX], hash = 0;
        unsigned n = 0, classes = 0;
        for (ptl_ports p = s->used; p; p &= p - 1) sorted[n++] = colour[__builtin_ctz(p)];
        qsort(sorted, n, sizeof *sorted, ptl_ascending_longs);
        for (unsigned i = 0; i < n; i++) {
            classes += i == 0 || sorted[i] != sorted[i - 1];
            hash = mix(hash + sorted[i]);
        }
        if (classes == before) return hash;
        before = classes;
        recolour(s->rows, s->used, colour);
    }
}

static ptl_ports same_colour(const search* s, const uint64_t* colour, unsigned k) {
    ptl_ports cell = 0;
    for (ptl_ports p = s->used; p; p &= p - 1)
        if (colour[__builtin_ctz(p)] == colour[k]) cell |= p & -p;
    return cell;
}

/* The ports of one colour to choose from: of the smallest such set in which not all are interchangeable, the
 * one with the least colour. 0: any order of ports that look alike will do. */
static ptl_ports open_cell(const search* s, const uint64_t* colour) {
    ptl_ports best = 0;
    for (ptl_ports left = s->used; left;) {
        unsigned k = (unsigned)__builtin_ctz(left);
        ptl_ports cell = same_colour(s, colour, k);
        left &= ~cell;
        if (!(cell & ~s->with[k])) continue;
        unsigned size = ptl_ports_count(cell), least = ptl_ports_count(best);
        if (!best || size < least || (size == least && colour[k] < colour[__builtin_ctz(best)])) best = cell;
    }
    return best;
}

/* Ports by colour, and by number among those that look alike. */
static void read_off(const search* s, const uint64_t* colour, unsigned* place) {
    for (ptl_ports p = s->used; p; p &= p - 1) {
        unsigned k = (unsigned)__builtin_ctz(p);
        place[k] = 0;
        for (ptl_ports q = s->used; q; q &= q - 1) {
            unsigned other = (unsigned)__builtin_ctz(q);
            place[k] += colour[other] < colour[k] || (colour[other] == colour[k] && other < k);
        }
    }
}

static int compare_forms(const ptl_uop* a, const ptl_uop* b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i].ports != b[i].ports) return a[i].ports < b[i].ports ? -1 : 1;
        if (a[i].count != b[i].count) return a[i].count < b[i].count ? -1 : 1;
    }
    return 0;
}

/* Keeps the symmetry that takes the order of one leaf to that of another. Returns down to which depth the
 * search can go back: if the symmetry takes one path to the other, what starts where they part has been seen.
 */
static unsigned add_symmetry(search* s, const leaf* a, const leaf* b) {
    uint8_t at[PTL_PORTS_MAX], to[PTL_PORTS_MAX];
    for (ptl_ports p = s->used; p; p &= p - 1) at[b->place[__builtin_ctz(p)]] = (uint8_t)__builtin_ctz(p);
    for (ptl_ports p = s->used; p; p &= p - 1) to[__builtin_ctz(p)] = at[a->place[__builtin_ctz(p)]];
    if (s->symmetry_count < SYMMETRIES_MAX) memcpy(s->symmetry[s->symmetry_count++], to, sizeof to);
    unsigned common = 0;
    bool follows = a->depth == b->depth;
    for (unsigned i = 0; i < a->depth && follows; i++) follows = to[a->path[i]] == b->path[i];
    while (common < a->depth && common < b->depth && a->path[common] == b->path[common]) common++;
    return follows ? common : b->depth;
}

static bool keep_leaf(search* s, leaf* slot) {
    if (!slot->form) slot->form = ptl_arena_array(s->arena, s->rows->uops + 1, sizeof *slot->form);
    if (!slot->form) return false;
    ptl_uop* form = slot->form;
    memcpy(form, s->next.form, s->rows->uops * sizeof *form);
    *slot = s->next;
    slot->form = form;
    return true;
}

/* Compares what was seen on the way down to a depth with the way to the best leaf: -1, 0, 1. */
static int compare_traces(const search* s, unsigned depth) {
    for (unsigned i = 0; i <= depth && s->leaf_count; i++)
        if (s->trace[i] != s->best_trace[i]) return s->trace[i] < s->best_trace[i] ? -1 : 1;
    return 0;
}

/* An order is complete. Returns the depth to go on at. */
static unsigned arrive(search* s, const uint64_t* colour, unsigned depth) {
    read_off(s, colour, s->next.place);
    ptl_rows_form(s->rows, s->next.place, s->next.form);
    memcpy(s->next.path, s->path, sizeof s->path);
    s->next.depth = depth;
    int order = s->leaf_count ? compare_traces(s, depth) : -1;
    if (order == 0) order = compare_forms(s->next.form, s->leaves[0].form, s->rows->uops);
    for (unsigned i = 0; i < s->leaf_count; i++)
        if (!compare_forms(s->next.form, s->leaves[i].form, s->rows->uops))
            return add_symmetry(s, &s->leaves[i], &s->next);
    bool ok = true;
    if (s->leaf_count < LEAVES_MAX) {
        if (order < 0 && s->leaf_count) { /* the best one moves on */
            s->leaves[s->leaf_count] = s->leaves[0];
            s->leaves[0].form = NULL;
        }
        ok = keep_leaf(s, &s->leaves[order < 0 ? 0 : s->leaf_count]);
        s->leaf_count++;
    } else if (order < 0) {
        ok = keep_leaf(s, &s->leaves[0]);
    }
    if (order < 0) memcpy(s->best_trace, s->trace, sizeof s->trace);
    if (!ok) s->status = PTL_NO_MEMORY;
    return depth;
}

static unsigned root_of(const uint8_t* up, unsigned k) {
    while (up[k] != k) k = up[k];
    return k;
}

/* Ports of the cell that a known symmetry takes to port k, one that leaves the whole path where it is. */
static ptl_ports orbit(const search* s, ptl_ports cell, unsigned k, unsigned depth) {
    uint8_t up[PTL_PORTS_MAX];
    for (unsigned i = 0; i < PTL_PORTS_MAX; i++) up[i] = (uint8_t)i;
    for (ptl_ports p = cell; p;
         p &= p - 1) { /* exchanges of two ports of the cell leave everything else alone */
        unsigned q = (unsigned)__builtin_ctz(p);
        up[root_of(up, q)] = (uint8_t)root_of(up, (unsigned)__builtin_ctz(s->with[q] & cell));
    }
    for (unsigned g = 0; g < s->symmetry_count; g++) {
        bool fixes = true;
        for (unsigned i = 0; i < depth && fixes; i++) fixes = s->symmetry[g][s->path[i]] == s->path[i];
        for (ptl_ports p = fixes ? s->used : 0; p; p &= p - 1)
            up[root_of(up, (unsigned)__builtin_ctz(p))] =
                (uint8_t)root_of(up, s->symmetry[g][__builtin_ctz(p)]);
    }
    ptl_ports out = 0;
    for (ptl_ports p = cell; p; p &= p - 1)
        if (root_of(up, (unsigned)__builtin_ctz(p)) == root_of(up, k)) out |= p & -p;
    return out;
}

static unsigned descend(search* s, uint64_t* colour, unsigned depth);

/* Makes one port of the cell after the other special, but only one of those that symmetries exchange. */
static unsigned branch(search* s, const uint64_t* colour, ptl_ports cell, unsigned depth) {
    uint64_t deeper[PTL_PORTS_MAX];
    ptl_ports tried = 0;
    for (ptl_ports left = cell; left; left &= left - 1) {
        unsigned k = (unsigned)__builtin_ctz(left);
        if (orbit(s, cell, k, depth) & tried) continue;
        tried |= UINT32_C(1) << k;
        memcpy(deeper, colour, sizeof deeper);
        deeper[k] = mix(colour[k] ^ 0x9e3779b97f4a7c15u);
        s->path[depth] = k;
        unsigned back = descend(s, deeper, depth + 1);
        if (s->status || back < depth) return back;
    }
    return depth;
}

/* Returns the depth at which the search goes on: below the given one when all that is left here has been
 * seen. */
static unsigned descend(search* s, uint64_t* colour, unsigned depth) {
    if (++s->steps > PTL_CANONICAL_STEPS_MAX) {
        s->status = PTL_LIMIT;
        return depth;
    }
    uint64_t hash = refine(s, colour);
    ptl_ports cell = open_cell(s, colour);
    s->trace[depth] = (hash & ~UINT64_C(1)) | !cell; /* leaves and others are never the same */
    if (compare_traces(s, depth) > 0) return depth;
    return cell ? branch(s, colour, cell, depth) : arrive(s, colour, depth);
}

ptl_status ptl_canonical_search(const ptl_rows* rows, ptl_ports used, ptl_arena* arena, unsigned* place,
                                unsigned* steps, ptl_error* error) {
    search* s = ptl_arena_alloc(arena, sizeof *s);
    ptl_uop* scratch = ptl_arena_array(arena, rows->uops + 1, sizeof *scratch);
    if (!s || !scratch) return ptl_no_memory(error, "for the canonical form");
    s->rows = rows;
    s->used = used;
    s->arena = arena;
    s->next.form = scratch;
    ptl_rows_interchangeable(rows, used, s->with);
    uint64_t colour[PTL_PORTS_MAX] = {0};
    descend(s, colour, 0);
    *steps = s->steps;
    if (s->status == PTL_NO_MEMORY) return ptl_no_memory(error, "for the canonical form");
    if (s->status)
        return ptl_fail(error, PTL_LIMIT, NULL, NULL, "the mapping is too regular for its canonical form");
    memcpy(place, s->leaves[0].place, sizeof s->leaves[0].place);
    return PTL_OK;
}
