/* Seeded random numbers that can be split: xoshiro256** (Blackman, Vigna 2018), seeded by splitmix64.
 *
 * A split stream depends on the parent's seed and the label only, not on how much was drawn from the
 * parent: work that is handed out to threads gets the same numbers for any number of threads. */
#ifndef PTL_BASE_RNG_H
#define PTL_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct ptl_rng {
    uint64_t s[4];
    uint64_t seed;
} ptl_rng;

ptl_rng ptl_rng_seed(uint64_t seed);
ptl_rng ptl_rng_split(const ptl_rng* parent, uint64_t label);

uint64_t ptl_rng_u64(ptl_rng* r);
/* Uniform in [0, n), without bias. n > 0. */
uint64_t ptl_rng_below(ptl_rng* r, uint64_t n);
/* Uniform in [0, 1) with 53 random bits. */
double ptl_rng_unit(ptl_rng* r);
/* Standard normal (Box-Muller). */
double ptl_rng_normal(ptl_rng* r);
/* Fisher-Yates: permutes the n indices. */
void ptl_rng_shuffle(ptl_rng* r, size_t* indices, size_t n);

#endif
