#include "base/rng.h"

#include <math.h>

static uint64_t splitmix64(uint64_t* x) {
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rotl(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

ptl_rng ptl_rng_seed(uint64_t seed) {
    ptl_rng r = {.seed = seed};
    uint64_t x = seed;
    for (int i = 0; i < 4; i++) r.s[i] = splitmix64(&x);
    return r;
}

ptl_rng ptl_rng_split(const ptl_rng* parent, uint64_t label) {
    uint64_t x = parent->seed;
    uint64_t mixed = splitmix64(&x);
    x = mixed ^ rotl(label, 32);
    return ptl_rng_seed(splitmix64(&x) ^ label);
}

uint64_t ptl_rng_u64(ptl_rng* r) {
    uint64_t* s = r->s;
    uint64_t result = rotl(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint64_t ptl_rng_below(ptl_rng* r, uint64_t n) {
    uint64_t reject_below = -n % n; /* 2^64 mod n */
    for (;;) {
        uint64_t x = ptl_rng_u64(r);
        if (x >= reject_below) return x % n;
    }
}

double ptl_rng_unit(ptl_rng* r) {
    return (double)(ptl_rng_u64(r) >> 11) * 0x1p-53;
}

double ptl_rng_normal(ptl_rng* r) {
    double u = 1.0 - ptl_rng_unit(r); /* in (0, 1] */
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * ptl_rng_unit(r));
}

void ptl_rng_shuffle(ptl_rng* r, size_t* indices, size_t n) {
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)ptl_rng_below(r, i), t = indices[i - 1];
        indices[i - 1] = indices[j];
        indices[j] = t;
    }
}
