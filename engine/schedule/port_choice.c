#include "schedule/port_choice.h"

#include <string.h>

#define SEED UINT32_C(2463534242)

void ptl_port_counters_start(ptl_port_counters* c) {
    *c = (ptl_port_counters){.random = SEED};
}

static uint32_t next_random(ptl_port_counters* c) {
    c->random ^= c->random << 13;
    c->random ^= c->random >> 17;
    c->random ^= c->random << 5;
    return c->random;
}

/* The port with the lowest counter; among equals the first, or any. */
static unsigned lowest(ptl_port_counters* c, const ptl_binder* o, ptl_ports set) {
    unsigned best = (unsigned)__builtin_ctz(set), equal = 1;
    for (ptl_ports rest = set & (set - 1); rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctz(rest);
        if (c->counter[k] < c->counter[best])
            best = k, equal = 1;
        else if (o->random && c->counter[k] == c->counter[best] && next_random(c) % ++equal == 0)
            best = k;
    }
    return best;
}

static unsigned choose(ptl_port_counters* c, const ptl_binder* o, ptl_ports set) {
    enum { FAR = 3 };
    unsigned best = lowest(c, o, set);
    bool second = o->alternate && c->bound_now++ % 2 == 1;
    ptl_ports others = set & ~(UINT32_C(1) << best);
    if (!second || !others) return best;
    unsigned next = lowest(c, o, others);
    return c->counter[next] >= c->counter[best] + FAR ? best : next;
}

unsigned ptl_port_bind(ptl_port_counters* c, const ptl_binder* o, ptl_ports set) {
    unsigned k = choose(c, o, set);
    c->pending[k]++;
    c->bound[0][k]++;
    if (!o->stale) c->counter[k]++;
    return k;
}

void ptl_port_execute(ptl_port_counters* c, const ptl_binder* o, unsigned port) {
    c->pending[port]--;
    if (!o->memory && !o->stale) c->counter[port]--;
}

void ptl_port_age(ptl_port_counters* c, const ptl_binder* o, unsigned port_count) {
    unsigned last = o->memory, seen = o->stale;
    if (!last && seen) memcpy(c->counter, c->pending, sizeof c->counter);
    for (unsigned k = 0; last && k < port_count; k++) {
        c->counter[k] -= c->bound[last][k];
        if (seen) c->counter[k] += c->bound[seen - 1][k];
    }
    memmove(c->bound[1], c->bound[0], last * sizeof c->bound[0]);
    memset(c->bound[0], 0, sizeof c->bound[0]);
    c->bound_now = 0;
}
