#include "candidates/candidate.h"

#include <math.h>

unsigned ptl_union_ports(const uint32_t* mapping, uint64_t set) {
    uint32_t ports = 0;
    for (; set; set &= set - 1) ports |= mapping[__builtin_ctzll(set)];
    return (unsigned)__builtin_popcount(ports);
}

double ptl_candidate_cycles(const uint32_t* mapping, const ptl_terms* e) {
    uint32_t ports[PTL_TERMS_MAX];
    double worst = 0;
    for (size_t k = 0; k < e->count; k++) ports[k] = mapping[e->scheme[k]];
    for (uint32_t set = 1; set < (uint32_t)1 << e->count; set++) {
        uint32_t joined = 0, mass = 0;
        for (uint32_t rest = set; rest; rest &= rest - 1) {
            unsigned k = (unsigned)__builtin_ctz(rest);
            joined |= ports[k];
            mass += e->copies[k];
        }
        double t = (double)mass / __builtin_popcount(joined);
        if (t > worst) worst = t;
    }
    return worst;
}

bool ptl_bounds_admit(const ptl_bounds* b, double t, unsigned* cost) {
    *cost = 0;
    if (t > b->upper + PTL_SLACK) return false;
    for (size_t k = 0; k < b->lowers; k++) {
        if (t >= b->lower[k].bound - PTL_SLACK) continue;
        if (b->lower[k].weight == 0) return false;
        *cost += b->lower[k].weight;
    }
    return true;
}

bool ptl_distinct(unsigned a, unsigned b, double epsilon, double rmax) {
    double floor = rmax > 0 ? 1 / rmax : 0;
    return fabs(fmax(1.0 / a, floor) - fmax(1.0 / b, floor)) > 2 * epsilon + PTL_SLACK;
}

uint64_t ptl_shrink(const uint32_t* one, const uint32_t* other, uint64_t set, double epsilon, double rmax) {
    for (uint64_t rest = set; rest;) {
        uint64_t without = set & ~(rest & -rest);
        rest &= rest - 1;
        if (without &&
            ptl_distinct(ptl_union_ports(one, without), ptl_union_ports(other, without), epsilon, rmax))
            rest = set = without; /* may have made another one removable: start over */
    }
    return set;
}
