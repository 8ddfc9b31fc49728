#include "predict/sim_core.h"

#include <math.h>
#include <stdlib.h>

#include "base/room.h"
#include "predict/sim_times.h"

/* So many issue slots are in flight at most: the reorder buffer of a Golden Cove has 512 entries, that of a
 * Zen 4 320. It matters only where the oldest uop waits long while others overtake it. In whole iterations,
 * and two at least. */
#define WINDOW 512u
#define TURNS_LEAST (2u + PTL_BLOCK_ITERATIONS)

static const double rounding = 1e-6; /* cycles by which sums of latencies may be off */

static uint32_t turns_of(const ptl_sim_program* p) {
    uint64_t slots = 1;
    for (uint32_t i = 0; i < p->count; i++) slots += p->items[i].slots;
    return (uint32_t)(WINDOW / slots) + TURNS_LEAST;
}

static void begin_iteration(ptl_sim_core* x) {
    const ptl_sim_program* p = x->program;
    x->left[x->turn] = p->uop_count;
    for (uint32_t r = 0; r < p->result_count; r++) x->times[(size_t)x->turn * p->result_count + r] = INFINITY;
    x->item = 0;
    x->uop = p->items[0].first_uop;
    x->parts = p->items[0].slots * x->issue.slot;
}

ptl_status ptl_sim_core_new(ptl_sim_core* x, const ptl_sim_program* p, const ptl_block_model* m, bool loop,
                            const ptl_binder* binder, ptl_error* error) {
    *x = (ptl_sim_core){.program = p, .binder = binder, .port_count = m->mapping->port_count};
    x->issue = ptl_slot_parts_of(m->mapping->rmax);
    x->branch = loop ? m->taken_branch : 0;
    x->begun = -x->branch;
    x->turns = turns_of(p);
    ptl_port_counters_start(&x->ports);
    x->entries = ptl_arena_array(&x->arena, binder->scheduler, sizeof *x->entries);
    x->free_at = ptl_arena_array(&x->arena, m->unit_count + 1u, sizeof *x->free_at);
    x->instances = ptl_arena_array(&x->arena, (size_t)x->turns * (p->count + 1u), sizeof *x->instances);
    x->times = ptl_arena_array(&x->arena, (size_t)x->turns * (p->result_count + 1u), sizeof *x->times);
    x->left = ptl_arena_array(&x->arena, x->turns, sizeof *x->left);
    if (!x->entries || !x->free_at || !x->instances || !x->times || !x->left)
        return ptl_no_memory(error, "to simulate a block");
    begin_iteration(x);
    return PTL_OK;
}

/* Sets the times of what an instance writes; false: some of its inputs are not known yet. */
static bool set_times(ptl_sim_core* x, uint32_t item, uint32_t turn) {
    if (!ptl_sim_finish(x, item, turn)) return false;
    const ptl_sim_instance* instance = ptl_sim_instance_of(x, item, turn);
    if (!x->trace || instance->loads || instance->works) return true;
    const ptl_sim_item* facts = &x->program->items[item];
    double done = fmax(instance->issued, fmax(instance->last_load, instance->last_work));
    for (uint32_t r = 0; r < facts->result_count; r++) {
        uint32_t number = x->program->results[facts->first_result + r].number;
        done = fmax(done, x->times[(size_t)turn * x->program->result_count + number]);
    }
    ptl_sim_trace_end(x->trace, instance->order, done);
    return true;
}

/* Sets the times of what an instance writes, now or when its inputs are known. False: no memory. */
static bool finish(ptl_sim_core* x, uint32_t item, uint32_t turn) {
    if (set_times(x, item, turn)) return true;
    if (!ptl_room(&x->waiting, &x->waiting_capacity, x->waiting_count + 1, sizeof *x->waiting)) return false;
    ptl_sim_waiting w = {item, turn, ptl_sim_instance_of(x, item, turn)->order};
    size_t k = x->waiting_count++;
    for (; k > 0 && x->waiting[k - 1].order > w.order; k--) x->waiting[k] = x->waiting[k - 1];
    x->waiting[k] = w;
    return true;
}

/* In program order: what one finishes the next may wait for. */
static void finish_waiting(ptl_sim_core* x) {
    size_t kept = 0;
    for (size_t k = 0; k < x->waiting_count; k++)
        if (!set_times(x, x->waiting[k].item, x->waiting[k].turn)) x->waiting[kept++] = x->waiting[k];
    x->waiting_count = kept;
}

static void enter(ptl_sim_core* x) {
    ptl_ports ports = x->program->uops[x->uop].ports;
    unsigned port = ports ? ptl_port_bind(&x->ports, x->binder, ports) : PTL_PORTS_MAX;
    x->entries[x->entry_count++] = (ptl_sim_entry){
        .item = x->item, .uop = x->uop++, .turn = x->turn, .port = (uint8_t)port, .ready = INFINITY};
}

