#include "bench/control.h"

#include <math.h>

enum { SUPPORT = 8 };                 /* readings that agree on a level */
static const double NEARBY = 100;     /* cycles by which it may be another one; a stall takes longer */
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

static void count(ptl_watch* w, const ptl_reading* r) {
    double expected = w->base + w->known->cycles * r->iterations;
    double off = r->cycles - expected, width = ptl_agreement(expected, w->resolution);
    w->undisturbed += fabs(off) <= width;
    w->fast += off < -width;
}

void ptl_watch_add(ptl_watch* w, const ptl_visit* v, double cycle, uint32_t number) {
    bool room = w->list[PTL_LONG].n + PTL_VISIT_PASSES <= w->capacity;
    for (int k = PTL_SHORT; k <= PTL_LONG; k++) {
        w->list[k].nominal = v->nominal[k];
        for (int i = 0; i < PTL_VISIT_PASSES; i++) {
            ptl_reading r = {.cycles = v->pass[k][i].ticks / cycle,
                             .iterations = v->pass[k][i].iterations,
                             .visit = number};
            if (room)
                ptl_readings_add(&w->list[k], w->capacity, r);
            else if (k == PTL_LONG)
                count(w, &r);
        }
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
    if (fabs(level - w->known->edge) > NEARBY) return false;
    *base = level;
    return true;
}

void ptl_watch_judge(ptl_watch* w) {
    const ptl_readings* longs = &w->list[PTL_LONG];
    if (w->seen > longs->n || longs->n == 0) return; /* what is counted stays */
    w->base = w->known->edge;
    find_base(w, &w->base);
    w->undisturbed = w->fast = 0;
    for (size_t i = 0; i < longs->n; i++) count(w, &longs->list[i]);
}

double ptl_watch_spared(const ptl_watch* w) {
    const size_t much = 4;
    return w->seen && much * w->fast <= w->undisturbed ? (double)w->undisturbed / (double)w->seen : 0;
}
