#include "evo/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t longest(const ptl_evo_problem* p) {
    size_t most = 0;
    for (size_t j = 0; j < p->size; j++)
        if (p->start[j + 1] - p->start[j] > most) most = p->start[j + 1] - p->start[j];
    return most;
}

ptl_status ptl_evo_state_new(ptl_evo_state* s, const ptl_evo_problem* p, const ptl_evo_kernel* kernel,
                             ptl_error* error) {
    *s = (ptl_evo_state){.p = p, .kernel = kernel ? kernel : ptl_evo_kernel_best()};
    s->usages = calloc(p->schemes, sizeof *s->usages);
    s->placed = calloc(p->schemes, sizeof *s->placed);
    s->rows = aligned_alloc(64, (p->schemes + 3) * p->sets * sizeof *s->rows);
    s->share = calloc(p->size, sizeof *s->share);
    s->terms = calloc(longest(p) + 1, sizeof *s->terms);
    s->term_tops = calloc(longest(p) + 1, sizeof *s->term_tops);
    bool with_tops = p->sets >= PTL_EVO_TOPS_MIN;
    if (with_tops) s->tops = aligned_alloc(64, p->schemes * p->sets / PTL_EVO_LANES * sizeof *s->tops);
    if (!s->usages || !s->placed || !s->rows || !s->share || !s->terms || !s->term_tops ||
        (with_tops && !s->tops)) {
        ptl_evo_state_free(s);
        return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for a mapping of %zu schemes",
                        p->schemes);
    }
    memset(s->rows, 0, (p->schemes + 3) * p->sets * sizeof *s->rows);
    s->spare = s->rows + p->schemes * p->sets;
    s->scratch = s->spare + p->sets;
    s->errors = s->scratch + p->sets;
    return PTL_OK;
}

void ptl_evo_state_free(ptl_evo_state* s) {
    free(s->usages);
    free(s->placed);
    free(s->rows);
    free(s->share);
    free(s->terms);
    free(s->term_tops);
    free(s->tops);
    *s = (ptl_evo_state){0};
}

static float deviation(ptl_evo_state* s, size_t j) {
    const ptl_evo_problem* p = s->p;
    uint32_t first = p->start[j], n = p->start[j + 1] - first;
    for (uint32_t k = 0; k < n; k++) {
        s->terms[k] = s->rows + p->scheme[first + k] * p->sets;
        if (s->tops) s->term_tops[k] = s->tops + p->scheme[first + k] * (p->sets / PTL_EVO_LANES);
    }
    float t = s->kernel->cycles(s->terms, s->tops ? s->term_tops : NULL, p->count + first, n, p->sets);
    if (t < p->least[j]) t = p->least[j];
    return p->weight[j] * ptl_evo_off(&p->lenience, t - p->cycles[j], p->cycles[j]);
}

static void fill(ptl_evo_state* s, size_t scheme) {
    float* row = s->rows + scheme * s->p->sets;
    s->kernel->row(s->p, &s->usages[scheme], row);
    if (s->tops) s->kernel->tops(row, s->p->sets, s->tops + scheme * (s->p->sets / PTL_EVO_LANES));
}

bool ptl_evo_state_counts(const ptl_evo_state* s, size_t experiment, size_t but) {
    const ptl_evo_problem* p = s->p;
    for (uint32_t k = p->start[experiment]; k < p->start[experiment + 1]; k++)
        if (p->scheme[k] != but && !s->placed[p->scheme[k]]) return false;
    return true;
}

void ptl_evo_state_load(ptl_evo_state* s, const ptl_evo_usage* usages) {
    const ptl_evo_problem* p = s->p;
    if (usages != s->usages) memcpy(s->usages, usages, p->schemes * sizeof *usages);
    for (size_t i = 0; i < p->schemes; i++) {
        s->placed[i] = true;
        fill(s, i);
    }
    for (size_t j = 0; j < p->size; j++) s->share[j] = deviation(s, j);
}

void ptl_evo_state_set(ptl_evo_state* s, size_t scheme, const ptl_evo_usage* usage) {
    const ptl_evo_problem* p = s->p;
    if (usage != &s->usages[scheme]) s->usages[scheme] = *usage;
    s->placed[scheme] = true;
    fill(s, scheme);
    for (uint32_t k = p->from[scheme]; k < p->from[scheme + 1]; k++)
        s->share[p->uses[k]] = ptl_evo_state_counts(s, p->uses[k], scheme) ? deviation(s, p->uses[k]) : 0;
}

void ptl_evo_state_remove(ptl_evo_state* s, size_t scheme) {
    const ptl_evo_problem* p = s->p;
    s->placed[scheme] = false;
    for (uint32_t k = p->from[scheme]; k < p->from[scheme + 1]; k++) s->share[p->uses[k]] = 0;
}

double ptl_evo_state_error(const ptl_evo_state* s) {
    double sum = 0;
    for (size_t j = 0; j < s->p->size; j++) sum += s->share[j];
    return sum;
}

double ptl_evo_state_local(const ptl_evo_state* s, size_t scheme) {
    const ptl_evo_problem* p = s->p;
    double sum = 0;
    for (uint32_t k = p->from[scheme]; k < p->from[scheme + 1]; k++) sum += s->share[p->uses[k]];
    return sum;
}

double ptl_evo_state_evaluate(ptl_evo_state* s, const ptl_evo_usage* usages) {
    ptl_evo_state_load(s, usages);
    return ptl_evo_state_error(s);
}
