#include "bench/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

/* Readings of one pass agree within this share, and the resolution. */
static const double AGREE = 0.0025;

/* ... and those of code that takes a little more or less whenever it runs. */
static const double LOOSELY = 0.01, ROUGHLY = 0.03;

enum {
    FEWEST = 3,      /* readings of a cluster that gives a first idea */
    ENOUGH = 8,      /* spared long readings expected before a cluster is believed */
    MANY = 40,       /* ... before readings that do not agree are the code's own doing */
    FEW_VISITS = 3,  /* from which a cluster comes at least */
    LIMIT = 200,     /* ... before what contradicts itself is given up */
    MUCH_LARGER = 6, /* a cluster of so many times the readings is not explained by noise */
    STRAY = 20       /* readings of a cluster for each that is faster: as rare as clocks that were hit */
};

/* Shares of the readings expected to be spared that a fastest cluster holds: less than the first may be
 * chance, less than the second is code without a rate of its own. */
static const double CREDIBLE = 0.4, FAINT = 0.2;

/* A share of spared readings from which on disagreement is the code's own doing. */
static const double FAIR = 0.5;

static int by_level(const void* a, const void* b) {
    double x = ((const ptl_reading*)a)->level, y = ((const ptl_reading*)b)->level;
    return (x > y) - (x < y);
}

double ptl_median(double* values, size_t n) {
    if (n == 0) return 0;
    qsort(values, n, sizeof *values, ptl_ascending_numbers);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

double ptl_agreement(double cycles, double resolution) {
    return AGREE * cycles + resolution;
}

/* The same for code whose rate may vary by itself: the more readings do not agree closely, the wider. */
static double width_of(double cycles, double expected, const ptl_conditions* c) {
    double share = expected < MANY ? AGREE : expected < 2 * MANY ? LOOSELY : ROUGHLY;
    return share * cycles + c->resolution;
}

static int by_rate(const void* a, const void* b) {
    const ptl_reading *x = a, *y = b;
    double r = x->cycles / x->iterations, t = y->cycles / y->iterations;
    return (r > t) - (r < t);
}

void ptl_readings_add(ptl_readings* r, size_t capacity, ptl_reading reading) {
    if (r->n == capacity) {
        qsort(r->list, r->n, sizeof *r->list, by_rate);
        r->n /= 2;
    }
    r->list[r->n++] = reading;
    r->seen++;
}

ptl_reading ptl_reading_of(const ptl_visit* v, int length, int pass, double ticks_per_cycle,
                           uint32_t number) {
    const ptl_pass* p = &v->pass[length][pass];
    return (ptl_reading){.cycles = p->ticks / ticks_per_cycle, .iterations = p->iterations, .visit = number};
}

void ptl_readings_add_visit(ptl_readings* r, size_t capacity, const ptl_visit* v, int length,
                            double ticks_per_cycle, uint32_t number) {
    r->nominal = v->nominal[length];
    for (int i = 0; i < PTL_VISIT_PASSES; i++)
        ptl_readings_add(r, capacity, ptl_reading_of(v, length, i, ticks_per_cycle, number));
}

/* Different visits among n readings, counted up to FEW_VISITS. */
static unsigned count_visits(const ptl_reading* r, size_t n) {
    uint32_t seen[FEW_VISITS];
    unsigned count = 0;
    for (size_t i = 0; i < n && count < FEW_VISITS; i++) {
        unsigned k = 0;
        while (k < count && seen[k] != r[i].visit) k++;
        if (k == count) seen[count++] = r[i].visit;
    }
    return count;
}

static void describe(const ptl_reading* r, size_t n, ptl_cluster* out) {
    double squares = 0;
    for (size_t i = 0; i < n; i++) out->centre += r[i].level / (double)n;
    for (size_t i = 0; i < n; i++) squares += (r[i].level - out->centre) * (r[i].level - out->centre);
    out->spread = sqrt(squares / (double)n);
    out->n = n;
    out->visits = count_visits(r, n);
}

bool ptl_fastest_cluster(ptl_reading* r, size_t n, double width, size_t support, ptl_cluster* out) {
    *out = (ptl_cluster){0};
    qsort(r, n, sizeof *r, by_level);
    unsigned visits = count_visits(r, n);
    size_t best = 0, most = 0;
    double begin = 0;
    for (size_t first = 0, end = 0; first < n; first++) {
        if (most > 0 && r[first].level > begin + width) break;
        while (end < n && r[end].level <= r[first].level + width) end++;
        size_t count = end - first;
        if (count <= most || count < support || count_visits(r + first, count) < visits) continue;
        if (most == 0) begin = r[first].level;
        best = first, most = count;
    }
    if (most == 0) return false;
    describe(r + best, most, out);
    return true;
}

/* A pass has up to 3 iterations more than the nominal number: what these take does not count. */
void ptl_readings_level(ptl_readings* r, double rate) {
    for (size_t i = 0; i < r->n; i++)
        r->list[i].level = r->list[i].cycles - (r->list[i].iterations - r->nominal) * rate;
}

/* Readings that a cluster must hold. Of very many no more are asked for: lists keep the fastest ones only. */
static size_t support_for(double expected) {
    double n = FAINT * fmin(expected, 2 * MANY);
    return n > FEWEST ? (size_t)ceil(n) : FEWEST;
}

/* The fastest clusters of short and long passes, of at least `support` readings each, and the rate that their
 * difference says, from a first idea of it. False without one. */
static bool find_clusters(ptl_readings* r[2], const size_t support[2], double expected,
                          const ptl_conditions* c, double* rate, ptl_cluster cluster[2]) {
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 2; k++) {
            ptl_readings_level(r[k], *rate);
            double width = width_of(*rate * r[k]->nominal, expected, c);
            if (!ptl_fastest_cluster(r[k]->list, r[k]->n, width, support[k], &cluster[k])) return false;
        }
        double next = (cluster[1].centre - cluster[0].centre) / ((double)r[1]->nominal - r[0]->nominal);
        if (!(next > 0)) return false;
        bool settled = fabs(next - *rate) < 1e-4 * next;
        *rate = next;
        if (settled) break;
    }
    return true;
}