/* A loop begins an iteration after its taken branch, so many cycles after the one before. There must be room
 * behind the oldest turn and those before that are still read. */
static bool may_begin(const ptl_sim_core* x) {
    uint32_t in_flight = (x->turn + x->turns - x->oldest) % x->turns + 1;
    if (in_flight + PTL_BLOCK_ITERATIONS > x->turns) return false;
    return !(x->branch > 0) || x->begun + x->branch < x->now + 1;
}

/* The next item, if there is one in this cycle. */
static bool next_item(ptl_sim_core* x) {
    if (x->item < x->program->count) return true;
    if (!may_begin(x)) return false;
    x->begun = fmax(x->begun + x->branch, x->now);
    x->turn = (x->turn + 1) % x->turns;
    begin_iteration(x);
    return true;
}

static void leave_item(ptl_sim_core* x) {
    if (++x->item == x->program->count) return;
    x->uop = x->program->items[x->item].first_uop;
    x->parts = x->program->items[x->item].slots * x->issue.slot;
}

static void note_issue(const ptl_sim_core* x) {
    ptl_sim_trace_row* row = ptl_sim_trace_row_of(x->trace, x->order - 1);
    if (row) row->issued = (uint32_t)x->now;
}

/* False: no memory. */
static bool issue(ptl_sim_core* x) {
    for (uint64_t budget = x->issue.width; next_item(x);) {
        const ptl_sim_item* item = &x->program->items[x->item];
        uint64_t taken = x->parts < budget ? x->parts : budget;
        x->parts -= taken;
        budget -= taken;
        if (x->parts) return true;
        if (x->uop == item->first_uop)
            *ptl_sim_instance_of(x, x->item, x->turn) = (ptl_sim_instance){
                .loads = item->loads, .works = item->works, .order = x->order++, .issued = x->now};
        while (x->uop < item->first_uop + item->uop_count) {
            if (x->entry_count == x->binder->scheduler) return true;
            enter(x);
        }
        note_issue(x);
        if (!finish(x, x->item, x->turn)) return false;
        leave_item(x);
    }
    return true;
}

/* Tells whether the unit that the uop holds, if any, is free; then it is busy. */
static bool takes_unit(ptl_sim_core* x, const ptl_sim_entry* e) {
    const ptl_sim_item* item = &x->program->items[e->item];
    if (item->unit == PTL_NO_UNIT || item->holder != e->uop) return true;
    double* free_at = &x->free_at[item->unit];
    if (!(*free_at < x->now + 1 - rounding)) return false;
    *free_at = fmax(*free_at, x->now) + item->unit_cycles;
    return true;
}

/* A uop begins: as soon as it was ready, if this is the first cycle in which it could. False: no memory. */
static bool begin(ptl_sim_core* x, const ptl_sim_entry* e) {
    ptl_sim_instance* instance = ptl_sim_instance_of(x, e->item, e->turn);
    double at = x->now - e->ready < 1 - rounding ? e->ready : x->now;
    if (e->port < PTL_PORTS_MAX) ptl_port_execute(&x->ports, x->binder, e->port);
    if (x->trace) ptl_sim_trace_begin(x->trace, instance->order, e->uop, (uint32_t)x->now, e->port);
    if (x->program->uops[e->uop].loads) {
        instance->loads--;
        instance->last_load = fmax(instance->last_load, at);
    } else {
        instance->works--;
        instance->last_work = fmax(instance->last_work, at);
    }
    x->left[e->turn]--;
    return instance->loads || instance->works || finish(x, e->item, e->turn);
}

/* Every port executes the oldest of its uops that is ready. False: no memory. */
static bool execute(ptl_sim_core* x) {
    uint32_t kept = 0;
    uint64_t used = 0;
    bool memory = true;
    for (uint32_t k = 0; k < x->entry_count; k++) {
        ptl_sim_entry* e = &x->entries[k];
        bool free_port = e->port == PTL_PORTS_MAX || !(used >> e->port & 1);
        if (free_port && e->ready == INFINITY) e->ready = ptl_sim_ready(x, e);
        if (free_port && e->ready <= x->now + rounding && takes_unit(x, e)) {
            if (e->port < PTL_PORTS_MAX) used |= UINT64_C(1) << e->port;
            memory = begin(x, e) && memory;
        } else {
            x->entries[kept++] = *e;
        }
    }
    x->entry_count = kept;
    return memory;
}

bool ptl_sim_cycle(ptl_sim_core* x, uint32_t* ended) {
    bool memory = issue(x) && execute(x);
    finish_waiting(x);
    ptl_port_age(&x->ports, x->binder, x->port_count);
    for (*ended = 0; x->oldest != x->turn && x->left[x->oldest] == 0; x->oldest = (x->oldest + 1) % x->turns)
        ++*ended;
    x->now++;
    return memory;
}

void ptl_sim_core_free(ptl_sim_core* x) {
    ptl_arena_release(&x->arena);
    free(x->waiting);
    *x = (ptl_sim_core){0};
}
