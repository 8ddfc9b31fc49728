#include "evo/population.h"

#include <stdlib.h>
#include <string.h>

#include "evo/polish.h"

#define SLICES_PER_THREAD 4

static ptl_status no_memory(ptl_evo_population* o, ptl_error* error) {
    size_t size = o->size;
    ptl_evo_population_free(o);
    return ptl_fail(error, PTL_NO_MEMORY, NULL, "use a smaller population",
                    "no memory for a population of %zu", size);
}

static ptl_status reserve(ptl_evo_population* o, ptl_pool* pool, ptl_error* error) {
    size_t slots = 2 * o->size, bytes = slots * o->p->schemes * sizeof *o->usages;
    if (o->size > PTL_EVO_POPULATION_BYTES_MAX / 2 / sizeof *o->usages / o->p->schemes)
        return ptl_fail(error, PTL_LIMIT, NULL, "use a smaller population",
                        "a population of %zu takes more than %zu GiB", o->size,
                        PTL_EVO_POPULATION_BYTES_MAX >> 30);
    o->usages = malloc(bytes);
    o->error = calloc(slots, sizeof *o->error);
    o->volume = calloc(slots, sizeof *o->volume);
    o->fitness = calloc(slots, sizeof *o->fitness);
    o->order = calloc(slots, sizeof *o->order);
    o->slices = (size_t)ptl_pool_threads(pool) * SLICES_PER_THREAD;
    size_t each = (o->p->schemes + 3) * o->p->sets * sizeof(float); /* of a state */
    size_t most = PTL_EVO_POPULATION_BYTES_MAX / 2 / each;
    if (o->slices > most) o->slices = most ? most : 1;
    o->states = calloc(o->slices, sizeof *o->states);
    if (!o->usages || !o->error || !o->volume || !o->fitness || !o->order || !o->states)
        return no_memory(o, error);
    for (size_t i = 0; i < slots; i++) o->order[i] = i;
    for (size_t i = 0; i < o->slices; i++)
        if (ptl_evo_state_new(&o->states[i], o->p, NULL, NULL)) return no_memory(o, error);
    return PTL_OK;
}

void ptl_evo_population_free(ptl_evo_population* o) {
    for (size_t i = 0; o->states && i < o->slices; i++) ptl_evo_state_free(&o->states[i]);
    free(o->states);
    free(o->usages);
    free(o->error);
    free(o->volume);
    free(o->fitness);
    free(o->order);
    *o = (ptl_evo_population){0};
}

static ptl_evo_usage* slot(const ptl_evo_population* o, size_t i) {
    return o->usages + i * o->p->schemes;
}

const ptl_evo_usage* ptl_evo_population_at(const ptl_evo_population* o, size_t rank) {
    return slot(o, o->order[rank]);
}

static void evaluate(ptl_evo_population* o, ptl_evo_state* s, size_t i) {
    o->error[i] = ptl_evo_state_evaluate(s, slot(o, i));
    o->volume[i] = ptl_evo_volume(slot(o, i), o->p->schemes);
}

/* A pair of mappings is one piece of work: two random ones, two children, or two to be polished. */
typedef void work(ptl_evo_population* o, ptl_evo_state* s, size_t pair);

static void make_random(ptl_evo_population* o, ptl_evo_state* s, size_t pair) {
    ptl_rng base = ptl_rng_seed(o->seed), r = ptl_rng_split(&base, pair);
    for (size_t i = 2 * pair; i < 2 * pair + 2; i++) {
        for (size_t k = 0; k < o->p->schemes; k++) ptl_evo_usage_random(o->p, k, &r, &slot(o, i)[k]);
        evaluate(o, s, i);
    }
}

static void make_children(ptl_evo_population* o, ptl_evo_state* s, size_t pair) {
    ptl_rng base = ptl_rng_seed(o->seed),
            generation = ptl_rng_split(&base, (UINT64_C(1) << 40) + o->generation);
    ptl_rng r = ptl_rng_split(&generation, pair);
    const ptl_evo_usage* a = ptl_evo_population_at(o, ptl_rng_below(&r, o->size));
    const ptl_evo_usage* b = ptl_evo_population_at(o, ptl_rng_below(&r, o->size));
    size_t x = o->order[o->size + 2 * pair], y = o->order[o->size + 2 * pair + 1];
    for (size_t k = 0; k < o->p->schemes; k++)
        ptl_evo_recombine(&a[k], &b[k], &r, &slot(o, x)[k], &slot(o, y)[k]);
    evaluate(o, s, x);
    evaluate(o, s, y);
}