/* The rate of the fastest pass, entry and exit included: a little more than the true one. */
static double first_idea(const ptl_readings* longs) {
    double least = INFINITY;
    for (size_t i = 0; i < longs->n; i++)
        least = fmin(least, longs->list[i].cycles / longs->list[i].iterations);
    return longs->n ? least : 0;
}

/* A cluster of slower long readings, where it holds many. */
static void find_second_rate(const ptl_readings* longs, const ptl_cluster* fast, double expected,
                             const ptl_conditions* c, ptl_estimate* out) {
    double width = width_of(fast->centre, expected, c);
    size_t first = 0;
    while (first < longs->n && longs->list[first].level <= fast->centre + width) first++;
    ptl_cluster slow;
    if (expected < ENOUGH) return;
    if (!ptl_fastest_cluster(longs->list + first, longs->n - first, width, support_for(expected), &slow))
        return;
    out->slow_cycles = out->cycles * slow.centre / fast->centre;
    out->slow_share = fmin(1, (double)slow.n / fmin(expected, (double)longs->n));
}

/* Longer passes are spared more rarely than those of the controls. (Shorter ones more often, but a
 * neighbour's bursts are longer than all passes: that is not counted on.) */
static double chance(double cycles, const ptl_conditions* c) {
    return c->spared > 0 && cycles > c->typical ? pow(c->spared, cycles / c->typical) : c->spared;
}

double ptl_expected(const ptl_readings* longs, const ptl_conditions* c) {
    return chance(first_idea(longs) * longs->nominal, c) * (double)longs->seen;
}

static void fill(const ptl_cluster cluster[2], double rate, double span, double expected, ptl_estimate* out) {
    double variance = 0;
    for (int k = 0; k < 2; k++) variance += cluster[k].spread * cluster[k].spread / (double)cluster[k].n;
    out->cycles = rate;
    out->error = sqrt(variance) / (rate * span);
    out->spread = cluster[1].spread / cluster[1].centre;
    out->agreeing = cluster[1].n;
    out->share = expected > 0 ? fmin(1, (double)cluster[1].n / expected) : 0;
}

/* Readings that are faster than a cluster. */
static size_t count_faster(const ptl_readings* r, const ptl_cluster* c, double width) {
    double least = c->centre - width;
    size_t n = 0;
    while (n < r->n && r->list[n].level < least) n++; /* sorted by level */
    return n;
}

/* Most readings that agree within a width. */
static size_t count_largest(const ptl_readings* r, double width) {
    size_t most = 0;
    for (size_t first = 0, end = 0; first < r->n; first++) {
        while (end < r->n && r->list[end].level <= r->list[first].level + width) end++;
        if (end - first > most) most = end - first;
    }
    return most;
}

/* Nothing speaks against the clusters: hardly any reading is faster; not many more agree on a slower rate, as
 * where clocks that were hit make a few readings look fast; short and long passes tell the same story. Where
 * all long ones were hit and some short ones were not, passes seem to take less than nothing beside their
 * iterations. */
static bool is_plain(ptl_readings* r[2], const ptl_cluster cluster[2], double rate, double expected,
                     const ptl_conditions* c) {
    for (int k = 0; k < 2; k++) {
        double width = width_of(cluster[k].centre, expected, c);
        if (STRAY * count_faster(r[k], &cluster[k], width) > cluster[k].n) return false;
        if (count_largest(r[k], width) > (size_t)MUCH_LARGER * cluster[k].n) return false;
    }
    return cluster[0].centre - rate * r[0]->nominal >= c->edge - 2 * c->resolution;
}

ptl_evidence ptl_estimate_rate(ptl_readings* shorts, ptl_readings* longs, const ptl_conditions* c,
                               ptl_estimate* out) {
    *out = (ptl_estimate){0};
    ptl_readings* r[2] = {shorts, longs};
    double rate = first_idea(longs), expected = ptl_expected(longs, c);
    double expected_short = chance(rate * longs->nominal, c) * (double)shorts->seen;
    size_t support[2] = {support_for(expected_short), support_for(expected)};
    ptl_cluster cluster[2] = {{0}};
    bool found = find_clusters(r, support, expected, c, &rate, cluster);
    if (found) {
        fill(cluster, rate, (double)longs->nominal - shorts->nominal, fmin(expected, (double)longs->n), out);
        find_second_rate(longs, &cluster[1], expected, c, out);
    }
    bool repeated = found && cluster[1].visits >= FEW_VISITS;
    bool plain = found && is_plain(r, cluster, rate, expected, c),
         credible = (double)cluster[1].n >= CREDIBLE * expected;
    if (expected >= ENOUGH && repeated && plain && (credible || expected >= MANY)) return PTL_CERTAIN;
    /* In bad weather it may be that the code suffers more than the controls do. */
    bool hopeless = c->spared >= FAIR && expected >= (found ? LIMIT : MANY);
    return hopeless ? PTL_UNSTEADY : PTL_MORE;
}
