/* Holds what PMEvo has to explain (section 5.1): the measured inverse throughputs of experiments over a few
 * schemes, and the number of ports with which they are to be explained. */
#ifndef PTL_EVO_PROBLEM_H
#define PTL_EVO_PROBLEM_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define PTL_EVO_PORTS_MAX 16
#define PTL_EVO_CYCLES_MAX 4000.0 /* of a scheme alone: counts of its uops must fit in 16 bits */
#define PTL_EVO_CYCLES_MIN 1e-4   /* of anything measured: less is another unit than cycles */
#define PTL_EVO_MEASURED_MAX 1e9  /* of an experiment: deviations must fit in floats */
#define PTL_EVO_LANES 16          /* floats of a vector: rows have a multiple of them */

/* Says how much a deviation counts. Hardware loses cycles that no port explains, and wins none. */
typedef struct ptl_evo_lenience {
    float slack;  /* share of a reading by which predictions may be off for nothing */
    float slower; /* what a cycle counts by which a reading is slower than predicted; 1: as one by which it is
                     faster */
    float bound;  /* most that it counts then, as a share of the reading; INFINITY: any amount */
} ptl_evo_lenience;

/* Read-only once it is made: threads share it. */
typedef struct ptl_evo_problem {
    unsigned ports;
    size_t sets;    /* 2^ports, at least PTL_EVO_LANES: length of a row */
    float* inverse; /* per set Q: 1 / |Q|; 0 for the empty one */
    size_t schemes;
    double* alone;   /* per scheme: its measured inverse throughput, in cycles */
    size_t size;     /* experiments */
    uint32_t* start; /* of each one's terms, and the end: size + 1 entries */
    uint32_t* scheme;
    float* count;
    float* cycles;  /* measured, of the experiment */
    float* least;   /* no prediction is below (section 5.1.3, R_max) */
    float* weight;  /* 1 / (cycles * size): weighted deviations sum to D_avg */
    uint32_t* from; /* per scheme, and the end: where its experiments begin in `uses` */
    uint32_t* uses; /* numbers of experiments */
    ptl_evo_lenience lenience;
} ptl_evo_problem;

/* An experiment while the problem is read: distinct schemes (from 0), their counts, measured
 * cycles. */
typedef struct ptl_evo_measured {
    const uint32_t* schemes;
    const uint32_t* counts;
    size_t terms;
    double cycles;
    double least; /* what the front end takes in any case, |e| / R_max; 0 if there is no R_max */
} ptl_evo_measured;

/* PTL_BAD_INPUT: no experiments, ports not in 1 ... PTL_EVO_PORTS_MAX, times that
 * are not positive or too long, schemes out of range or repeated in an experiment; PTL_NO_MEMORY. */
ptl_status ptl_evo_problem_new(ptl_evo_problem* p, unsigned ports, const double* alone, size_t schemes,
                               const ptl_evo_measured* list, size_t size, ptl_error* error);

void ptl_evo_problem_free(ptl_evo_problem* p);

/* Sets how deviations count from now on; at first all of them in full. PTL_BAD_INPUT: slower not in 0 ... 1,
 * a slack that is negative, or a bound that is not positive. */
ptl_status ptl_evo_problem_forgive(ptl_evo_problem* p, const ptl_evo_lenience* lenience, ptl_error* error);

/* Returns what a prediction counts that is off by so many cycles: more than were read, or less. */
static inline float ptl_evo_off(const ptl_evo_lenience* l, float over, float cycles) {
    float free = l->slack * cycles, under = l->slower * (-over - free), most = l->bound * cycles;
    return fmaxf(fmaxf(over - free, 0), under < most ? under : most);
}

/* Most uops with so many ports that a scheme can have: ceil(tp * |u|), as more would take longer than the
 * scheme does (section 5.1.3, initialisation). At least 1. */
uint32_t ptl_evo_most(const ptl_evo_problem* p, size_t scheme, unsigned width);

#endif
