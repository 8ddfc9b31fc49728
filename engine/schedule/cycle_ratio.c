#include "schedule/cycle_ratio.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"

enum { NONE = -1 };

typedef struct search {
    const ptl_waits* graph;
    double* longest; /* by node: the weight of the heaviest walk found that ends there */
    int64_t* before; /* by node: its last edge; NONE */
    uint8_t* seen;
    size_t* cycle; /* edges of the cycle that was found */
    size_t length;
} search;

static ptl_status check(const ptl_waits* g, ptl_error* error) {
    if (g->nodes > PTL_WAITS_NODES_MAX || g->count > PTL_WAITS_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "write at most 65,536 nodes and 1,048,576 edges",
                        "a graph of %zu nodes and %zu edges", g->nodes, g->count);
    for (size_t i = 0; i < g->count; i++) {
        const ptl_wait* e = &g->edges[i];
        if (e->from >= g->nodes || e->to >= g->nodes)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "edge %zu leads from or to no node", i + 1);
        if (!(e->latency >= 0 && e->latency < 1e15))
            return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "edge %zu has a latency of %g cycles", i + 1,
                            e->latency);
    }
    return PTL_OK;
}

/* Takes the cycle that a node hangs on, if following last edges backwards leads into one. */
static bool take_cycle(search* s, uint32_t node) {
    const ptl_wait* edges = s->graph->edges;
    memset(s->seen, 0, s->graph->nodes);
    while (!s->seen[node]) {
        s->seen[node] = 1;
        if (s->before[node] == NONE) return false;
        node = edges[s->before[node]].from;
    }
    size_t n = 0;
    uint32_t at = node;
    do {
        s->cycle[n++] = (size_t)s->before[at];
        at = edges[s->before[at]].from;
    } while (at != node);
    for (size_t i = 0; i < n / 2; i++) {
        size_t kept = s->cycle[i];
        s->cycle[i] = s->cycle[n - 1 - i], s->cycle[n - 1 - i] = kept;
    }
    s->length = n;
    return true;
}

/* One pass over all edges; the last node of which a heavier walk was found, or NONE. Walks that are heavier
 * by rounding alone do not count: they would go round cycles of weight 0 for ever. */
static int64_t relax(search* s, double ratio, double least) {
    int64_t last = NONE;
    for (size_t i = 0; i < s->graph->count; i++) {
        const ptl_wait* e = &s->graph->edges[i];
        double weight = s->longest[e->from] + e->latency - ratio * e->distance;
        if (weight > s->longest[e->to] + least) {
            s->longest[e->to] = weight;
            s->before[e->to] = (int64_t)i;
            last = e->to;
        }
    }
    return last;
}

/* Finds a cycle of positive weight (more than `least` on one of its edges); false if there is none. A cycle
 * of last edges has positive weight, and is there at the latest after as many passes as there are nodes. */
static bool positive_cycle(search* s, double ratio, double least) {
    for (size_t k = 0; k < s->graph->nodes; k++) s->longest[k] = 0, s->before[k] = NONE;
    for (size_t pass = 0; pass < s->graph->nodes; pass++) {
        int64_t last = relax(s, ratio, least);
        if (last == NONE) return false;
        if (take_cycle(s, (uint32_t)last)) return true;
    }
    return false;
}

static void sums(const search* s, double* latency, double* distance) {
    *latency = *distance = 0;
    for (size_t i = 0; i < s->length; i++) {
        *latency += s->graph->edges[s->cycle[i]].latency;
        *distance += s->graph->edges[s->cycle[i]].distance;
    }
}

/* The smallest weight that is more than rounding. */
static double least_weight(const ptl_waits* g) {
    double total = 0;
    for (size_t i = 0; i < g->count; i++) total += g->edges[i].latency;
    return 1e-12 * (total + 1);
}

static ptl_status improve(search* s, double* ratio, size_t* cycle, size_t* length, ptl_error* error) {
    double least = least_weight(s->graph), latency, distance;
    *ratio = 0;
    *length = 0;
    while (positive_cycle(s, *ratio, least)) {
        sums(s, &latency, &distance);
        if (distance == 0)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "give an edge of each cycle a distance",
                            "a cycle of %zu edges waits for itself within one iteration", s->length);
        if (latency / distance <= *ratio) break; /* rounding */
        *ratio = latency / distance;
        *length = s->length;
        if (cycle) memcpy(cycle, s->cycle, s->length * sizeof *cycle);
    }
    return PTL_OK;
}

ptl_status ptl_cycle_ratio(const ptl_waits* graph, double* ratio, size_t* cycle, size_t* length,
                           ptl_error* error) {
    ptl_status status = check(graph, error);
    if (status) return status;
    ptl_arena arena = PTL_ARENA_EMPTY;
    search s = {.graph = graph,
                .longest = ptl_arena_array(&arena, graph->nodes + 1, sizeof(double)),
                .before = ptl_arena_array(&arena, graph->nodes + 1, sizeof(int64_t)),
                .seen = ptl_arena_array(&arena, graph->nodes + 1, 1),
                .cycle = ptl_arena_array(&arena, graph->nodes + 1, sizeof(size_t))};
    if (s.longest && s.before && s.seen && s.cycle) {
        status = improve(&s, ratio, cycle, length, error);
    } else {
        status = ptl_no_memory(error, "for a graph of dependencies");
    }
    ptl_arena_release(&arena);
    return status;
}
