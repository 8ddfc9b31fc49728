#include "predict/sim_program.h"

#include <math.h>

/* Holds what the parts of this file work on. */
typedef struct maker {
    const ptl_code_block* block;
    const ptl_critical* critical;
    ptl_sim_program* p;
} maker;

static const ptl_block_facts* facts_of(const maker* k, uint32_t i) {
    static const ptl_block_facts none = {
        .unit = PTL_NO_UNIT, .other_value = -1, .other_address = -1, .other_form = PTL_NO_SCHEME};
    uint32_t scheme = k->block->items[i].scheme;
    return scheme == PTL_NO_SCHEME ? &none : &k->block->model->facts[scheme];
}

/* The latency of a need to a place: 0 if it is not known, negative if there is no wait. */
static double latency(const maker* k, const ptl_need* n, const ptl_result* to) {
    bool waits;
    double cycles = ptl_need_latency(k->block, n, to, &waits);
    return waits ? fmax(cycles, 0) : -1;
}

/* The least latency to a result, from any place or from those of addresses; 0 if there is none. */
static double least_to(const maker* k, uint32_t i, uint8_t to, bool addresses) {
    const ptl_block_facts* f = facts_of(k, i);
    double least = INFINITY;
    for (uint32_t n = 0; n < f->latency_count; n++) {
        const ptl_latency* l = &f->latencies[n];
        if (l->to == to && !l->independent && (!addresses || ptl_place_is_address(l->from)))
            least = fmin(least, l->cycles);
    }
    if (least < INFINITY) return least;
    if (k->block->model->architecture->writes_back && ptl_place_is_address(to)) return PTL_WRITEBACK_CYCLES;
    return fmax(addresses ? f->other_address : f->other_value, 0);
}

/* Tells whether a result takes no time from any place: no uop makes it. */
static bool is_at_once(const maker* k, uint32_t i, uint8_t to) {
    const ptl_block_facts* f = facts_of(k, i);
    bool any = false;
    for (uint32_t n = 0; n < f->latency_count; n++) {
        const ptl_latency* l = &f->latencies[n];
        if (l->to != to) continue;
        any = true;
        if (l->cycles > 0 && !l->independent) return false;
    }
    return any;
}

/* Returns how many cycles later than the others an input may be, from this place or, if there is none, from
 * addresses. */
static double offset_of(const maker* k, uint32_t i, uint8_t from) {
    const ptl_block_facts* f = facts_of(k, i);
    double least = INFINITY;
    for (uint32_t n = 0; n < f->latency_count; n++) {
        const ptl_latency* l = &f->latencies[n];
        bool meant = from == PTL_NO_PLACE ? ptl_place_is_address(l->from) : l->from == from;
        if (meant && !l->independent) least = fmin(least, l->cycles - least_to(k, i, l->to, false));
    }
    return least < INFINITY ? fmax(least, 0) : 0;
}

static void add_uop(ptl_sim_program* p, ptl_sim_item* item, ptl_ports ports, ptl_ports load_ports) {
    bool loads = ports && !(ports & ~load_ports);
    if (!loads && !item->works) item->holder = p->uop_count;
    p->uops[p->uop_count++] = (ptl_sim_uop){ports, loads};
    item->uop_count++;
    if (loads)
        item->loads++;
    else
        item->works++;
}

static void add_uops(const maker* k, uint32_t i) {
    const ptl_item_use* use = &k->block->uses[i];
    ptl_sim_item* item = &k->p->items[i];
    item->first_uop = item->holder = k->p->uop_count;
    if (use->executes) {
        const ptl_usage* usage = &k->block->model->mapping->schemes[k->block->items[i].scheme];
        for (uint32_t u = 0; u < usage->uop_count; u++)
            for (uint32_t c = usage->uops[u].count - (use->dropped == (int)u); c > 0; c--)
                add_uop(k->p, item, usage->uops[u].ports, k->block->model->load_ports);
    }
    if (item->unit != PTL_NO_UNIT && !item->uop_count) add_uop(k->p, item, 0, 0);
}

static uint32_t count_uops(const ptl_code_block* b) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        n++; /* what holds a unit */
        if (!b->uses[i].executes) continue;
        const ptl_usage* usage = &b->model->mapping->schemes[b->items[i].scheme];
        for (uint32_t u = 0; u < usage->uop_count; u++) n += usage->uops[u].count;
        if (n > PTL_SIM_UOPS_MAX) return UINT32_MAX;
    }
    return (uint32_t)n;
}

