#include "predict/critical.h"

#include <math.h>
#include <stdlib.h>

#include "base/room.h"

/* The result of an item at a place, entered if it is new; PTL_NO_ITEM without memory. */
static uint32_t result_at(ptl_critical* c, uint32_t item, uint8_t place, bool renamed) {
    uint32_t r = c->first[item];
    for (; r != PTL_NO_ITEM; r = c->results[r].next)
        if (c->results[r].place == place && c->results[r].renamed == renamed) return r;
    if (!ptl_room(&c->results, &c->result_capacity, c->result_count + 1u, sizeof *c->results)) return r;
    c->results[c->result_count] = (ptl_result){item, c->first[item], place, renamed};
    c->first[item] = c->result_count;
    return c->result_count++;
}

/* Tells whether what was stored is there before a load could be: the item does not look its address up. */
static bool is_renamed(const ptl_code_block* b, const ptl_need* n) {
    const ptl_item* item = &b->items[n->to];
    if (n->resource != PTL_RESOURCE_MEMORY || item->scheme == PTL_NO_SCHEME) return false;
    if (n->outside || n->looked_up) return false;
    const ptl_block_facts* f = &b->model->facts[item->scheme];
    for (uint32_t i = 0; i < f->latency_count; i++)
        if (f->latencies[i].from == n->in && f->latencies[i].cycles < b->model->load_cycles) return true;
    return false;
}

static bool list_results(ptl_critical* c, const ptl_code_block* b) {
    c->result_count = 0;
    if (!ptl_room(&c->first, &c->first_capacity, b->count + 1u, sizeof *c->first)) return false;
    if (!ptl_room(&c->of_need, &c->of_need_capacity, b->need_count + 1, sizeof *c->of_need)) return false;
    for (uint32_t i = 0; i < b->count; i++) c->first[i] = PTL_NO_ITEM;
    for (size_t k = 0; k < b->need_count; k++) {
        const ptl_need* n = &b->needs[k];
        c->of_need[k] = result_at(c, n->from, n->out, is_renamed(b, n));
        if (c->of_need[k] == PTL_NO_ITEM) return false;
    }
    return true;
}

/* The least known cycles from a register of the operand's address to a place; negative: none is known. */
static double from_address(const ptl_block_facts* f, uint8_t operand_place, uint8_t to) {
    double base = ptl_block_latency(f, (uint8_t)(operand_place + PTL_PART_BASE), to, false, NULL);
    double index = ptl_block_latency(f, (uint8_t)(operand_place + PTL_PART_INDEX), to, false, NULL);
    if (base < 0 || index < 0) return fmax(base, index);
    return fmin(base, index);
}

/* From what a store writes to a place of the load, by its address: of an update in place as it is measured,
 * or else from its address, less the load that begins it. */
static double through_cache(const ptl_code_block* b, const ptl_block_facts* f, const ptl_need* n,
                            uint8_t to) {
    double in_place = b->renaming->in_place;
    if (to != n->in) return from_address(f, n->in, to);
    return in_place > 0 ? in_place : from_address(f, n->in, to) - b->model->load_cycles;
}

static bool is_listed(const ptl_block_facts* f, uint8_t from, uint8_t to) {
    for (uint32_t i = 0; i < f->latency_count; i++)
        if (f->latencies[i].from == from && f->latencies[i].to == to) return true;
    return false;
}

/* To a base that is written back (A64: ldr x0, [x1], 8): it waits for itself and for the register that is
 * added behind the address, neither for the load nor for what is stored. */
static double to_base(uint8_t from, uint8_t to, bool* waits) {
    bool is_base = ptl_place_is_address(from) && from / PTL_PARTS == to / PTL_PARTS;
    bool is_amount = from < PTL_PLACE_FLAGS && from / PTL_PARTS > to / PTL_PARTS;
    *waits = is_base || is_amount;
    return *waits ? PTL_WRITEBACK_CYCLES : 0;
}

/* Tells whether an item reads the stack pointer itself, which pushes and pops have moved. */
static bool reads_moved_stack(const ptl_code_block* b, const ptl_need* n) {
    const ptl_item* item = &b->items[n->to];
    return n->resource == PTL_FILE_GPR * 32u + item->architecture->stack_pointer &&
           b->items[n->from].stack_bytes && !item->stack_bytes;
}

/* Tells whether an item gets the result of a floating-point addition, and neither is one nor hands it on. */
static bool gets_sum(const ptl_code_block* b, const ptl_need* n) {
    return n->resource != PTL_RESOURCE_MEMORY && b->uses[n->from].gives_sum && !b->uses[n->to].gives_sum;
}

