#include "evo/usage.h"

#include <string.h>

bool ptl_evo_usage_add(ptl_evo_usage* u, uint32_t ports, uint32_t count) {
    uint32_t k = 0;
    while (k < u->size && u->uops[k].ports < ports) k++;
    if (k < u->size && u->uops[k].ports == ports) {
        if (u->uops[k].count + count > PTL_EVO_COUNT_MAX) return false;
        u->uops[k].count = (uint16_t)(u->uops[k].count + count);
        return true;
    }
    if (u->size == PTL_EVO_UOPS_MAX || count > PTL_EVO_COUNT_MAX) return false;
    memmove(&u->uops[k + 1], &u->uops[k], (u->size - k) * sizeof u->uops[0]);
    u->uops[k] = (ptl_evo_uop){(uint16_t)ports, (uint16_t)count};
    u->size++;
    return true;
}

void ptl_evo_usage_take(ptl_evo_usage* u, uint32_t k, uint32_t count) {
    if (count < u->uops[k].count) {
        u->uops[k].count = (uint16_t)(u->uops[k].count - count);
        return;
    }
    u->size--;
    memmove(&u->uops[k], &u->uops[k + 1], (u->size - k) * sizeof u->uops[0]);
}

uint64_t ptl_evo_usage_volume(const ptl_evo_usage* u) {
    uint64_t v = 0;
    for (uint32_t k = 0; k < u->size; k++)
        v += (uint64_t)u->uops[k].count * (unsigned)__builtin_popcount(u->uops[k].ports);
    return v;
}

uint64_t ptl_evo_volume(const ptl_evo_usage* usages, size_t schemes) {
    uint64_t v = 0;
    for (size_t i = 0; i < schemes; i++) v += ptl_evo_usage_volume(&usages[i]);
    return v;
}

bool ptl_evo_usage_equal(const ptl_evo_usage* a, const ptl_evo_usage* b) {
    return a->size == b->size && !memcmp(a->uops, b->uops, a->size * sizeof a->uops[0]);
}

int ptl_evo_compare(const ptl_evo_usage* a, const ptl_evo_usage* b, size_t schemes) {
    for (size_t i = 0; i < schemes; i++) {
        if (a[i].size != b[i].size) return a[i].size < b[i].size ? -1 : 1;
        int order = memcmp(a[i].uops, b[i].uops, a[i].size * sizeof a[i].uops[0]);
        if (order) return order;
    }
    return 0;
}

bool ptl_evo_usage_legal(const ptl_evo_usage* u, const ptl_evo_problem* p) {
    if (!u->size || u->size > PTL_EVO_UOPS_MAX) return false;
    uint32_t last = 0;
    for (uint32_t k = 0; k < u->size; k++) {
        if (u->uops[k].ports <= last || u->uops[k].ports >> p->ports || !u->uops[k].count) return false;
        last = u->uops[k].ports;
    }
    return true;
}

void ptl_evo_usage_random(const ptl_evo_problem* p, size_t scheme, ptl_rng* r, ptl_evo_usage* out) {
    uint32_t all = (1U << p->ports) - 1;
    uint32_t wanted = 1 + (uint32_t)ptl_rng_below(r, p->ports);
    out->size = 0;
    while (out->size < wanted && out->size < all) {
        uint32_t ports = 1 + (uint32_t)ptl_rng_below(r, all), k = 0;
        while (k < out->size && out->uops[k].ports != ports) k++;
        if (k < out->size) continue; /* different uops */
        uint32_t most = ptl_evo_most(p, scheme, (unsigned)__builtin_popcount(ports));
        ptl_evo_usage_add(out, ports, 1 + (uint32_t)ptl_rng_below(r, most));
    }
}

/* Entries first ... end of the shuffled list; of a sum too large for 16 bits only the first part is kept. */
static void collect(const ptl_evo_uop* list, size_t first, size_t end, ptl_evo_usage* out) {
    out->size = 0;
    for (size_t k = first; k < end; k++) ptl_evo_usage_add(out, list[k].ports, list[k].count);
}

void ptl_evo_recombine(const ptl_evo_usage* a, const ptl_evo_usage* b, ptl_rng* r, ptl_evo_usage* x,
                       ptl_evo_usage* y) {
    ptl_evo_uop list[2 * PTL_EVO_UOPS_MAX];
    size_t n = a->size + b->size;
    memcpy(list, a->uops, a->size * sizeof *list);
    memcpy(list + a->size, b->uops, b->size * sizeof *list);
    for (size_t k = n - 1; k > 0; k--) { /* Fisher-Yates */
        size_t other = ptl_rng_below(r, k + 1);
        ptl_evo_uop swap = list[k];
        list[k] = list[other];
        list[other] = swap;
    }
    size_t least = n > PTL_EVO_UOPS_MAX ? n - PTL_EVO_UOPS_MAX : 1;
    size_t most = n - 1 < PTL_EVO_UOPS_MAX ? n - 1 : PTL_EVO_UOPS_MAX;
    size_t cut = least + ptl_rng_below(r, most - least + 1);
    collect(list, 0, cut, x);
    collect(list, cut, n, y);
}
