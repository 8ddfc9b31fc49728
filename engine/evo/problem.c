#include "evo/problem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-6 /* 3 * (1.0 / 3) may be a little more than 1 */

static ptl_status check(unsigned ports, const double* alone, size_t schemes, const ptl_evo_measured* list,
                        size_t size, ptl_error* error) {
    if (ports < 1 || ports > PTL_EVO_PORTS_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "give another number", "%u ports; there must be 1 to %d",
                        ports, PTL_EVO_PORTS_MAX);
    if (!schemes || !size)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "measure some", "there are no experiments to explain");
    for (size_t i = 0; i < schemes; i++)
        if (!(alone[i] >= PTL_EVO_CYCLES_MIN && alone[i] <= PTL_EVO_CYCLES_MAX))
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "leave it out",
                            "scheme %zu takes %g cycles, not %g to %g", i + 1, alone[i], PTL_EVO_CYCLES_MIN,
                            PTL_EVO_CYCLES_MAX);
    for (size_t j = 0; j < size; j++) {
        const ptl_evo_measured* m = &list[j];
        bool timed = m->cycles >= PTL_EVO_CYCLES_MIN && m->cycles <= PTL_EVO_MEASURED_MAX && m->least >= 0 &&
                     m->least <= PTL_EVO_MEASURED_MAX;
        if (!m->terms || !timed)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, "leave it out",
                            "experiment %zu has no schemes, or its time is no number of cycles", j + 1);
        for (size_t k = 0; k < m->terms; k++) {
            bool again = false;
            for (size_t l = 0; l < k; l++) again |= m->schemes[l] == m->schemes[k];
            if (again || m->schemes[k] >= schemes || !m->counts[k] || m->counts[k] > (1U << 24))
                return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL,
                                "term %zu of experiment %zu is out of range", k + 1, j + 1);
        }
    }
    return PTL_OK;
}

/* Memory for all arrays; false: not enough. */
static bool reserve(ptl_evo_problem* p, size_t terms) {
    p->inverse = aligned_alloc(64, p->sets * sizeof *p->inverse);
    p->alone = calloc(p->schemes, sizeof *p->alone);
    p->start = calloc(p->size + 1, sizeof *p->start);
    p->scheme = calloc(terms, sizeof *p->scheme);
    p->count = calloc(terms, sizeof *p->count);
    p->cycles = calloc(p->size, sizeof *p->cycles);
    p->least = calloc(p->size, sizeof *p->least);
    p->weight = calloc(p->size, sizeof *p->weight);
    p->from = calloc(p->schemes + 1, sizeof *p->from);
    p->uses = calloc(terms, sizeof *p->uses);
    return p->inverse && p->alone && p->start && p->scheme && p->count && p->cycles && p->least &&
           p->weight && p->from && p->uses;
}

static void read_experiments(ptl_evo_problem* p, const ptl_evo_measured* list) {
    uint32_t at = 0;
    for (size_t j = 0; j < p->size; j++) {
        for (size_t k = 0; k < list[j].terms; k++, at++) {
            p->scheme[at] = list[j].schemes[k];
            p->count[at] = (float)list[j].counts[k];
            p->from[list[j].schemes[k] + 1]++;
        }
        p->start[j + 1] = at;
        p->cycles[j] = (float)list[j].cycles;
        p->least[j] = (float)list[j].least;
        p->weight[j] = (float)(1 / (list[j].cycles * (double)p->size));
    }
}

/* from[] holds numbers of experiments; they become places, and uses[] is filled. */
static void index_uses(ptl_evo_problem* p, uint32_t* next) {
    for (size_t i = 0; i < p->schemes; i++) p->from[i + 1] += p->from[i];
    memcpy(next, p->from, p->schemes * sizeof *next);
    for (size_t j = 0; j < p->size; j++)
        for (uint32_t k = p->start[j]; k < p->start[j + 1]; k++) p->uses[next[p->scheme[k]]++] = (uint32_t)j;
}

ptl_status ptl_evo_problem_new(ptl_evo_problem* p, unsigned ports, const double* alone, size_t schemes,
                               const ptl_evo_measured* list, size_t size, ptl_error* error) {
    *p = (ptl_evo_problem){.ports = ports, .schemes = schemes, .size = size, .lenience = {0, 1, INFINITY}};
    ptl_status s = check(ports, alone, schemes, list, size, error);
    if (s) return s;
    size_t terms = 0;
    for (size_t j = 0; j < size; j++) terms += list[j].terms;
    p->sets = (size_t)1 << ports;
    if (p->sets < PTL_EVO_LANES) p->sets = PTL_EVO_LANES;
    uint32_t* next = calloc(schemes, sizeof *next);
    if (!next || terms > UINT32_MAX || !reserve(p, terms)) {
        free(next);
        ptl_evo_problem_free(p);
        return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for %zu experiments", size);
    }
    for (size_t q = 0; q < p->sets; q++) p->inverse[q] = q ? 1.0F / (float)__builtin_popcountll(q) : 0;
    memcpy(p->alone, alone, schemes * sizeof *alone);
    read_experiments(p, list);
    index_uses(p, next);
    free(next);
    return PTL_OK;
}

void ptl_evo_problem_free(ptl_evo_problem* p) {
    free(p->inverse);
    free(p->alone);
    free(p->start);
    free(p->scheme);
    free(p->count);
    free(p->cycles);
    free(p->least);
    free(p->weight);
    free(p->from);
    free(p->uses);
    *p = (ptl_evo_problem){0};
}

ptl_status ptl_evo_problem_forgive(ptl_evo_problem* p, const ptl_evo_lenience* l, ptl_error* error) {
    if (!(l->slower >= 0 && l->slower <= 1 && l->bound > 0 && l->slack >= 0))
        return ptl_fail(error, PTL_BAD_INPUT, NULL,
                        "give 0 to 1, a positive bound and a slack that is not negative",
                        "slower readings count %g, and %g at most, with a slack of %g", (double)l->slower,
                        (double)l->bound, (double)l->slack);
    p->lenience = *l;
    return PTL_OK;
}

uint32_t ptl_evo_most(const ptl_evo_problem* p, size_t scheme, unsigned width) {
    double most = ceil(p->alone[scheme] * width - ROUNDING);
    return most < 1 ? 1 : (uint32_t)most;
}
