#include "predict/steady.h"

#include <math.h>
#include <stdlib.h>

#include "base/room.h"

enum {
    PERIOD_MAX = 64, /* iterations: patterns of ports and slots are shorter */
    TIMES = 3,       /* so often a pattern must be seen */
    LEAST = 24       /* iterations in all: a short pattern may be there by chance for some time */
};

bool ptl_steady_add(ptl_steady* s, double cycle) {
    if (!ptl_room(&s->done, &s->capacity, s->count + 1, sizeof *s->done)) return false;
    double last = s->count ? s->done[s->count - 1] : 0;
    s->done[s->count++] = fmax(cycle, last);
    return true;
}

/* Tells whether the last n iterations each end a fixed time after the one `period` before. */
static bool repeats(const ptl_steady* s, size_t period, size_t n, double warm, double* time) {
    size_t end = s->count;
    if (end < n + period + 1 || s->done[end - n - period - 1] < warm) return false;
    *time = s->done[end - 1] - s->done[end - 1 - period];
    for (size_t i = 0; i < n; i++)
        if (fabs(s->done[end - 1 - i] - s->done[end - 1 - i - period] - *time) > 1e-6) return false;
    return true;
}

bool ptl_steady_found(const ptl_steady* s, double warm, double* cycles) {
    for (size_t period = 1; period <= PERIOD_MAX; period++) {
        size_t n = period * TIMES > LEAST ? period * TIMES : LEAST;
        double time;
        if (!repeats(s, period, n, warm, &time)) continue;
        *cycles = time / (double)period;
        return true;
    }
    return false;
}

double ptl_steady_mean(const ptl_steady* s) {
    if (s->count < 2) return s->count ? s->done[0] : 0;
    size_t half = s->count / 2;
    return (s->done[s->count - 1] - s->done[half - 1]) / (double)(s->count - half);
}

void ptl_steady_free(ptl_steady* s) {
    free(s->done);
    *s = (ptl_steady){0};
}
