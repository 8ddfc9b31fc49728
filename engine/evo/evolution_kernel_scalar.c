/* The kernel for any processor; the compiler makes vectors of it where it can. */
#include "evo/evolution_kernel.h"

typedef struct vec {
    float lane[PTL_EVO_LANES];
} vec;

#define LANES(expression)                                                                                    \
    vec out;                                                                                                 \
    for (int k = 0; k < PTL_EVO_LANES; k++) out.lane[k] = (expression);                                      \
    return out

static inline vec vec_load(const float* p) {
    LANES(p[k]);
}

static inline void vec_store(float* p, vec v) {
    for (int k = 0; k < PTL_EVO_LANES; k++) p[k] = v.lane[k];
}

static inline vec vec_all(float x) {
    LANES(x);
}

static inline vec vec_plus(vec a, vec b) {
    LANES(a.lane[k] + b.lane[k]);
}

static inline vec vec_minus(vec a, vec b) {
    LANES(a.lane[k] - b.lane[k]);
}

static inline vec vec_times(vec a, vec b) {
    LANES(a.lane[k] * b.lane[k]);
}

static inline vec vec_larger(vec a, vec b) {
    LANES(a.lane[k] > b.lane[k] ? a.lane[k] : b.lane[k]);
}

static inline float vec_largest(vec v) {
    float most = v.lane[0];
    for (int k = 1; k < PTL_EVO_LANES; k++) most = v.lane[k] > most ? v.lane[k] : most;
    return most;
}

static inline unsigned vec_above(vec v, float x) {
    unsigned mask = 0;
    for (int k = 0; k < PTL_EVO_LANES; k++) mask |= (unsigned)(v.lane[k] > x) << k;
    return mask;
}

#define ABOVE(bit)                                                                                           \
    static inline vec vec_above##bit(vec v) {                                                                \
        LANES(v.lane[k | (bit)]);                                                                            \
    }                                                                                                        \
    static inline vec vec_below##bit(vec v) {                                                                \
        LANES(k&(bit) ? v.lane[k - (bit)] : 0);                                                              \
    }

ABOVE(1)
ABOVE(2)
ABOVE(4)
ABOVE(8)

#include "evo/loops.h"

const ptl_evo_kernel ptl_evo_kernel_scalar = {"scalar", fill_row, fill_tops, cycles_of, try_uop};
