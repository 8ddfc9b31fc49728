/* The hot loops of evolution_kernel.h, over the operations that the including file defines. */
#ifndef PTL_EVO_LOOPS_H
#define PTL_EVO_LOOPS_H

#include <string.h>

#include "evo/evolution_kernel.h"

/* Sums over all subsets, then the share of a port. */
static void fill_row(const ptl_evo_problem* p, const ptl_evo_usage* u, float* row) {
    memset(row, 0, p->sets * sizeof *row);
    for (uint32_t k = 0; k < u->size; k++) row[u->uops[k].ports] += u->uops[k].count;
    for (size_t q = 0; q < p->sets; q += PTL_EVO_LANES) {
        vec v = vec_load(row + q);
        v = vec_plus(v, vec_below1(v));
        v = vec_plus(v, vec_below2(v));
        v = vec_plus(v, vec_below4(v));
        vec_store(row + q, vec_plus(v, vec_below8(v)));
    }
    for (size_t bit = PTL_EVO_LANES; bit < p->sets; bit *= 2)
        for (size_t high = bit; high < p->sets; high += 2 * bit)
            for (size_t q = high; q < high + bit; q += PTL_EVO_LANES)
                vec_store(row + q, vec_plus(vec_load(row + q), vec_load(row + q - bit)));
    for (size_t q = 0; q < p->sets; q += PTL_EVO_LANES)
        vec_store(row + q, vec_times(vec_load(row + q), vec_load(p->inverse + q)));
}

static inline vec sum_at(const float* const* rows, const float* counts, size_t terms, size_t q) {
    vec v = vec_times(vec_all(counts[0]), vec_load(rows[0] + q));
    for (size_t k = 1; k < terms; k++) v = vec_plus(v, vec_times(vec_all(counts[k]), vec_load(rows[k] + q)));
    return v;
}

static void fill_tops(const float* row, size_t sets, float* tops) {
    for (size_t q = 0; q < sets; q += PTL_EVO_LANES) tops[q / PTL_EVO_LANES] = vec_largest(vec_load(row + q));
}

/* Looks into all blocks of sets whose tops exceed the most found so far. */
static float search(const float* const* rows, const float* const* tops, const float* counts, size_t terms,
                    size_t sets, float most) {
    for (size_t t = 0; t < sets / PTL_EVO_LANES; t += PTL_EVO_LANES) {
        vec bound = sum_at(tops, counts, terms, t);
        for (unsigned open = vec_above(bound, most); open; open &= open - 1) {
            size_t block = t + (unsigned)__builtin_ctz(open);
            float found = vec_largest(sum_at(rows, counts, terms, block * PTL_EVO_LANES));
            if (found <= most) continue;
            most = found;
            open &= vec_above(bound, most) | (open & -open);
        }
    }
    return most;
}

/* All sets, for two schemes, which nearly all experiments have. */
static float cycles_of_pair(const float* x, const float* y, float a, float b, size_t sets) {
    vec most = vec_all(0), other = most, by_x = vec_all(a), by_y = vec_all(b);
    size_t q = 0;
    for (; q + PTL_EVO_LANES < sets; q += 2 * PTL_EVO_LANES) {
        size_t r = q + PTL_EVO_LANES;
        most = vec_larger(most, vec_plus(vec_times(by_x, vec_load(x + q)), vec_times(by_y, vec_load(y + q))));
        other =
            vec_larger(other, vec_plus(vec_times(by_x, vec_load(x + r)), vec_times(by_y, vec_load(y + r))));
    }
    if (q < sets)
        most = vec_larger(most, vec_plus(vec_times(by_x, vec_load(x + q)), vec_times(by_y, vec_load(y + q))));
    return vec_largest(vec_larger(most, other));
}

/* The block with the highest bound is a good start for the search. */
static float cycles_of(const float* const* rows, const float* const* tops, const float* counts, size_t terms,
                       size_t sets) {
    if (!tops && terms == 2) return cycles_of_pair(rows[0], rows[1], counts[0], counts[1], sets);
    if (!tops) {
        vec most = vec_all(0);
        for (size_t q = 0; q < sets; q += PTL_EVO_LANES)
            most = vec_larger(most, sum_at(rows, counts, terms, q));
        return vec_largest(most);
    }
    float highest = 0;
    size_t start = 0;
    for (size_t t = 0; t < sets / PTL_EVO_LANES; t += PTL_EVO_LANES) {
        vec bound = sum_at(tops, counts, terms, t);
        float high = vec_largest(bound);
        if (high <= highest) continue;
        unsigned below = vec_above(vec_minus(vec_all(high), bound), 0); /* lanes that are not the highest */
        highest = high;
        start = t + (unsigned)__builtin_ctz(~below);
    }
    return search(rows, tops, counts, terms, sets,
                  vec_largest(sum_at(rows, counts, terms, start * PTL_EVO_LANES)));
}

/* Maxima over all supersets, of the ports above the lanes'. Two ports in one pass over memory. */
static void supersets(float* v, size_t sets) {
    size_t bit = PTL_EVO_LANES;
    for (; 4 * bit <= sets; bit *= 4)
        for (size_t low = 0; low < sets; low += 4 * bit)
            for (size_t q = low; q < low + bit; q += PTL_EVO_LANES) {
                vec a = vec_load(v + q), b = vec_load(v + q + bit);
                vec c = vec_load(v + q + 2 * bit), d = vec_load(v + q + 3 * bit);
                vec bd = vec_larger(b, d), cd = vec_larger(c, d);
                vec_store(v + q, vec_larger(vec_larger(a, c), bd));
                vec_store(v + q + bit, bd);
                vec_store(v + q + 2 * bit, cd);
            }
    for (; bit < sets; bit *= 2)
        for (size_t low = 0; low < sets; low += 2 * bit)
            for (size_t q = low; q < low + bit; q += PTL_EVO_LANES)
                vec_store(v + q, vec_larger(vec_load(v + q), vec_load(v + q + bit)));
}

static float try_uop(const ptl_evo_problem* p, const ptl_evo_trial* t, float* scratch, float* errors) {
    size_t sets = p->sets;
    vec extra = vec_all(t->extra), most = vec_all(0);
    for (size_t q = 0; q < sets; q += PTL_EVO_LANES) {
        vec v = sum_at(t->rows, t->counts, t->terms, q);
        most = vec_larger(most, v);
        v = vec_plus(v, vec_times(extra, vec_load(p->inverse + q)));
        v = vec_larger(v, vec_above1(v));
        v = vec_larger(v, vec_above2(v));
        v = vec_larger(v, vec_above4(v));
        vec_store(scratch + q, vec_larger(v, vec_above8(v)));
    }
    float base = vec_largest(most);
    supersets(scratch, sets);
    const ptl_evo_lenience* l = &p->lenience;
    vec floor = vec_all(base > t->least ? base : t->least), cycles = vec_all(t->cycles), none = vec_all(0),
        weight = vec_all(t->weight), slower = vec_all(l->slower), least = vec_all(-l->bound * t->cycles),
        slack = vec_all(l->slack * t->cycles);
    for (size_t q = 0; q < sets; q += PTL_EVO_LANES) { /* ptl_evo_off */
        vec over = vec_minus(vec_larger(vec_load(scratch + q), floor), cycles);
        vec under = vec_minus(none, vec_larger(vec_times(slower, vec_plus(over, slack)), least));
        vec off = vec_larger(vec_larger(vec_minus(over, slack), none), under);
        vec_store(errors + q, vec_plus(vec_load(errors + q), vec_times(weight, off)));
    }
    return base;
}

#endif
