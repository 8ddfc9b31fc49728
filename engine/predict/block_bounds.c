#include "predict/block_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/room.h"
#include "model/throughput.h"

/* A port set with the copy of a port, which takes the first number that no port has. */
static ptl_ports with_copy(const ptl_mapping* m, ptl_ports ports, int copied) {
    if (copied < 0 || !(ports >> copied & 1) || m->port_count >= PTL_PORTS_MAX) return ports;
    return ports | UINT32_C(1) << m->port_count;
}

static bool add_uops(ptl_block_work* w, const ptl_usage* usage, const ptl_item_use* use, int copied_port) {
    for (uint32_t k = 0; k < usage->uop_count; k++) {
        uint32_t count = usage->uops[k].count - (use->dropped == (int)k);
        ptl_ports ports = with_copy(w->block.model->mapping, usage->uops[k].ports, copied_port);
        size_t at = 0;
        while (at < w->mass_count && w->masses[at].ports != ports) at++;
        if (at == w->mass_count) {
            if (!count) continue;
            if (!ptl_room(&w->masses, &w->mass_capacity, at + 1, sizeof *w->masses)) return false;
            w->masses[w->mass_count++] = (ptl_mass){.ports = ports};
        }
        w->masses[at].mass += count;
    }
    return true;
}

static bool start_units(ptl_block_work* w) {
    uint32_t n = w->block.model->unit_count;
    if (!ptl_room(&w->busy, &w->busy_capacity, n + 1u, sizeof *w->busy)) return false;
    for (uint32_t u = 0; u < n; u++) w->busy[u] = 0;
    return true;
}

static void add_unit(ptl_block_work* w, uint32_t unit, double busy, ptl_block_bounds* out) {
    if (unit == PTL_NO_UNIT) return;
    double cycles = w->busy[unit] += busy;
    if (cycles <= out->of[PTL_BOUND_UNIT]) return;
    out->of[PTL_BOUND_UNIT] = cycles;
    out->unit = unit;
}

/* Uops, slots, units of all items. */
static bool add_items(ptl_block_work* w, const ptl_block_change* change, ptl_block_bounds* out) {
    const ptl_code_block* b = &w->block;
    w->mass_count = 0;
    if (!start_units(w)) return false;
    for (uint32_t i = 0; i < b->count; i++) {
        const ptl_item_use* use = &b->uses[i];
        out->slots += use->slots;
        out->unknown += !use->left_out && !use->known;
        out->lacking_latency += use->lacks_latency;
        uint32_t scheme = b->items[i].scheme;
        if (use->left_out || scheme == PTL_NO_SCHEME || (use->known && !use->executes)) continue;
        const ptl_block_facts* f = &b->model->facts[scheme];
        const ptl_shape_cost* shape = &b->model->shapes[b->items[i].shape];
        add_unit(w, ptl_code_block_unit(b, i), f->unit_cycles, out);
        add_unit(w, shape->unit, shape->unit_cycles, out);
        const ptl_usage* usage = &b->model->mapping->schemes[scheme];
        if (use->executes && !add_uops(w, usage, use, change->copied_port)) return false;
    }
    return true;
}

/* Tells whether a need is one of a register, and not of the stack pointer that a push or pop moves. */
static bool is_of_value(const ptl_code_block* b, const ptl_need* n) {
    const ptl_architecture* a = b->items[n->to].architecture;
    bool stack = n->resource == PTL_FILE_GPR * 32u + a->stack_pointer;
    return n->resource < PTL_RESOURCE_FLAGS && !(stack && b->items[n->from].stack_bytes);
}

/* Uops of an item on ports of additions, of which `all` are on every such port. */
static uint32_t count_additions(const ptl_code_block* b, uint32_t i, uint32_t* all) {
    uint32_t scheme = b->items[i].scheme, count = 0;
    *all = 0;
    if (b->uses[i].left_out || !b->uses[i].executes || scheme == PTL_NO_SCHEME) return 0;
    const ptl_usage* usage = &b->model->mapping->schemes[scheme];
    for (uint32_t k = 0; k < usage->uop_count; k++) {
        ptl_ports ports = usage->uops[k].ports;
        uint32_t uops = usage->uops[k].count - (b->uses[i].dropped == (int)k);
        if (!(ports & ~b->model->add_ports)) count += uops;
        if (ports == b->model->add_ports) *all += uops;
    }
    return count;
}

