/* Dinkelbach's iteration: guess t = mass(Q)/|Q| for some Q; let every port carry t; if the demand fits, t was
 * right; if not, a minimum cut names a Q with a larger ratio. Ratios grow strictly, so it ends, after a
 * handful of rounds in practice. With everything multiplied by |Q| all capacities are whole numbers and the
 * answer is exact. */
#include "model/flow.h"

#include <string.h>

#define NONE (-1)

typedef struct flow {
    const ptl_demand* d;
    uint64_t capacity;                 /* of every port */
    uint64_t* unplaced;                /* per uop */
    uint64_t (*placed)[PTL_PORTS_MAX]; /* per uop and port */
    uint64_t load[PTL_PORTS_MAX];      /* per port */
    /* breadth-first search */
    int* uop_from; /* the port a uop was reached from, or NONE */
    bool* uop_seen;
    size_t* queue;
    int port_from[PTL_PORTS_MAX]; /* the uop a port was reached from */
    ptl_ports ports_seen;
} flow;

static bool flow_new(flow* f, const ptl_demand* d, ptl_arena* a) {
    *f = (flow){.d = d};
    f->unplaced = ptl_arena_array(a, d->size, sizeof *f->unplaced);
    f->placed = ptl_arena_array(a, d->size, sizeof *f->placed);
    f->uop_from = ptl_arena_array(a, d->size, sizeof *f->uop_from);
    f->uop_seen = ptl_arena_array(a, d->size, sizeof *f->uop_seen);
    f->queue = ptl_arena_array(a, d->size, sizeof *f->queue);
    return f->unplaced && f->placed && f->uop_from && f->uop_seen && f->queue;
}

/* Visits the ports of uop u; returns one with room left, or NONE. */
static int visit_ports(flow* f, size_t u) {
    for (ptl_ports p = f->d->uops[u].ports & ~f->ports_seen; p; p &= p - 1) {
        int k = __builtin_ctz(p);
        f->ports_seen |= p & -p;
        f->port_from[k] = (int)u;
        if (f->load[k] < f->capacity) return k;
    }
    return NONE;
}

/* Breadth first from every uop that is not wholly placed, along ports it may use and back along what is
 * placed there. Returns a port with room, or NONE: then ports_seen is the cut. */
static int search(flow* f) {
    size_t head = 0, tail = 0, uops = f->d->size;
    f->ports_seen = 0;
    for (size_t u = 0; u < uops; u++) {
        f->uop_from[u] = NONE;
        f->uop_seen[u] = f->unplaced[u] > 0;
        if (f->uop_seen[u]) f->queue[tail++] = u;
    }
    while (head < tail) {
        ptl_ports before = f->ports_seen;
        int found = visit_ports(f, f->queue[head++]);
        if (found != NONE) return found;
        for (ptl_ports p = f->ports_seen & ~before; p; p &= p - 1) {
            int k = __builtin_ctz(p);
            for (size_t u = 0; u < uops; u++)
                if (!f->uop_seen[u] && f->placed[u][k]) {
                    f->uop_seen[u] = true;
                    f->uop_from[u] = k;
                    f->queue[tail++] = u;
                }
        }
    }
    return NONE;
}

/* Returns how much fits along the path that ends at port k. */
static uint64_t room_along(const flow* f, int k) {
    uint64_t amount = f->capacity - f->load[k];
    for (;;) {
        size_t u = (size_t)f->port_from[k];
        int from = f->uop_from[u];
        uint64_t room = from == NONE ? f->unplaced[u] : f->placed[u][from];
        if (room < amount) amount = room;
        if (from == NONE) return amount;
        k = from;
    }
}

static void augment(flow* f, int k) {
    uint64_t amount = room_along(f, k);
    f->load[k] += amount;
    for (;;) {
        size_t u = (size_t)f->port_from[k];
        int from = f->uop_from[u];
        f->placed[u][k] += amount;
        if (from == NONE) {
            f->unplaced[u] -= amount;
            return;
        }
        f->placed[u][from] -= amount;
        k = from;
    }
}

/* Places what fits. True if everything does. */
static bool place(flow* f) {
    for (int end = search(f); end != NONE; end = search(f)) augment(f, end);
    for (size_t u = 0; u < f->d->size; u++)
        if (f->unplaced[u]) return false;
    return true;
}

/* Tells whether everything fits when every port carries t. */
static bool fits(flow* f, const ptl_bottleneck* t) {
    size_t uops = f->d->size;
    f->capacity = t->mass;
    memset(f->load, 0, sizeof f->load);
    memset(f->placed, 0, uops * sizeof *f->placed);
    for (size_t u = 0; u < uops; u++) f->unplaced[u] = f->d->uops[u].mass * t->width; /* at most 2^63 */
    return place(f);
}

static ptl_bottleneck ratio_of(const ptl_demand* d, ptl_ports q) {
    ptl_bottleneck b = {0, ptl_ports_count(q), q};
    for (size_t u = 0; u < d->size; u++)
        if (!(d->uops[u].ports & ~q)) b.mass += d->uops[u].mass;
    return b;
}

/* The largest tight set: the ports from which no room is in reach. Grown backwards from the ports with room:
 * a uop with a port in reach can be shifted there, off every port where some of it is placed. */
static ptl_ports tight_ports(const flow* f) {
    ptl_ports open = 0;
    for (ptl_ports p = f->d->ports; p; p &= p - 1)
        if (f->load[__builtin_ctz(p)] < f->capacity) open |= p & -p;
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t u = 0; u < f->d->size; u++) {
            if (!(f->d->uops[u].ports & open)) continue;
            for (ptl_ports p = f->d->uops[u].ports & ~open; p; p &= p - 1)
                if (f->placed[u][__builtin_ctz(p)]) open |= p & -p, grown = true;
        }
    }
    return f->d->ports & ~open;
}

ptl_status ptl_bottleneck_by_flow(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error) {
    *out = (ptl_bottleneck){0};
    if (!d->size) return PTL_OK;
    ptl_arena arena = PTL_ARENA_EMPTY;
    flow f;
    if (!flow_new(&f, d, &arena)) {
        ptl_arena_release(&arena);
        return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for a flow of %zu uops", d->size);
    }
    *out = ratio_of(d, d->ports);
    while (!fits(&f, out)) *out = ratio_of(d, f.ports_seen);
    out->ports = tight_ports(&f);
    ptl_arena_release(&arena);
    return PTL_OK;
}

ptl_status ptl_flow_complete(const ptl_demand* d, uint64_t capacity, uint64_t (*placed)[PTL_PORTS_MAX],
                             bool* complete, ptl_error* error) {
    *complete = true;
    if (!d->size) return PTL_OK;
    ptl_arena arena = PTL_ARENA_EMPTY;
    flow f;
    if (!flow_new(&f, d, &arena)) {
        ptl_arena_release(&arena);
        return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for a flow of %zu uops", d->size);
    }
    f.placed = placed;
    f.capacity = capacity;
    for (size_t u = 0; u < d->size; u++) {
        f.unplaced[u] = d->uops[u].mass;
        for (ptl_ports p = d->uops[u].ports; p; p &= p - 1) {
            int k = __builtin_ctz(p);
            f.unplaced[u] -= placed[u][k];
            f.load[k] += placed[u][k];
        }
    }
    *complete = place(&f);
    ptl_arena_release(&arena);
    return PTL_OK;
}
