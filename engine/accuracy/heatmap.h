/* Heat maps of measured against modelled throughput (Figs. 3.6, 3.7 and 6.3): two-dimensional histograms. */
#ifndef PTL_ACCURACY_HEATMAP_H
#define PTL_ACCURACY_HEATMAP_H

#include <stddef.h>
#include <stdint.h>

/* columns x rows bins over [0, end] on both axes. */
typedef struct ptl_heatmap {
    double end;       /* positive and finite */
    unsigned columns; /* of measured values, at least 1 */
    unsigned rows;    /* of modelled values, at least 1 */
    uint64_t*
        counts; /* columns * rows entries of the caller; counts[row * columns + column], row 0 is least */
    uint64_t outside; /* points that lie on no bin: beyond an axis, negative or no number */
} ptl_heatmap;

/* Sets counts and outside. Bins hold their lower edge, the last one also the end of the axis. */
void ptl_heatmap_fill(ptl_heatmap* map, const double* measured, const double* modelled, size_t n);

#endif
