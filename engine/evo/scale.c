#include "evo/scale.h"

void ptl_evo_scale_fit(ptl_evo_scale* s, const double* error, const uint64_t* volume, size_t n) {
    double low = error[0], high = error[0];
    uint64_t small = volume[0], large = volume[0];
    for (size_t k = 1; k < n; k++) {
        if (error[k] < low) low = error[k];
        if (error[k] > high) high = error[k];
        if (volume[k] < small) small = volume[k];
        if (volume[k] > large) large = volume[k];
    }
    s->least_error = low;
    s->least_volume = (double)small;
    if (high > low) s->error = PTL_EVO_SCALE_MAX / (high - low);
    if (large > small) s->volume = PTL_EVO_SCALE_MAX / (double)(large - small);
}
