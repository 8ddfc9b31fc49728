/* Random mappings and experiments for tests. Include after <cmocka.h>. */
#ifndef PTL_TESTS_RANDOM_MODEL_H
#define PTL_TESTS_RANDOM_MODEL_H

#include <stdio.h>

#include "base/rng.h"
#include "model/experiment.h"
#include "model/mapping.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1 /* everything takes ten times as long */
#else
#define SANITIZED 0
#endif

#define RANDOM_TERMS_MAX 16

/* What a random mapping may be like; every number from 1 (port sets: one port) to the one given. */
typedef struct random_shape {
    unsigned ports, schemes;
    unsigned widest; /* port set */
    unsigned uops;   /* distinct ones of a scheme, before equal ones are added up; 1 and count 1: two-level */
    unsigned count;  /* of a uop */
    unsigned slots;  /* issue slots of a scheme */
    double eliminated; /* the share of schemes without uops */
    double rmax;       /* as in ptl_mapping */
    unsigned units;    /* that every other scheme keeps busy, at most; here 0 is none */
} random_shape;

static inline ptl_ports random_port_set(ptl_rng* r, unsigned ports, unsigned widest) {
    ptl_ports p = 0;
    for (uint64_t k = 1 + ptl_rng_below(r, widest); k > 0; k--) p |= UINT32_C(1) << ptl_rng_below(r, ports);
    return p;
}

/* Ports "0", "1", ..., schemes "s0", "s1", ...; to be freed by ptl_mapping_free. */
static inline void random_mapping(ptl_mapping* m, ptl_rng* r, const random_shape* shape) {
    static const char* const names[PTL_PORTS_MAX] = {
        "0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",  "10", "11", "12", "13", "14", "15",
        "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31"};
    assert_int_equal(ptl_mapping_new(m, names, shape->ports, shape->schemes, shape->rmax, NULL), PTL_OK);
    for (unsigned i = 0; i < shape->schemes; i++) {
        char name[16];
        ptl_uop uops[16];
        size_t n = 1 + ptl_rng_below(r, shape->uops < 16 ? shape->uops : 16);
        if (shape->eliminated > 0 && ptl_rng_unit(r) < shape->eliminated) n = 0;
        for (size_t u = 0; u < n; u++)
            uops[u] = (ptl_uop){random_port_set(r, shape->ports, shape->widest),
                                1 + (uint32_t)ptl_rng_below(r, shape->count)};
        snprintf(name, sizeof name, "s%u", i);
        uint32_t slots = 1 + (uint32_t)ptl_rng_below(r, shape->slots);
        assert_int_equal(ptl_mapping_add(m, name, uops, n, slots, NULL), PTL_OK);
    }
    for (uint32_t i = 0; shape->units && i < shape->schemes; i += 2) {
        uint32_t known = m->unit_count < shape->units ? m->unit_count + 1 : m->unit_count;
        uint32_t unit = 1 + (uint32_t)ptl_rng_below(r, known);
        assert_int_equal(ptl_mapping_keep_busy(m, i, unit, 5 * ptl_rng_unit(r), NULL), PTL_OK);
    }
}

/* Up to size_most schemes of the first scheme_count, each up to count_most times. terms has
 * RANDOM_TERMS_MAX. */
static inline ptl_experiment random_experiment(ptl_rng* r, size_t scheme_count, size_t size_most,
                                               uint32_t count_most, ptl_term* terms) {
    ptl_experiment e = {terms, 1 + ptl_rng_below(r, size_most)};
    for (size_t i = 0; i < e.size; i++)
        terms[i] =
            (ptl_term){(uint32_t)ptl_rng_below(r, scheme_count), 1 + (uint32_t)ptl_rng_below(r, count_most)};
    ptl_experiment_canonical(&e);
    return e;
}

#endif
