#include "evo/ruin.h"

#include <string.h>

#define IN_VAIN_MOST 3 /* schemes in turn that settling does not change */
#define ERROR_LEAST 1e-6

static bool is_given(const ptl_evo_island* o, size_t scheme) {
    return o->given && o->given[scheme].size;
}

bool ptl_evo_recreate(ptl_evo_island* o, ptl_rng* r) {
    size_t n = 0;
    for (size_t i = 0; i < o->p->schemes; i++) {
        if (o->state.placed[i]) continue;
        if (is_given(o, i))
            ptl_evo_state_set(&o->state, i, &o->given[i]);
        else
            o->list[n++] = i;
    }
    ptl_rng_shuffle(r, o->list, n);
    for (size_t k = 0; k < n; k++) {
        if (o->filled && ptl_evo_island_over(o)) return false;
        ptl_evo_respond_run(&o->respond, o->list[k], &o->ways.goal, o->ways.beam, r);
    }
    return true;
}

/* A scheme, drawn by its share of the errors; random if there are none. */
static size_t draw(const ptl_evo_island* o, ptl_rng* r, bool by_error) {
    size_t n = o->p->schemes;
    double sum = 0;
    if (by_error)
        for (size_t i = 0; i < n; i++) sum += ptl_evo_state_local(&o->state, i);
    if (sum < ERROR_LEAST) return ptl_rng_below(r, n);
    double left = ptl_rng_unit(r) * sum;
    for (size_t i = 0; i < n; i++)
        if ((left -= ptl_evo_state_local(&o->state, i)) < 0) return i;
    return n - 1;
}

/* The scheme that shares the worst experiment with `with`, of those that are placed; one in four times a
 * random experiment. */
static size_t companion(const ptl_evo_island* o, ptl_rng* r, size_t with) {
    const ptl_evo_problem* p = o->p;
    size_t worst = with;
    float most = -1;
    bool any = ptl_rng_below(r, 4) == 0;
    for (uint32_t k = p->from[with]; k < p->from[with + 1]; k++) {
        uint32_t j = p->uses[k];
        for (uint32_t t = p->start[j]; t < p->start[j + 1]; t++) {
            float weight = any ? (float)ptl_rng_unit(r) : o->state.share[j];
            if (p->scheme[t] == with || !o->state.placed[p->scheme[t]] || weight <= most) continue;
            most = weight;
            worst = p->scheme[t];
        }
    }
    return worst;
}

size_t ptl_evo_ruin(ptl_evo_island* o, ptl_rng* r) {
    size_t n = o->p->schemes, most = n / 3 < 3 ? 3 : n / 3 > 12 ? 12 : n / 3;
    size_t count = 1 + ptl_rng_below(r, most < n ? most : n), taken = 0;
    size_t first = draw(o, r, ptl_rng_below(r, 2) != 0);
    size_t* out = o->list;
    out[taken++] = first;
    bool related = ptl_rng_below(r, 2) != 0;
    while (taken < count) {
        size_t next = related ? companion(o, r, out[ptl_rng_below(r, taken)]) : ptl_rng_below(r, n), k = 0;
        while (k < taken && out[k] != next) k++;
        if (k < taken) {
            related = false; /* it has no more companions, perhaps: go on with random ones */
            continue;
        }
        out[taken++] = next;
    }
    for (size_t k = 0; k < taken; k++)
        if (!is_given(o, out[k])) ptl_evo_state_remove(&o->state, out[k]);
    return taken;
}

void ptl_evo_settle(ptl_evo_island* o, size_t steps, ptl_rng* r) {
    size_t n = o->p->schemes, in_vain = 0;
    bool* visited = o->visited;
    memset(visited, 0, n * sizeof *visited);
    for (size_t step = 0; step < steps && in_vain < IN_VAIN_MOST; step++) {
        if (o->filled && ptl_evo_island_over(o)) return;
        size_t worst = n;
        double most = ERROR_LEAST;
        for (size_t i = 0; i < n; i++) {
            double local = visited[i] || is_given(o, i) ? 0 : ptl_evo_state_local(&o->state, i);
            if (local <= most) continue;
            most = local;
            worst = i;
        }
        if (worst == n) return;
        visited[worst] = true;
        if (ptl_evo_respond_run(&o->respond, worst, &o->ways.goal, 1, r)) {
            memset(visited, 0, n * sizeof *visited);
            visited[worst] = true;
            in_vain = 0;
        } else {
            in_vain++;
        }
    }
}
