#include "bench/control.h"

#include <math.h>

enum {
    SUPPORT = 8,           /* readings that agree on a level */
    VISITS_OF_A_ROUND = 8, /* to every control */
    FEW = 40,              /* readings of a control that none of which may be wrong */
    KEPT = 1024            /* readings of a control and length */
};
static const double NEARBY = 100;     /* cycles by which it may be another one; a stall takes longer. With a
                                       * coarse counter, three times what it resolves */
static const double SAME_RATE = 0.01; /* by which it may differ from what was calibrated, a share */

ptl_watch ptl_watch_new(const ptl_calibration* c, int control, ptl_reading* shorts, ptl_reading* longs,
                        size_t capacity) {
    return (ptl_watch){
        .known = &c->control[control],
        .resolution = ptl_resolution(c),
        .list = {{.list = shorts}, {.list = longs}},
        .capacity = capacity,
        .base = c->control[control].edge,
    };
}

static void count(const ptl_watch* w, const ptl_reading* r, size_t* undisturbed, size_t* fast) {
    double expected = w->base + w->known->cycles * r->iterations;
    double off = r->cycles - expected, width = ptl_agreement(expected, w->resolution);
    *undisturbed += fabs(off) <= width;
    *fast += off < -width;
}

void ptl_watch_add(ptl_watch* w, const ptl_visit* v, double cycle, uint32_t number) {
    bool room = w->list[PTL_LONG].n + PTL_VISIT_PASSES <= w->capacity;
    for (int k = PTL_SHORT; room && k <= PTL_LONG; k++)
        ptl_readings_add_visit(&w->list[k], w->capacity, v, k, cycle, number);
    for (int i = 0; !room && i < PTL_VISIT_PASSES; i++) {
        ptl_reading r = ptl_reading_of(v, PTL_LONG, i, cycle, number);
        count(w, &r, &w->further_undisturbed, &w->further_fast);
    }
    w->seen += PTL_VISIT_PASSES;
}

/* The readings' own level, if it is one of the calibrated rate. */
static bool find_base(ptl_watch* w, double* base) {
    ptl_cluster cluster[2];
    for (int k = PTL_SHORT; k <= PTL_LONG; k++) {
        ptl_readings* r = &w->list[k];
        ptl_readings_level(r, w->known->cycles);
        double width = ptl_agreement(w->known->cycles * r->nominal, w->resolution);
        if (!ptl_fastest_cluster(r->list, r->n, width, SUPPORT, &cluster[k])) return false;
    }
    double iterations = (double)w->list[PTL_LONG].nominal - w->list[PTL_SHORT].nominal;
    double rate = (cluster[PTL_LONG].centre - cluster[PTL_SHORT].centre) / iterations;
    double level = cluster[PTL_LONG].centre - w->known->cycles * w->list[PTL_LONG].nominal;
    if (fabs(rate - w->known->cycles) > SAME_RATE * w->known->cycles) return false;
    if (fabs(level - w->known->edge) > fmax(NEARBY, 3 * w->resolution)) return false;
    *base = level;
    return true;
}

void ptl_watch_judge(ptl_watch* w) {
    const ptl_readings* longs = &w->list[PTL_LONG];
    if (w->seen == longs->n) { /* else the level that further ones were held against stays */
        w->base = w->known->edge;
        find_base(w, &w->base);
    }
    w->undisturbed = w->further_undisturbed, w->fast = w->further_fast;
    for (size_t i = 0; i < longs->n; i++) count(w, &longs->list[i], &w->undisturbed, &w->fast);
}

double ptl_watch_spared(const ptl_watch* w) {
    const size_t much = 4;
    return w->seen && much * w->fast <= w->undisturbed ? (double)w->undisturbed / (double)w->seen : 0;
}

static bool is_calibrated(const ptl_panel* p, int control) {
    return p->calibration->control[control].cycles > 0;
}

bool ptl_panel_open(ptl_panel* p, const ptl_calibration* c, const ptl_segments* g, uint32_t* iterations,
                    ptl_arena* a) {
    *p = (ptl_panel){.calibration = c};
    for (int k = 0; k < PTL_CONTROLS; k++) {
        if (!is_calibrated(p, k)) continue;
        ptl_reading* shorts = ptl_arena_array(a, KEPT, sizeof *shorts);
        ptl_reading* longs = ptl_arena_array(a, KEPT, sizeof *longs);
        if (!shorts || !longs) return false;
        p->watch[k] = ptl_watch_new(c, k, shorts, longs, KEPT);
        iterations[PTL_CONTROL + k] = ptl_control_iterations(c, k, g);
    }
    return true;
}

size_t ptl_panel_plan(const ptl_panel* p, size_t* plan) {
    size_t n = 0;
    for (int k = 0; k < PTL_CONTROLS; k++)
        for (int i = 0; is_calibrated(p, k) && i < VISITS_OF_A_ROUND; i++)
            plan[n++] = PTL_CONTROL + (size_t)k;
    return n;
}

void ptl_panel_add(ptl_panel* p, uint32_t kernel, const ptl_visit* v, double ticks_per_cycle,
                   uint32_t number) {
    p->visits++;
    if (ticks_per_cycle > 0) ptl_watch_add(&p->watch[kernel - PTL_CONTROL], v, ticks_per_cycle, number);
}

double ptl_panel_judge(ptl_panel* p) {
    double spared = is_calibrated(p, 0);
    p->undisturbed = 0;
    for (int k = 0; k < PTL_CONTROLS; k++) {
        if (!is_calibrated(p, k)) continue;
        ptl_watch_judge(&p->watch[k]);
        spared = fmin(spared, ptl_watch_spared(&p->watch[k]));
        p->undisturbed += p->watch[k].undisturbed;
    }
    p->disturbed = p->visits * PTL_VISIT_PASSES - p->undisturbed;
    return spared;
}

bool ptl_panel_is_off(const ptl_panel* p) {
    const double well = 0.3;
    int fare_well = 0, are_off = 0;
    for (int k = 0; k < PTL_CONTROLS; k++) {
        if (!is_calibrated(p, k) || p->watch[k].seen < FEW) continue;
        fare_well += ptl_watch_spared(&p->watch[k]) >= well;
        are_off += ptl_watch_spared(&p->watch[k]) == 0;
    }
    return fare_well >= 2 && are_off > 0;
}

bool ptl_panel_holds(ptl_panel* p, const ptl_conditions* c) {
    if (ptl_panel_is_off(p)) return false;
    for (int k = 0; k < PTL_CONTROLS; k++) {
        double known = p->calibration->control[k].cycles;
        ptl_readings* r = p->watch[k].list;
        if (!(known > 0) || r[PTL_LONG].n < FEW) continue;
        ptl_estimate estimate;
        ptl_evidence evidence = ptl_estimate_rate(&r[PTL_SHORT], &r[PTL_LONG], c, &estimate);
        if (evidence == PTL_CERTAIN && !(fabs(estimate.cycles - known) <= SAME_RATE * known)) return false;
    }
    return true;
}