double ptl_need_latency(const ptl_code_block* b, const ptl_need* n, const ptl_result* to, bool* waits) {
    const ptl_item* item = &b->items[n->to];
    *waits = !(to->renamed && ptl_place_is_address(n->in));
    if (!*waits) return 0;
    if (item->scheme == PTL_NO_SCHEME) return -1;
    const ptl_block_facts* f = &b->model->facts[item->scheme];
    if (item->architecture->writes_back && ptl_place_is_address(to->place) && !is_listed(f, n->in, to->place))
        return to_base(n->in, to->place, waits);
    *waits = !(item->swaps && n->in == to->place && !is_listed(f, n->in, to->place));
    if (!*waits) return 0;
    double cycles = ptl_block_latency(f, n->in, to->place, item->one_source, waits);
    if (!*waits || cycles < 0) return cycles;
    const ptl_shape_cost* shape = &b->model->shapes[item->shape];
    cycles += ptl_place_is_index(n->in) ? shape->later_by_index : shape->later;
    if (b->uses[n->to].late) cycles += b->model->late_flags;
    if (gets_sum(b, n)) cycles += b->model->late_sums;
    if (reads_moved_stack(b, n))
        cycles += ptl_place_is_address(n->in) ? b->model->stack_sync_address : b->model->stack_sync;
    if (n->resource != PTL_RESOURCE_MEMORY) return cycles;
    if (n->outside) return fmax(cycles, b->model->blocked);
    if (!n->looked_up) return cycles;
    bool loads = to->place != n->in && cycles < b->model->load_cycles; /* others always look it up */
    double looked_up = through_cache(b, f, n, to->place);
    return fmax(cycles, looked_up >= 0 && loads ? looked_up + b->renaming->later : looked_up);
}

static bool add_edges(ptl_critical* c, ptl_code_block* b, uint32_t k) {
    const ptl_need* n = &b->needs[k];
    for (uint32_t r = c->first[n->to]; r != PTL_NO_ITEM; r = c->results[r].next) {
        bool waits;
        double cycles = ptl_need_latency(b, n, &c->results[r], &waits);
        if (!waits) continue;
        if (cycles < 0) b->uses[n->to].lacks_latency = true;
        cycles = fmax(cycles, 0);
        if (!ptl_room(&c->edges, &c->edge_capacity, c->edge_count + 1, sizeof *c->edges)) return false;
        if (!ptl_room(&c->origin, &c->origin_capacity, c->edge_count + 1, sizeof *c->origin)) return false;
        c->edges[c->edge_count] =
            (ptl_wait){.from = c->of_need[k], .to = r, .latency = cycles, .distance = n->distance};
        c->origin[c->edge_count++] = (ptl_critical_step){k, c->results[r].place, cycles};
    }
    return true;
}

ptl_status ptl_critical_graph(ptl_critical* c, ptl_code_block* b, ptl_error* error) {
    c->edge_count = 0;
    bool memory = list_results(c, b);
    for (uint32_t k = 0; memory && k < b->need_count; k++) memory = add_edges(c, b, k);
    return memory ? PTL_OK : ptl_no_memory(error, "for the dependencies of a block");
}

static bool any_between_iterations(const ptl_critical* c) {
    for (size_t k = 0; k < c->edge_count; k++)
        if (c->edges[k].distance) return true;
    return false;
}

ptl_status ptl_critical_of(ptl_critical* c, ptl_code_block* b, ptl_error* error) {
    ptl_status s = ptl_critical_graph(c, b, error);
    c->cycles = 0;
    c->step_count = 0;
    if (s || !any_between_iterations(c)) return s;
    if (!ptl_room(&c->cycle, &c->cycle_capacity, c->result_count + 1u, sizeof *c->cycle) ||
        !ptl_room(&c->steps, &c->step_capacity, c->result_count + 1u, sizeof *c->steps))
        return ptl_no_memory(error, "for the dependencies of a block");
    ptl_waits graph = {.nodes = c->result_count, .count = c->edge_count, .edges = c->edges};
    s = ptl_cycle_ratio(&graph, &c->cycles, c->cycle, &c->step_count, error);
    for (size_t k = 0; !s && k < c->step_count; k++) c->steps[k] = c->origin[c->cycle[k]];
    return s;
}

void ptl_critical_free(ptl_critical* c) {
    free(c->steps);
    free(c->results);
    free(c->first);
    free(c->of_need);
    free(c->edges);
    free(c->origin);
    free(c->cycle);
    *c = PTL_CRITICAL_EMPTY;
}