/* Tells whether an addition of the same iteration gives another one its result. */
static bool is_awaited(const ptl_code_block* b, const ptl_need* n) {
    uint32_t from, to;
    bool of_flags = n->resource >= PTL_RESOURCE_FLAGS && n->resource < PTL_RESOURCE_MEMORY;
    bool of_access = ptl_place_is_address(n->in) && b->items[n->to].accesses.memory_count > 0;
    if (n->distance || n->from == n->to || of_access || !(of_flags || is_of_value(b, n))) return false;
    count_additions(b, n->from, &from);
    count_additions(b, n->to, &to);
    return from && to;
}

/* Adds how long the ports of additions are busy where those that wait for each other are bound worse than
 * others. */
static void add_awaited(ptl_block_work* w, ptl_block_bounds* out) {
    const ptl_code_block* b = &w->block;
    const ptl_block_model* m = b->model;
    if (m->awaited.unit == PTL_NO_UNIT || !m->add_ports) return;
    for (uint32_t i = 0; i < b->count; i++) b->uses[i].awaited = false;
    for (size_t k = 0; k < b->need_count; k++)
        if (is_awaited(b, &b->needs[k]))
            b->uses[b->needs[k].from].awaited = b->uses[b->needs[k].to].awaited = true;
    double each = 1.0 / __builtin_popcount(m->add_ports);
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t all, count = count_additions(b, i, &all), slow = b->uses[i].awaited ? all : 0;
        add_unit(w, m->awaited.unit, slow * m->awaited.unit_cycles + (count - slow) * each, out);
    }
}

static bool reads_memory(const ptl_item* item) {
    for (unsigned k = 0; k < item->accesses.memory_count; k++)
        if (item->accesses.memory[k].reads) return true;
    return false;
}

/* Tells whether an item is known to wait for nothing, whatever it reads. */
static bool is_idiom(const ptl_code_block* b, uint32_t i) {
    const ptl_item* item = &b->items[i];
    return item->one_source && item->scheme != PTL_NO_SCHEME && b->model->facts[item->scheme].idiom;
}

/* Notes which items wait for a load, their own or another one. */
static void follow_loads(ptl_code_block* b) {
    bool more = true;
    for (uint32_t i = 0; i < b->count; i++)
        b->uses[i].of_load = !b->uses[i].left_out && reads_memory(&b->items[i]);
    while (more) {
        more = false;
        for (size_t k = 0; k < b->need_count; k++) {
            const ptl_need* n = &b->needs[k];
            if (!b->uses[n->from].of_load || b->uses[n->to].of_load || !is_of_value(b, n)) continue;
            if (is_idiom(b, n->to)) continue;
            b->uses[n->to].of_load = more = true;
        }
    }
}

/* Counts the items that access memory by an address that waits for a load. */
static size_t count_chained(ptl_code_block* b) {
    size_t count = 0;
    uint32_t last = PTL_NO_ITEM;
    follow_loads(b);
    for (size_t k = 0; k < b->need_count; k++) { /* those of an item stand in a row */
        const ptl_need* n = &b->needs[k];
        bool of_address = ptl_place_is_address(n->in) && b->items[n->to].accesses.memory_count > 0;
        if (!of_address || n->to == last || !b->uses[n->from].of_load || !is_of_value(b, n)) continue;
        last = n->to;
        count++;
    }
    return count;
}

/* Lines that loads cross which run on these ports. */
static double count_crossings(const ptl_block_work* w, ptl_ports ports, int copied_port) {
    const ptl_block_model* m = w->block.model;
    double sum = 0;
    for (uint32_t i = 0; i < w->block.count; i++) {
        if (!(w->block.uses[i].crossings > 0) || w->block.items[i].scheme == PTL_NO_SCHEME) continue;
        const ptl_usage* usage = &m->mapping->schemes[w->block.items[i].scheme];
        bool here = false;
        for (uint32_t k = 0; k < usage->uop_count; k++)
            here = here || !(with_copy(m->mapping, usage->uops[k].ports, copied_port) & ~ports);
        if (here) sum += w->block.uses[i].crossings;
    }
    return sum;
}

/* Cycles that these ports of loads take, with so many loads more for each line that one crosses. */
static double port_cycles(const ptl_block_work* w, ptl_ports ports, int copied_port) {
    double loads = w->block.model->cache.crossing_loads * count_crossings(w, ports, copied_port);
    for (size_t k = 0; k < w->mass_count; k++)
        if (!(w->masses[k].ports & ~ports)) loads += (double)w->masses[k].mass;
    return loads / __builtin_popcount(ports);
}

