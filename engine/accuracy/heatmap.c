#include "accuracy/heatmap.h"

#include <string.h>

/* The bin of a value from 0 to end. */
static size_t bin_of(double value, double end, unsigned bins) {
    size_t bin = (size_t)(value / end * bins);
    return bin < bins ? bin : bins - 1;
}

void ptl_heatmap_fill(ptl_heatmap* map, const double* measured, const double* modelled, size_t n) {
    memset(map->counts, 0, (size_t)map->columns * map->rows * sizeof *map->counts);
    map->outside = 0;
    for (size_t i = 0; i < n; i++) {
        double x = measured[i], y = modelled[i];
        if (!(x >= 0 && x <= map->end && y >= 0 && y <= map->end)) { /* written so that NaN fails it */
            map->outside++;
            continue;
        }
        map->counts[bin_of(y, map->end, map->rows) * map->columns + bin_of(x, map->end, map->columns)]++;
    }
}
