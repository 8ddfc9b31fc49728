/* One scheme of one uop, placed alone on the ground of known schemes (ground.h).
 *
 * No solver is needed. Ports of one class are interchangeable, so a candidate is a number of ports per class:
 * a few hundred for four ports out of twelve. An observation prices or excludes every one of them by the
 * formula of union cardinalities, and the next experiment is the one that tells most of the remaining ones
 * apart. */
#ifndef PTL_CANDIDATES_ALONE_H
#define PTL_CANDIDATES_ALONE_H

#include "candidates/ground.h"

/* An experiment: copies of known schemes and of the scheme itself. */
typedef struct ptl_mix {
    size_t count; /* below PTL_TERMS_MAX */
    uint16_t scheme[PTL_TERMS_MAX];
    uint32_t copies[PTL_TERMS_MAX];
    uint32_t own;
} ptl_mix;

/* Holds what was measured; t is the inverse throughput of the ports, as in candidate.h. */
typedef struct ptl_seen {
    ptl_mix mix;
    ptl_bounds bounds;
} ptl_seen;

typedef struct ptl_alone {
    unsigned slots;
    unsigned slack;  /* candidates that cost this much more than the best one are still asked about */
    uint32_t counts; /* bit c: c ports are possible */
    bool flood;      /* experiments that greedy schedulers handle well; otherwise the tightest ones */
    /* Candidates that keep all certain bounds. Of each class they have the lowest ports. */
    size_t candidates, capacity;
    uint32_t* ports;
    unsigned* cost;
    size_t classes; /* those of the ground at the last ptl_alone_refine */
    uint32_t class_ports[PTL_GROUND_PORTS_MAX];
    size_t observed, observed_capacity;
    ptl_seen* seen;
} ptl_alone;

/* With all ports in one class until ptl_alone_refine, which is cheaper once observations of the scheme alone
 * have bounded their number. PTL_NO_MEMORY. */
ptl_status ptl_alone_init(ptl_alone* a, const ptl_ground* g, ptl_error* error);
void ptl_alone_free(ptl_alone* a);

/* Has the candidates say which of the ground's classes, finer by now, their ports are in. To be called after
 * schemes were added to the ground, and before anything below. PTL_NO_MEMORY. */
ptl_status ptl_alone_refine(ptl_alone* a, const ptl_ground* g, ptl_error* error);

/* Enters an observation. PTL_BAD_INPUT: unknown schemes; PTL_NO_MEMORY. */
ptl_status ptl_alone_observe(ptl_alone* a, const ptl_ground* g, const ptl_mix* mix, const ptl_bounds* b,
                             ptl_error* error);

/* Inverse throughput in cycles if the scheme has these ports, without any limit of the front end. */
double ptl_alone_cycles(const ptl_ground* g, const ptl_mix* mix, uint32_t ports);

/* The least cost of a candidate; UINT_MAX if there is none. */
unsigned ptl_alone_least(const ptl_alone* a);

/* Candidates within `slack` of the least cost, in a fixed order; writes up to `most` of them and what they
 * cost (cost may be NULL). Returns how many there are. */
size_t ptl_alone_remaining(const ptl_alone* a, uint32_t* ports, unsigned* cost, size_t most);

/* The experiment, not observed before, that tells most pairs of the remaining candidates apart at the
 * ground's epsilon and R_max. *found is false if none tells any. PTL_NO_MEMORY, PTL_INTERRUPTED. */
ptl_status ptl_alone_next(const ptl_alone* a, const ptl_ground* g, bool* found, ptl_mix* mix,
                          ptl_error* error);

/* The smallest set of observations (of up to three; a minimal one, if that takes more) that no number of
 * ports in `counts` per class keeps: indices into `seen`, room for `observed` of them. *n is 0 if they do not
 * contradict. PTL_NO_MEMORY. */
ptl_status ptl_alone_conflict(const ptl_alone* a, const ptl_ground* g, size_t* which, size_t* n,
                              ptl_error* error);

#endif
