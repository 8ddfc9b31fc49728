#include "schedule/schedule.h"

#include <math.h>

#include "model/flow.h"
#include "model/throughput.h"

/* Holds what has to be placed, and where it goes. Uops with the same ports are of one kind: an entry of the
 * demand. */
typedef struct plan {
    const ptl_mapping* m;
    const ptl_experiment* e;
    uint64_t iterations;
    uint64_t cycles;
    ptl_arena arena;
    ptl_demand d; /* of all iterations */
    size_t uops, listed;
    ptl_slot* items;                   /* all uops: kind by kind, within a kind in the order of the program */
    uint32_t* order;                   /* of each item: its place in the program */
    size_t* next;                      /* per kind: the first item that is not yet executed */
    uint64_t (*placed)[PTL_PORTS_MAX]; /* per kind and port: uops to execute there */
    uint32_t* kinds[PTL_PORTS_MAX];    /* of each port */
    size_t kind_count[PTL_PORTS_MAX];
} plan;

static ptl_status too_large(const plan* p, ptl_error* error) {
    return ptl_fail(error, PTL_LIMIT, NULL, "ask for fewer iterations",
                    "a schedule of %llu iterations is too large: at most %u uops, and %u cycles times ports",
                    (unsigned long long)p->iterations, PTL_SCHEDULE_UOPS_MAX, PTL_SCHEDULE_CELLS_MAX);
}

/* The fewest cycles with slots <= cycles * rmax. What is too long for a schedule is left as it is: beyond
 * 2^53 one cycle less is the same number. */
static double issue_cycles(double slots, double rmax) {
    double cycles = ceil(slots / rmax);
    if (!(cycles <= PTL_SCHEDULE_CELLS_MAX)) return cycles;
    while (cycles > 0 && (cycles - 1) * rmax >= slots) cycles--;
    return cycles;
}

/* The demand of all iterations, and T. */
static ptl_status measure(plan* p, ptl_error* error) {
    if (!p->iterations) return ptl_fail(error, PTL_BAD_INPUT, NULL, "ask for at least one", "no iterations");
    ptl_status s = ptl_demand_fill(&p->d, p->m, p->e, error);
    if (s) return s;
    double slots = (double)p->d.slots * (double)p->iterations;
    if (p->iterations > PTL_SCHEDULE_CELLS_MAX || p->d.mass > PTL_SCHEDULE_UOPS_MAX / p->iterations)
        return too_large(p, error);
    for (size_t u = 0; u < p->d.size; u++) p->d.uops[u].mass *= p->iterations;
    p->uops = (size_t)(p->d.mass *= p->iterations);
    ptl_bottleneck b;
    s = ptl_bottleneck_of(&p->d, &b, error);
    if (s) return s;
    double cycles = b.width ? (double)((b.mass + b.width - 1) / b.width) : 0;
    if (p->m->rmax > 0) cycles = fmax(cycles, issue_cycles(slots, p->m->rmax));
    if (cycles * p->m->port_count > PTL_SCHEDULE_CELLS_MAX) return too_large(p, error);
    p->cycles = (uint64_t)cycles;
    return PTL_OK;
}