static void evaluate_pair(ptl_evo_population* o, ptl_evo_state* s, size_t pair) {
    evaluate(o, s, 2 * pair);
    evaluate(o, s, 2 * pair + 1);
}

static void polish_pair(ptl_evo_population* o, ptl_evo_state* s, size_t pair) {
    for (size_t k = 2 * pair; k < 2 * pair + 2; k++) {
        size_t i = o->order[k];
        ptl_evo_state_load(s, slot(o, i));
        ptl_evo_polish(s, &o->scale);
        memcpy(slot(o, i), s->usages, o->p->schemes * sizeof *s->usages);
        evaluate(o, s, i);
    }
}

typedef struct job {
    ptl_evo_population* o;
    work* work;
} job;

static void run_slice(void* context, size_t index) {
    const job* j = context;
    ptl_evo_population* o = j->o;
    size_t pairs = o->size / 2;
    for (size_t pair = pairs * index / o->slices; pair < pairs * (index + 1) / o->slices; pair++)
        j->work(o, &o->states[index], pair);
}

static void run(ptl_evo_population* o, ptl_pool* pool, work* w) {
    ptl_pool_run(pool, o->slices, run_slice, &(job){o, w});
}

/* Equally fit ones by what they are, not by where they are: a population that was saved and read goes on
 * alike. */
static int by_fitness(const void* a, const void* b, void* population) {
    const ptl_evo_population* o = population;
    size_t x = *(const size_t*)a, y = *(const size_t*)b;
    if (o->fitness[x] != o->fitness[y]) return o->fitness[x] < o->fitness[y] ? -1 : 1;
    if (o->error[x] != o->error[y]) return o->error[x] < o->error[y] ? -1 : 1;
    return ptl_evo_compare(slot(o, x), slot(o, y), o->p->schemes);
}

/* Sorts the first n entries of the order by fitness. */
static void sort(ptl_evo_population* o, size_t n) {
    for (size_t k = 0; k < n; k++) {
        size_t i = o->order[k];
        o->fitness[i] = ptl_evo_fitness(&o->scale, o->error[i], (double)o->volume[i]);
    }
    qsort_r(o->order, n, sizeof *o->order, by_fitness, o);
}

ptl_status ptl_evo_population_new(ptl_evo_population* o, const ptl_evo_problem* p, size_t size, uint64_t seed,
                                  ptl_pool* pool, ptl_error* error) {
    *o = (ptl_evo_population){.p = p, .size = size < 2 ? 2 : size + size % 2, .seed = seed};
    ptl_status s = reserve(o, pool, error);
    if (s) return s;
    run(o, pool, make_random);
    ptl_evo_scale_fit(&o->scale, o->error, o->volume, o->size);
    sort(o, o->size);
    return PTL_OK;
}

void ptl_evo_population_step(ptl_evo_population* o, ptl_pool* pool) {
    o->generation++;
    run(o, pool, make_children);
    ptl_evo_scale_fit(&o->scale, o->error, o->volume, 2 * o->size);
    sort(o, 2 * o->size);
}

bool ptl_evo_population_converged(const ptl_evo_population* o) {
    return o->fitness[o->order[0]] == o->fitness[o->order[o->size - 1]];
}

void ptl_evo_population_polish(ptl_evo_population* o, ptl_pool* pool) {
    run(o, pool, polish_pair);
    sort(o, o->size);
}

void ptl_evo_population_refresh(ptl_evo_population* o, ptl_pool* pool) {
    for (size_t i = 0; i < 2 * o->size; i++) o->order[i] = i;
    run(o, pool, evaluate_pair);
    for (size_t i = 0; i < o->size; i++)
        o->fitness[i] = ptl_evo_fitness(&o->scale, o->error[i], (double)o->volume[i]);
}
