#include "model/port_sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "model/port_bits.h"
#include "model/port_unions.h"

/* Room for 2^p sets, and for a word for each. */
static ptl_status reserve(ptl_port_sets* s, unsigned p, ptl_error* error) {
    if (p > PTL_PORT_SETS_PORTS_MAX)
        return ptl_fail(error, PTL_LIMIT, NULL, "ask for one experiment at a time",
                        "%u ports in use, but port sets are listed for at most %d", p,
                        PTL_PORT_SETS_PORTS_MAX);
    size_t sets = (size_t)1 << p;
    if (s->capacity >= sets) return PTL_OK;
    if (!ptl_resize(&s->sets, sets, sizeof *s->sets) || !ptl_resize(&s->scratch, sets, sizeof *s->scratch))
        return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for 2^%u port sets", p);
    s->capacity = sets;
    return PTL_OK;
}

/* The sets q of p ports with keep[q] = q, in their order; their bits are spread over the ports of `used`. */
static void list_sets(ptl_port_sets* s, unsigned p, ptl_ports used) {
    size_t first[PTL_PORT_SETS_PORTS_MAX + 2] = {0}, sets = (size_t)1 << p;
    for (size_t q = 1; q < sets; q++)
        if (s->scratch[q] == q) first[p - ptl_ports_count((ptl_ports)q) + 1]++;
    for (unsigned w = 0; w < p; w++) first[w + 1] += first[w];
    for (size_t q = 1; q < sets; q++)
        if (s->scratch[q] == q)
            s->sets[first[p - ptl_ports_count((ptl_ports)q)]++] = ptl_ports_scatter((uint32_t)q, used);
    s->count = p ? first[p - 1] : 0;
}

static int widest_first(const void* a, const void* b) {
    ptl_ports x = *(const ptl_ports*)a, y = *(const ptl_ports*)b;
    int wider = (int)ptl_ports_count(y) - (int)ptl_ports_count(x);
    return wider ? wider : (x > y) - (x < y);
}

/* Too many ports to look at every set of them: the unions themselves, if these are few. */
static ptl_status by_growth(ptl_port_sets* s, const ptl_mapping* m, ptl_arena* arena, ptl_error* error) {
    ptl_port_unions unions;
    const ptl_usage** usages = ptl_arena_array(arena, m->scheme_count, sizeof *usages);
    if (!usages) return ptl_no_memory(error, "for the sets of ports");
    for (size_t i = 0; i < m->scheme_count; i++) usages[i] = &m->schemes[i];
    ptl_status status = ptl_port_unions_of(usages, m->scheme_count, arena, &unions, error);
    if (status) return status;
    if (unions.cut)
        return ptl_fail(error, PTL_LIMIT, NULL, "ask for one experiment at a time",
                        "more than %u unions of port sets", PTL_PORT_UNIONS_MAX);
    qsort(unions.sets, unions.count, sizeof *unions.sets, widest_first);
    status = reserve(s, PTL_PORT_SETS_PORTS_MAX, error);
    if (status) return status;
    memcpy(s->sets, unions.sets, unions.count * sizeof *s->sets);
    s->count = unions.count;
    return PTL_OK;
}

ptl_status ptl_port_sets_unions(ptl_port_sets* s, const ptl_mapping* m, ptl_error* error) {
    ptl_ports used = ptl_mapping_used_ports(m);
    unsigned p = ptl_ports_count(used);
    if (p > PTL_PORT_SETS_PORTS_MAX) {
        ptl_arena arena = PTL_ARENA_EMPTY;
        ptl_status grown = by_growth(s, m, &arena, error);
        ptl_arena_release(&arena);
        return grown;
    }
    ptl_status status = reserve(s, p, error);
    if (status) return status;
    size_t sets = (size_t)1 << p;
    uint32_t* cover = s->scratch; /* of the uops inside q: their union; q is one iff that is q itself */
    memset(cover, 0, sets * sizeof *cover);
    for (size_t i = 0; i < m->scheme_count; i++)
        for (uint32_t u = 0; u < m->schemes[i].uop_count; u++) {
            uint32_t bits = ptl_ports_gather(m->schemes[i].uops[u].ports, used);
            cover[bits] = bits;
        }
    for (size_t half = 1; half < sets; half *= 2)
        for (size_t low = 0; low < sets; low += 2 * half)
            for (size_t q = low; q < low + half; q++) cover[q + half] |= cover[q];
    list_sets(s, p, used);
    return PTL_OK;
}

void ptl_port_sets_free(ptl_port_sets* s) {
    free(s->sets);
    free(s->scratch);
    *s = PTL_PORT_SETS_EMPTY;
}
