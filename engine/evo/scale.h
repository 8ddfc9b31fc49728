/* The fitness of section 5.1.3: F = L1(D_avg) + L2(V), with affine maps that send the extremes of a
 * population to 0 and 1000. Only differences of F matter, so that a map is its slope. */
#ifndef PTL_EVO_SCALE_H
#define PTL_EVO_SCALE_H

#include <stddef.h>
#include <stdint.h>

#define PTL_EVO_SCALE_MAX 1000.0

typedef struct ptl_evo_scale {
    double error, volume;             /* slopes */
    double least_error, least_volume; /* mapped to 0 */
} ptl_evo_scale;

/* Of n mappings. Where all have the same error (or volume), the slope of `s` from before stays: with a slope
 * of 0 local search would take every mapping for as good as any other. */
void ptl_evo_scale_fit(ptl_evo_scale* s, const double* error, const uint64_t* volume, size_t n);

static inline double ptl_evo_fitness(const ptl_evo_scale* s, double error, double volume) {
    return s->error * (error - s->least_error) + s->volume * (volume - s->least_volume);
}

#endif
