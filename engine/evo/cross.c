#include "evo/cross.h"

#include <stdbool.h>
#include <string.h>

/* Adds up how much of a uop is on each port, over the whole mapping, and on pairs of ports of both
 * mappings. */
static void compare(const ptl_evo_usage* a, const ptl_evo_usage* b, unsigned ports, float* agree) {
    for (uint32_t k = 0; k < a->size; k++)
        for (uint32_t l = 0; l < b->size; l++) {
            uint32_t x = a->uops[k].ports, y = b->uops[l].ports;
            float same = 1.0F / (float)(__builtin_popcount(x) * __builtin_popcount(y));
            for (unsigned i = 0; i < ports; i++)
                for (unsigned j = 0; x >> i & 1 && j < ports; j++)
                    if (y >> j & 1) agree[i * PTL_EVO_PORTS_MAX + j] += same;
        }
}

void ptl_evo_align(const ptl_evo_usage* a, const ptl_evo_usage* b, size_t schemes, unsigned ports,
                   uint8_t* to) {
    float agree[PTL_EVO_PORTS_MAX * PTL_EVO_PORTS_MAX] = {0};
    bool taken[PTL_EVO_PORTS_MAX] = {false}, given[PTL_EVO_PORTS_MAX] = {false};
    for (size_t i = 0; i < schemes; i++) compare(&a[i], &b[i], ports, agree);
    for (unsigned step = 0; step < ports; step++) { /* the closest pair first */
        unsigned x = 0, y = 0;
        float most = -1;
        for (unsigned i = 0; i < ports; i++)
            for (unsigned j = 0; j < ports; j++)
                if (!taken[i] && !given[j] && agree[i * PTL_EVO_PORTS_MAX + j] > most) {
                    most = agree[i * PTL_EVO_PORTS_MAX + j];
                    x = i;
                    y = j;
                }
        to[y] = (uint8_t)x;
        taken[x] = given[y] = true;
    }
}

ptl_evo_usage ptl_evo_rename(const ptl_evo_usage* u, const uint8_t* to) {
    ptl_evo_usage out = {0};
    for (uint32_t k = 0; k < u->size; k++) {
        uint32_t ports = 0;
        for (uint32_t rest = u->uops[k].ports; rest; rest &= rest - 1) ports |= 1U << to[__builtin_ctz(rest)];
        ptl_evo_usage_add(&out, ports, u->uops[k].count);
    }
    return out;
}
