#include "evo/polish.h"

/* F, as far as one scheme has a part in it. */
static double part(const ptl_evo_state* s, const ptl_evo_scale* scale, size_t scheme) {
    return scale->error * ptl_evo_state_local(s, scheme) +
           scale->volume * (double)ptl_evo_usage_volume(&s->usages[scheme]);
}

/* Tries a usage of the scheme; it stays if it is fit enough. */
static bool take(ptl_evo_state* s, const ptl_evo_scale* scale, size_t scheme, const ptl_evo_usage* trial,
                 bool strictly, double* now) {
    ptl_evo_usage before = s->usages[scheme];
    ptl_evo_state_set(s, scheme, trial);
    double then = part(s, scale, scheme);
    if (strictly ? then < *now : then <= *now) {
        *now = then;
        return true;
    }
    ptl_evo_state_set(s, scheme, &before);
    return false;
}

static bool fewer(ptl_evo_state* s, const ptl_evo_scale* scale, size_t scheme, uint32_t ports, double* now) {
    bool any = false;
    for (;;) {
        ptl_evo_usage trial = s->usages[scheme];
        uint32_t k = 0;
        while (k < trial.size && trial.uops[k].ports != ports) k++;
        if (k == trial.size || (trial.size == 1 && trial.uops[k].count == 1)) return any;
        ptl_evo_usage_take(&trial, k, 1);
        if (!take(s, scale, scheme, &trial, false, now)) return any;
        any = true;
    }
}

static void more(ptl_evo_state* s, const ptl_evo_scale* scale, size_t scheme, uint32_t ports, double* now) {
    for (;;) {
        ptl_evo_usage trial = s->usages[scheme];
        if (!ptl_evo_usage_add(&trial, ports, 1) || !take(s, scale, scheme, &trial, true, now)) return;
    }
}

void ptl_evo_polish(ptl_evo_state* s, const ptl_evo_scale* scale) {
    for (size_t i = 0; i < s->p->schemes; i++) {
        ptl_evo_usage entries = s->usages[i];
        double now = part(s, scale, i);
        for (uint32_t k = 0; k < entries.size; k++)
            if (!fewer(s, scale, i, entries.uops[k].ports, &now))
                more(s, scale, i, entries.uops[k].ports, &now);
    }
}