static size_t kind_of(const plan* p, ptl_ports ports) {
    size_t low = 0, high = p->d.size;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (p->d.uops[middle].ports <= ports)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool allocate(plan* p) {
    p->items = ptl_arena_array(&p->arena, p->uops + 1, sizeof *p->items);
    p->order = ptl_arena_array(&p->arena, p->uops + 1, sizeof *p->order);
    p->next = ptl_arena_array(&p->arena, p->d.size + 1, sizeof *p->next);
    p->placed = ptl_arena_array(&p->arena, p->d.size + 1, sizeof *p->placed);
    return p->items && p->order && p->next && p->placed;
}

/* Calls visit for all uops in the order of the program: iterations, in each the instances, in each the uops.
 */
static void each_uop(plan* p, void (*visit)(plan* p, size_t kind, ptl_slot uop)) {
    for (uint32_t n = 0; n < p->iterations; n++)
        for (size_t t = 0; t < p->e->size; t++) {
            const ptl_usage* u = &p->m->schemes[p->e->terms[t].scheme];
            if (!u->uop_count) continue;
            for (uint32_t i = 0; i < p->e->terms[t].count; i++)
                for (uint32_t j = 0; j < u->uop_count; j++)
                    for (uint32_t c = 0; c < u->uops[j].count; c++)
                        visit(p, kind_of(p, u->uops[j].ports), (ptl_slot){p->e->terms[t].scheme, j, i, n});
        }
}

static void list_uop(plan* p, size_t kind, ptl_slot uop) {
    size_t at = p->next[kind]++;
    p->items[at] = uop;
    p->order[at] = (uint32_t)p->listed++;
}

static void rewind_items(plan* p) {
    size_t start = 0;
    for (size_t u = 0; u < p->d.size; start += (size_t)p->d.uops[u++].mass) p->next[u] = start;
}

/* Uops of one kind, each to the emptiest of their ports that has room. */
static void spread(plan* p, size_t kind, uint64_t* load) {
    for (uint64_t n = 0; n < p->d.uops[kind].mass; n++) {
        int best = -1;
        for (ptl_ports q = p->d.uops[kind].ports; q; q &= q - 1) {
            int k = __builtin_ctz(q);
            if (load[k] < p->cycles && (best < 0 || load[k] < load[best])) best = k;
        }
        if (best < 0) return;
        p->placed[kind][best]++;
        load[best]++;
    }
}

/* Decides how many uops of each kind go to each port: evenly, those with the least choice first; what finds
 * no room then is placed by flow, which may move others. */
static ptl_status place(plan* p, ptl_error* error) {
    uint64_t load[PTL_PORTS_MAX] = {0};
    for (unsigned width = 1; width <= PTL_PORTS_MAX; width++)
        for (size_t u = 0; u < p->d.size; u++)
            if (ptl_ports_count(p->d.uops[u].ports) == width) spread(p, u, load);
    bool complete;
    ptl_status s = ptl_flow_complete(&p->d, p->cycles, p->placed, &complete, error);
    if (s || complete) return s;
    return ptl_fail(error, PTL_INTERNAL, NULL, NULL, "%llu cycles are too few for a schedule",
                    (unsigned long long)p->cycles);
}

static bool list_kinds(plan* p) {
    for (unsigned k = 0; k < p->m->port_count; k++) {
        for (size_t u = 0; u < p->d.size; u++) p->kind_count[k] += p->placed[u][k] > 0;
        p->kinds[k] = ptl_arena_array(&p->arena, p->kind_count[k] + 1, sizeof *p->kinds[k]);
        if (!p->kinds[k]) return false;
        size_t n = 0;
        for (size_t u = 0; u < p->d.size; u++)
            if (p->placed[u][k]) p->kinds[k][n++] = (uint32_t)u;
    }
    return true;
}

/* Of the uops that port k still has to execute, the first in the program. */
static ptl_slot take(plan* p, unsigned k) {
    size_t best = 0;
    bool found = false;
    for (size_t i = 0; i < p->kind_count[k]; i++) {
        uint32_t u = p->kinds[k][i];
        if (!p->placed[u][k] || (found && p->order[p->next[u]] > p->order[p->next[best]])) continue;
        best = u;
        found = true;
    }
    if (!found) return (ptl_slot){PTL_IDLE, 0, 0, 0};
    p->placed[best][k]--;
    return p->items[p->next[best]++];
}

/* The cycle in which each port starts, and for how many it runs; past the last cycle it goes on in the first.
 */
static void place_runs(const plan* p, uint64_t* first, uint64_t* length) {
    uint64_t running = 0, total = 0;
    for (unsigned k = 0; k < p->m->port_count; k++) {
        first[k] = length[k] = 0;
        for (size_t u = 0; u < p->d.size; u++) length[k] += p->placed[u][k];
        running += length[k] > 0;
    }
    if (!(p->m->rmax > 0 && (double)running > p->m->rmax)) return;
    for (unsigned k = 0; k < p->m->port_count; total += length[k++]) first[k] = total % p->cycles;
}

static void run(plan* p, ptl_slot* slots) {
    uint64_t first[PTL_PORTS_MAX], length[PTL_PORTS_MAX];
    place_runs(p, first, length);
    for (uint64_t c = 0; c < p->cycles; c++)
        for (unsigned k = 0; k < p->m->port_count; k++) {
            bool runs = (c + p->cycles - first[k]) % p->cycles < length[k];
            *slots++ = runs ? take(p, k) : (ptl_slot){PTL_IDLE, 0, 0, 0};
        }
}

static ptl_status make(plan* p, ptl_schedule* out, ptl_error* error) {
    ptl_status s = measure(p, error);
    if (s) return s;
    if (!allocate(p)) return ptl_no_memory(error, "for a schedule");
    rewind_items(p);
    each_uop(p, list_uop);
    rewind_items(p);
    s = place(p, error);
    if (s) return s;
    *out = (ptl_schedule){.cycles = (size_t)p->cycles, .port_count = p->m->port_count};
    ptl_slot* slots = ptl_arena_array(&out->arena, out->cycles * out->port_count + 1, sizeof *slots);
    if (!slots || !list_kinds(p)) {
        ptl_schedule_free(out);
        return ptl_no_memory(error, "for a schedule");
    }
    run(p, slots);
    out->slots = slots;
    return PTL_OK;
}

ptl_status ptl_schedule_of(ptl_schedule* s, const ptl_mapping* m, const ptl_experiment* e,
                           uint64_t iterations, ptl_error* error) {
    *s = (ptl_schedule){0};
    plan p = {.m = m, .e = e, .iterations = iterations, .d = PTL_DEMAND_EMPTY};
    ptl_status status = make(&p, s, error);
    ptl_demand_free(&p.d);
    ptl_arena_release(&p.arena);
    return status;
}

void ptl_schedule_free(ptl_schedule* s) {
    ptl_arena_release(&s->arena);
    *s = (ptl_schedule){0};
}
