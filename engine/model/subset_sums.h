/* The bottleneck by a subset-sum (zeta) transform over the ports, for the vectors of kernel_*.c. A vector
 * holds the 16 sets that differ in the first four ports. */
#include <string.h>

#include "model/kernel.h"

#define ROW(entry, n)                                                                                        \
    {                                                                                                        \
        entry(n, 0), entry(n, 1), entry(n, 2), entry(n, 3), entry(n, 4), entry(n, 5), entry(n, 6),           \
            entry(n, 7), entry(n, 8), entry(n, 9), entry(n, 10), entry(n, 11), entry(n, 12), entry(n, 13),   \
            entry(n, 14), entry(n, 15)                                                                       \
    }

/* 1 for the sets k of four ports that contain low. */
#define CONTAINS(low, k) (((k) & (low)) == (low))
static const _Alignas(64) float supersets[PTL_LANES][PTL_LANES] = {
    ROW(CONTAINS, 0),  ROW(CONTAINS, 1),  ROW(CONTAINS, 2),  ROW(CONTAINS, 3),
    ROW(CONTAINS, 4),  ROW(CONTAINS, 5),  ROW(CONTAINS, 6),  ROW(CONTAINS, 7),
    ROW(CONTAINS, 8),  ROW(CONTAINS, 9),  ROW(CONTAINS, 10), ROW(CONTAINS, 11),
    ROW(CONTAINS, 12), ROW(CONTAINS, 13), ROW(CONTAINS, 14), ROW(CONTAINS, 15),
};

/* 1 / |q| for the sets k of four ports together with n others; 0 for the empty set. */
#define WIDTH(n, k) ((n) + ((k)&1) + ((k) >> 1 & 1) + ((k) >> 2 & 1) + ((k) >> 3))
#define WEIGHT(n, k) (WIDTH(n, k) ? 1.0f / (WIDTH(n, k) + !WIDTH(n, k)) : 0.0f)
static const _Alignas(64) float lane_weights[PTL_PORT_SETS_PORTS_MAX - 3][PTL_LANES] = {
    ROW(WEIGHT, 0),  ROW(WEIGHT, 1),  ROW(WEIGHT, 2),  ROW(WEIGHT, 3),  ROW(WEIGHT, 4),  ROW(WEIGHT, 5),
    ROW(WEIGHT, 6),  ROW(WEIGHT, 7),  ROW(WEIGHT, 8),  ROW(WEIGHT, 9),  ROW(WEIGHT, 10), ROW(WEIGHT, 11),
    ROW(WEIGHT, 12), ROW(WEIGHT, 13), ROW(WEIGHT, 14), ROW(WEIGHT, 15), ROW(WEIGHT, 16),
};

/* Adds a uop to all sets among the 16 that contain the first four bits of its port set. */
PTL_INLINE void scatter(float* sums, ptl_ports ports, float mass) {
    float* block = sums + (ports & ~(ptl_ports)(PTL_LANES - 1));
    vec_store(block, vec_added(vec_load(block), mass, supersets[ports & (PTL_LANES - 1)]));
}

/* Sums over the subsets in all ports but the first four; two ports at a time, to halve the traffic. */
PTL_INLINE void transform(float* sums, size_t sets) {
    size_t half = PTL_LANES;
    for (; 4 * half <= sets; half *= 4)
        for (size_t from = 0; from < sets; from += 4 * half)
            for (size_t q = from; q < from + half; q += PTL_LANES) {
                vec none = vec_load(sums + q);
                vec first = vec_added(none, 1, sums + q + half);
                vec second = vec_load(sums + q + 2 * half);
                vec both = vec_added(vec_added(second, 1, sums + q + 3 * half), 1, sums + q + half);
                vec_store(sums + q + half, first);
                vec_store(sums + q + 2 * half, vec_plus(none, second));
                vec_store(sums + q + 3 * half, vec_plus(none, both));
            }
    for (size_t q = 0; half < sets && q < half; q += PTL_LANES)
        vec_store(sums + q + half, vec_plus(vec_load(sums + q), vec_load(sums + q + half)));
}

#define NEARLY (1 - 1e-6f)

/* Enters the sets q + k for the bits k of lanes: the ratios of those come close to the best. Sums are exact,
 * their quotients rounded, so these are compared exactly. */
static void consider_lanes(const float* sums, size_t q, unsigned lanes, ptl_bottleneck* best) {
    for (; lanes; lanes &= lanes - 1) {
        size_t set = q + (unsigned)__builtin_ctz(lanes);
        if (set) ptl_bottleneck_consider(best, (uint64_t)sums[set], (ptl_ports)set);
    }
}

static void widest_ratio(const ptl_mass* uops, size_t size, unsigned ports, float* sums,
                         ptl_bottleneck* out) {
    size_t sets = (size_t)1 << ports;
    for (size_t i = 0; i < size; i++) scatter(sums, uops[i].ports, (float)uops[i].mass);
    transform(sums, sets);
    float close = 0;
    for (size_t q = sets; q > 0;) { /* from the widest down: they are the likeliest */
        q -= PTL_LANES;
        vec ratios = vec_times(vec_load(sums + q), vec_load(lane_weights[__builtin_popcountll(q)]));
        if (!vec_at_least(ratios, close)) continue;
        float largest = vec_largest(ratios) * NEARLY;
        close = largest > close ? largest : close;
        consider_lanes(sums, q, vec_at_least(ratios, close), out);
    }
}
