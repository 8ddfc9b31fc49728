#include "model/port_unions.h"

#define SLOTS (2 * PTL_PORT_UNIONS_MAX)

typedef struct family {
    ptl_port_unions* out;
    uint32_t* table; /* open addressing: index + 1 into out->sets */
} family;

static size_t place(const family* f, ptl_ports set) {
    size_t i = (size_t)((set * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (SLOTS - 1);
    while (f->table[i] && f->out->sets[f->table[i] - 1] != set) i = (i + 1) & (SLOTS - 1);
    return i;
}

static bool has(const family* f, ptl_ports set) {
    return f->table[place(f, set)] != 0;
}

static void enter(family* f, ptl_ports set) {
    size_t i = place(f, set);
    if (f->table[i]) return;
    if (f->out->count == PTL_PORT_UNIONS_MAX) {
        f->out->cut = true;
        return;
    }
    f->out->sets[f->out->count++] = set;
    f->table[i] = (uint32_t)f->out->count;
}

/* A family that is closed under union stays so when a set and its unions with all members are added. */
static void add(family* f, ptl_ports set) {
    if (has(f, set)) return;
    size_t before = f->out->count;
    enter(f, set);
    for (size_t i = 0; i < before; i++) enter(f, f->out->sets[i] | set);
}

ptl_status ptl_port_unions_of(const ptl_usage* const* usages, size_t count, ptl_arena* arena,
                              ptl_port_unions* out, ptl_error* error) {
    *out = (ptl_port_unions){.sets = ptl_arena_array(arena, PTL_PORT_UNIONS_MAX, sizeof *out->sets)};
    family f = {out, ptl_arena_array(arena, SLOTS, sizeof *f.table)};
    if (!out->sets || !f.table) return ptl_no_memory(error, "for sets of ports");
    for (size_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < usages[i]->uop_count; j++) add(&f, usages[i]->uops[j].ports);
    return PTL_OK;
}
