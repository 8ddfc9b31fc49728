/* For any processor; also the twin that the vector kernels are tested against. */
#include "model/load_tree.h"

typedef struct vec {
    float lane[PTL_LANES];
} vec;

static inline vec vec_load(const float* p) {
    vec v;
    for (unsigned k = 0; k < PTL_LANES; k++) v.lane[k] = p[k];
    return v;
}

static inline void vec_store(float* p, vec v) {
    for (unsigned k = 0; k < PTL_LANES; k++) p[k] = v.lane[k];
}

static inline vec vec_scaled(float c, const float* p) {
    vec v;
    for (unsigned k = 0; k < PTL_LANES; k++) v.lane[k] = c * p[k];
    return v;
}

static inline vec vec_added(vec v, float c, const float* p) {
    for (unsigned k = 0; k < PTL_LANES; k++) v.lane[k] += c * p[k];
    return v;
}

static inline vec vec_plus(vec a, vec b) {
    for (unsigned k = 0; k < PTL_LANES; k++) a.lane[k] += b.lane[k];
    return a;
}

static inline vec vec_times(vec a, vec b) {
    for (unsigned k = 0; k < PTL_LANES; k++) a.lane[k] *= b.lane[k];
    return a;
}

static inline vec vec_where_inside(vec v, const ptl_ports* sets, ptl_ports ports, float count) {
    for (unsigned k = 0; k < PTL_LANES; k++) v.lane[k] += ports & ~sets[k] ? 0 : count;
    return v;
}

static inline vec vec_larger(vec a, vec b) {
    for (unsigned k = 0; k < PTL_LANES; k++) a.lane[k] = b.lane[k] > a.lane[k] ? b.lane[k] : a.lane[k];
    return a;
}

static inline unsigned vec_at_least(vec v, float x) {
    unsigned mask = 0;
    for (unsigned k = 0; k < PTL_LANES; k++) mask |= (unsigned)(v.lane[k] >= x) << k;
    return mask;
}

static inline unsigned vec_above(vec v, float x) {
    unsigned mask = 0;
    for (unsigned k = 0; k < PTL_LANES; k++) mask |= (unsigned)(v.lane[k] > x) << k;
    return mask;
}

static inline float vec_largest(vec v) {
    for (unsigned half = PTL_LANES / 2; half; half /= 2)
        for (unsigned k = 0; k < half; k++)
            v.lane[k] = v.lane[k + half] > v.lane[k] ? v.lane[k + half] : v.lane[k];
    return v.lane[0];
}

static inline void vec_largest_each(const float* p, float* out) {
    for (unsigned e = 0; e < PTL_LANES; e++) out[e] = vec_largest(vec_load(p + e * PTL_LANES));
}

#include "model/subset_sums.h"
#include "model/tree_search.h"

const ptl_kernel_table ptl_kernel_scalar = {"scalar", fill, search, widest_ratio};