static void add_results(const maker* k, uint32_t i) {
    ptl_sim_item* item = &k->p->items[i];
    item->first_result = k->p->result_count;
    for (uint32_t r = k->critical->first[i]; r != PTL_NO_ITEM; r = k->critical->results[r].next) {
        uint8_t place = k->critical->results[r].place;
        k->p->results[k->p->result_count++] = (ptl_sim_result){.number = r,
                                                               .at_once = is_at_once(k, i, place),
                                                               .tail = least_to(k, i, place, false),
                                                               .load_tail = least_to(k, i, place, true)};
    }
    item->result_count = k->p->result_count - item->first_result;
    item->load_offset = offset_of(k, i, PTL_NO_PLACE);
}

/* The input of a need, with its latencies to all results; nothing if it is no wait. */
static bool add_input(const maker* k, const ptl_need* n, uint32_t result, uint32_t* count) {
    ptl_sim_item* item = &k->p->items[n->to];
    double* latencies = ptl_arena_array(&k->p->arena, item->result_count + 1u, sizeof *latencies);
    if (!latencies) return false;
    const ptl_block_facts* f = facts_of(k, n->to);
    bool waits = !(k->block->items[n->to].one_source && f->idiom && !ptl_place_is_address(n->in));
    bool any = item->result_count == 0;
    for (uint32_t r = 0; r < item->result_count; r++) {
        uint32_t number = k->p->results[item->first_result + r].number;
        latencies[r] = latency(k, n, &k->critical->results[number]);
        any = any || latencies[r] >= 0;
        if (waits && latencies[r] == 0) k->p->results[item->first_result + r].at_once = true;
    }
    if (!waits || !any) return true;
    k->p->inputs[(*count)++] = (ptl_sim_input){.result = result,
                                               .distance = n->distance,
                                               .address = ptl_place_is_address(n->in),
                                               .offset = offset_of(k, n->to, n->in),
                                               .latencies = latencies};
    return true;
}

/* Needs are listed item by item. */
static bool add_inputs(const maker* k) {
    uint32_t count = 0;
    size_t n = 0;
    for (uint32_t i = 0; i < k->block->count; i++) {
        k->p->items[i].first_input = count;
        for (; n < k->block->need_count && k->block->needs[n].to == i; n++)
            if (!add_input(k, &k->block->needs[n], k->critical->of_need[n], &count)) return false;
        k->p->items[i].input_count = count - k->p->items[i].first_input;
    }
    return true;
}

static void add_item(const maker* k, uint32_t i) {
    const ptl_item_use* use = &k->block->uses[i];
    ptl_sim_item* item = &k->p->items[i];
    const ptl_block_facts* f = facts_of(k, i);
    bool idle = use->left_out || (use->known && !use->executes);
    *item =
        (ptl_sim_item){.slots = use->slots, .unit = idle ? PTL_NO_UNIT : ptl_code_block_unit(k->block, i)};
    item->unit_cycles = f->unit_cycles;
    const ptl_shape_cost* shape = &k->block->model->shapes[k->block->items[i].shape];
    if (!idle && item->unit == PTL_NO_UNIT) {
        item->unit = shape->unit;
        item->unit_cycles = shape->unit_cycles;
    }
    add_uops(k, i);
    add_results(k, i);
}

ptl_status ptl_sim_program_of(ptl_sim_program* p, const ptl_code_block* b, const ptl_critical* c,
                              ptl_error* error) {
    *p = (ptl_sim_program){.count = b->count};
    uint32_t uops = count_uops(b);
    if (uops == UINT32_MAX)
        return ptl_fail(error, PTL_LIMIT, NULL, "take the bounds",
                        "a block of more than %d uops is not simulated", PTL_SIM_UOPS_MAX);
    maker k = {b, c, p};
    p->items = ptl_arena_array(&p->arena, b->count + 1u, sizeof *p->items);
    p->uops = ptl_arena_array(&p->arena, uops + 1u, sizeof *p->uops);
    p->inputs = ptl_arena_array(&p->arena, b->need_count + 1, sizeof *p->inputs);
    p->results = ptl_arena_array(&p->arena, c->result_count + 1u, sizeof *p->results);
    bool memory = p->items && p->uops && p->inputs && p->results;
    for (uint32_t i = 0; memory && i < b->count; i++) add_item(&k, i);
    if (memory && add_inputs(&k)) return PTL_OK;
    ptl_sim_program_free(p);
    return ptl_no_memory(error, "to simulate a block");
}

void ptl_sim_program_free(ptl_sim_program* p) {
    ptl_arena_release(&p->arena);
    *p = (ptl_sim_program){0};
}
