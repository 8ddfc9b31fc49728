#include "candidates/ground.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"

static unsigned count(uint32_t ports) {
    return (unsigned)__builtin_popcount(ports);
}

/* Can sets of schemes with at least this union be told apart by it? If not, no larger one can. */
static bool telling(const ptl_ground* g, uint32_t ports) {
    return ports == 0 || ptl_distinct(count(ports), (unsigned)g->ports, g->epsilon, g->rmax);
}

static bool append(ptl_ground* g, ptl_joined joined) {
    if (!ptl_room(&g->joined, &g->union_capacity, g->unions + 1, sizeof *g->joined)) return false;
    g->joined[g->unions++] = joined;
    return true;
}

/* Breadth first: the fewest schemes come first. */
static bool join_all(ptl_ground* g) {
    uint8_t* seen = calloc((size_t)1 << g->ports, 1);
    g->unions = 0;
    bool ok = seen && append(g, (ptl_joined){0});
    for (size_t i = 0; ok && i < g->unions; i++) {
        if (g->joined[i].size + 1 >= PTL_TERMS_MAX) break;
        for (size_t s = 0; ok && s < g->count; s++) {
            uint32_t ports = g->joined[i].ports | g->masks[s];
            if (ports == g->joined[i].ports || seen[ports] || !telling(g, ports)) continue;
            seen[ports] = 1;
            ok = append(g, (ptl_joined){ports, (uint32_t)i, (uint16_t)s, (uint16_t)(g->joined[i].size + 1)});
        }
    }
    free(seen);
    return ok;
}

static void split(ptl_ground* g, uint32_t ports) {
    size_t classes = g->classes;
    for (size_t j = 0; j < classes; j++) {
        uint32_t inside = g->class_ports[j] & ports;
        if (!inside || inside == g->class_ports[j]) continue;
        g->class_ports[g->classes++] = g->class_ports[j] & ~ports;
        g->class_ports[j] = inside;
    }
}

ptl_status ptl_ground_init(ptl_ground* g, size_t ports, double epsilon, double rmax, ptl_error* error) {
    *g = (ptl_ground){.ports = ports, .epsilon = epsilon, .rmax = rmax, .classes = 1};
    if (ports < 1 || ports > PTL_GROUND_PORTS_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, "known schemes", NULL,
                        "%zu ports, but schemes are placed on 1 to %d", ports, PTL_GROUND_PORTS_MAX);
    g->class_ports[0] = ((uint32_t)1 << ports) - 1;
    return join_all(g) ? PTL_OK : ptl_no_memory_in(error, "known schemes");
}

void ptl_ground_free(ptl_ground* g) {
    free(g->masks);
    free(g->slots);
    free(g->joined);
    *g = (ptl_ground){0};
}

ptl_status ptl_ground_add(ptl_ground* g, uint32_t ports, unsigned slots, ptl_error* error) {
    if (ports == 0 || ports >> g->ports)
        return ptl_fail(error, PTL_BAD_INPUT, "known schemes", NULL,
                        "a known scheme runs on no port, or on one that does not exist");
    if (g->count == PTL_GROUND_SCHEMES_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, "known schemes", NULL, "more than %d known schemes",
                        PTL_GROUND_SCHEMES_MAX);
    if (!ptl_resize(&g->masks, g->count + 1, sizeof *g->masks) ||
        !ptl_resize(&g->slots, g->count + 1, sizeof *g->slots))
        return ptl_no_memory_in(error, "known schemes");
    g->masks[g->count] = ports;
    g->slots[g->count++] = slots;
    split(g, ports);
    return join_all(g) ? PTL_OK : ptl_no_memory_in(error, "known schemes");
}

bool ptl_ground_splits(const ptl_ground* g, uint32_t ports) {
    for (size_t j = 0; j < g->classes; j++) {
        uint32_t inside = g->class_ports[j] & ports;
        if (inside && inside != g->class_ports[j]) return true;
    }
    return false;
}

bool ptl_ground_has(const ptl_ground* g, uint32_t ports) {
    if (!telling(g, ports)) return !ptl_ground_splits(g, ports);
    for (size_t i = 0; i < g->unions; i++)
        if (g->joined[i].ports == ports) return true;
    return false;
}

size_t ptl_ground_schemes(const ptl_ground* g, size_t number, uint16_t schemes[PTL_TERMS_MAX]) {
    size_t n = g->joined[number].size;
    for (size_t k = n; k-- > 0; number = g->joined[number].before) schemes[k] = g->joined[number].last;
    return n;
}
