/* The ground that further schemes are placed on: schemes of one uop each whose ports are known, and what they
 * tell of ports.
 *
 * Ports that the same known schemes run on form a class. Nothing tells the ports of a class apart, so all
 * that can be said of another scheme is how many ports of each class it has; ports without any known scheme
 * are a class as well. What experiments see of the ground are unions of its schemes' ports (Theorem B). */
#ifndef PTL_CANDIDATES_GROUND_H
#define PTL_CANDIDATES_GROUND_H

#include "base/error.h"
#include "candidates/candidate.h"

#define PTL_GROUND_PORTS_MAX 20     /* candidates and unions are up to 2^ports */
#define PTL_GROUND_SCHEMES_MAX 4096 /* known schemes */

/* The ports that run some scheme of a set: those of `last` and those of the union number `before`, which is
 * of one scheme less. */
typedef struct ptl_joined {
    uint32_t ports, before;
    uint16_t last, size; /* size: schemes of the set */
} ptl_joined;

typedef struct ptl_ground {
    size_t ports;
    double epsilon, rmax; /* CPI; instructions per cycle, 0: no limit */
    size_t count;
    uint32_t* masks; /* ports of each known scheme */
    unsigned* slots; /* issue slots of each */
    size_t classes;
    uint32_t class_ports[PTL_GROUND_PORTS_MAX];
    /* Distinct unions, each of as few schemes as it takes, the empty one first; only those by which anything
     * could be told at all. */
    size_t unions, union_capacity;
    ptl_joined* joined;
} ptl_ground;

/* Without known schemes: one class. PTL_BAD_INPUT: sizes out of range; PTL_NO_MEMORY. */
ptl_status ptl_ground_init(ptl_ground* g, size_t ports, double epsilon, double rmax, ptl_error* error);
void ptl_ground_free(ptl_ground* g);

/* One more known scheme; classes become finer. PTL_BAD_INPUT: no ports or too many; PTL_NO_MEMORY leaves it
 * as it was, but for unions that may be missing. */
ptl_status ptl_ground_add(ptl_ground* g, uint32_t ports, unsigned slots, ptl_error* error);

/* Do known schemes, together, run on exactly these ports? Then a scheme on them would tell nothing new. (Of
 * sets too large to tell anything: true if they consist of whole classes.) */
bool ptl_ground_has(const ptl_ground* g, uint32_t ports);

/* Does the set hold a part of some class only? */
bool ptl_ground_splits(const ptl_ground* g, uint32_t ports);

/* The known schemes of a union, those that a walk adds first coming first; returns how many. */
size_t ptl_ground_schemes(const ptl_ground* g, size_t number, uint16_t schemes[PTL_TERMS_MAX]);

#endif