/* Cycles that load ports take, with what accesses cost there that cross lines, or whose addresses wait for
 * loads; 0: no such cost is known. */
static double load_cycles(ptl_block_work* w, int copied_port) {
    const ptl_block_model* m = w->block.model;
    ptl_ports ports = with_copy(m->mapping, m->load_ports, copied_port);
    double chained = w->block.renaming->chained, most = 0;
    if (!ports) return 0;
    if (chained > 0) most = port_cycles(w, ports, copied_port) + chained * (double)count_chained(&w->block);
    for (size_t k = 0; k < w->mass_count; k++) {
        ptl_ports own = w->masses[k].ports;
        if (!(own & ~ports) && count_crossings(w, own, copied_port) > 0)
            most = fmax(most, port_cycles(w, own, copied_port));
    }
    return most;
}

/* Cycles of a line of code with so many slots, by what was measured of some numbers of them; 0 where it has
 * fewer than any of these. */
static double line_cycles(const ptl_block_model* m, double slots) {
    uint32_t n = m->line_count, k = 0;
    while (k < n && m->lines[k].slots < slots) k++;
    if (!k) return 0;
    if (k == n) return m->lines[n - 1].cycles * slots / m->lines[n - 1].slots;
    const ptl_line_cost *low = &m->lines[k - 1], *high = &m->lines[k];
    return low->cycles + (slots - low->slots) / (high->slots - low->slots) * (high->cycles - low->cycles);
}

/* Returns the cycles that the code of a straight block costs by how many slots there are in its lines. */
static double code_cycles(const ptl_code_block* b, uint64_t slots) {
    double lines = 0;
    for (uint32_t i = 0; i < b->count; i++) lines += b->uses[i].left_out ? 0 : b->items[i].size;
    lines /= PTL_LINE;
    return lines > 0 ? lines * line_cycles(b->model, (double)slots / lines) : 0;
}

static void take_largest(ptl_block_bounds* out) {
    out->limit = PTL_BOUND_PORTS;
    for (ptl_bound k = 0; k < PTL_BOUNDS; k++) {
        if (!(out->of[k] > out->cycles)) continue;
        out->cycles = out->of[k];
        out->limit = k;
    }
}

ptl_status ptl_block_bounds_of(ptl_block_work* w, const ptl_block_change* change, ptl_block_bounds* out,
                               ptl_error* error) {
    const ptl_block_model* m = w->block.model;
    *out = (ptl_block_bounds){.unit = PTL_NO_UNIT};
    ptl_status s = ptl_code_block_link(&w->block, change->premises, change->without, error);
    if (!s) s = ptl_critical_of(&w->critical, &w->block, error);
    if (s) return s;
    if (!add_items(w, change, out)) return ptl_no_memory(error, "for a block");
    add_awaited(w, out);
    s = ptl_demand_masses(&w->demand, w->masses, w->mass_count, error);
    if (!s) s = ptl_bottleneck_of(&w->demand, &out->bottleneck, error);
    out->uops = w->demand.mass;
    out->of[PTL_BOUND_DEPENDENCIES] = w->critical.cycles;
    out->of[PTL_BOUND_PORTS] = ptl_bottleneck_cycles(&out->bottleneck);
    out->of[PTL_BOUND_MEMORY] = fmax(w->block.memory_cycles, load_cycles(w, change->copied_port));
    double width = m->mapping->rmax > 0 ? m->mapping->rmax + change->more_slots : 0;
    if (width > 0) out->of[PTL_BOUND_FRONT_END] = (double)out->slots / width;
    bool loop = w->block.is_loop && change->without != w->block.count - 1;
    bool straight = change->premises.start == PTL_START_ALIKE && width > 0 && !loop;
    if (straight) out->of[PTL_BOUND_CODE] = code_cycles(&w->block, out->slots);
    out->of[PTL_BOUND_BRANCH] = loop ? m->taken_branch : 0;
    take_largest(out);
    return s;
}

void ptl_block_work_free(ptl_block_work* w) {
    ptl_code_block_free(&w->block);
    ptl_critical_free(&w->critical);
    ptl_demand_free(&w->demand);
    free(w->masses);
    free(w->busy);
    *w = PTL_BLOCK_WORK_EMPTY;
}
