/* The two queries of counter-example-guided inference (Algorithm 4.1): findMapping and findOtherMapping, in
 * the form of Theorem B: instead of an experiment they look for a set of schemes whose union cardinalities
 * differ.
 *
 * One incremental solver answers all of them. The mapping that another one is asked for enters by
 * assumptions, so everything that the solver learns stays valid. */
#ifndef PTL_SMT_SEARCH_H
#define PTL_SMT_SEARCH_H

#include "smt/observe.h"

typedef struct ptl_search ptl_search;

/* Mappings, sets of schemes and unions below are of rows: one for each uop, scheme after scheme. Where every
 * scheme is one uop (the two-level model) rows are schemes. */

typedef struct ptl_search_options {
    size_t schemes, ports;  /* up to PTL_SCHEMES_MAX, PTL_CANDIDATE_PORTS_MAX */
    double epsilon;         /* CPI: resolution of the measurements */
    double rmax;            /* instructions per cycle, 0: no such limit */
    const unsigned* counts; /* ports of each scheme of one uop, 0 where unknown; or NULL */
    const unsigned* uops;   /* of each scheme; NULL: one each */
    const unsigned* slots;  /* issue slots of each scheme; NULL: one each */
    unsigned slack;         /* other mappings may cost this much more than the best one */
    uint64_t seed;
} ptl_search_options;

/* PTL_BAD_INPUT for sizes out of range or counts beyond the ports; PTL_NO_MEMORY, PTL_INTERNAL. */
ptl_status ptl_search_new(ptl_search** out, const ptl_search_options* options, ptl_error* error);
void ptl_search_free(ptl_search* s);

/* Moment (ptl_now) at which all queries give up with PTL_LIMIT; 0: never. */
void ptl_search_deadline(ptl_search* s, double when);

/* Adds an observation. PTL_BAD_INPUT for too many or unknown schemes. */
ptl_status ptl_search_observe(ptl_search* s, const ptl_terms* terms, const ptl_bounds* bounds,
                              ptl_error* error);

/* findMapping: a mapping of least cost that admits all observations (cost 0 where all bounds are certain).
 * *found is false if there is none. Also PTL_LIMIT, PTL_INTERRUPTED, as all queries. */
ptl_status ptl_search_mapping(ptl_search* s, bool* found, uint32_t* mapping, unsigned* cost,
                              ptl_error* error);

/* findOtherMapping: one within `slack` of the least cost and a minimal set of schemes by which it can be told
 * from `mapping`. The set has at most max_size schemes (0: any number), all among `among`. *found is false if
 * there is none. */
ptl_status ptl_search_other(ptl_search* s, const uint32_t* mapping, size_t max_size, uint64_t among,
                            bool* found, uint32_t* other, uint64_t* set, ptl_error* error);

/* findOtherMapping for any numbers of uops (tell.h): one within `slack` of the least cost and an experiment
 * that tells it from `mapping`. *found is false if there is none. */
ptl_status ptl_search_tell(ptl_search* s, const uint32_t* mapping, bool* found, uint32_t* other,
                           ptl_terms* experiment, ptl_error* error);
/* Mappings that ptl_search_tell excluded one by one, as it could not be decided whether an experiment tells
 * them. */
size_t ptl_search_undecided(const ptl_search* s);

/* From now on some uop of the scheme has the ports of one of the single-uop schemes in `among` (a set of
 * schemes, section 6.3.4). PTL_BAD_INPUT: there is none with a single uop, or PTL_SCHEMES_MAX were given
 * before. */
ptl_status ptl_search_same(ptl_search* s, size_t scheme, uint64_t among, ptl_error* error);

/* From now on the rows have the given ports, 0 where they are unknown (ptl_columns_fix says which rows and
 * ports may be given). PTL_BAD_INPUT. */
ptl_status ptl_search_fix(ptl_search* s, const uint32_t* rows, ptl_error* error);

/* Is there a mapping of least cost with low <= c(set) <= high? It comes in `mapping` (may be NULL). */
ptl_status ptl_search_possible(ptl_search* s, uint64_t set, unsigned low, unsigned high, bool* found,
                               uint32_t* mapping, ptl_error* error);
/* From now on all queries look at mappings with low <= c(set) <= high only, until this is forgotten again:
 * ptl_search_forget drops the newest suppositions until `depth` of them are left. */
void ptl_search_suppose(ptl_search* s, uint64_t set, unsigned low, unsigned high);
size_t ptl_search_supposed(const ptl_search* s);
void ptl_search_forget(ptl_search* s, size_t depth);

/* A minimal set of observations (in the order they were added, from 0) that no mapping admits: writes their
 * indices to `which` (room for all observations) and their number to *n; 0 if they do not contradict. */
ptl_status ptl_search_conflict(const ptl_search* s, size_t* which, size_t* n, ptl_error* error);

/* The question that ptl_search_other (with several uops: ptl_search_tell, first) would ask, as SMT-LIB 2
 * text; malloc'ed. NULL without memory. */
char* ptl_search_text(ptl_search* s, const uint32_t* mapping, size_t max_size);

size_t ptl_search_schemes(const ptl_search* s);
size_t ptl_search_ports(const ptl_search* s);
size_t ptl_search_rows(const ptl_search* s);
size_t ptl_search_observations(const ptl_search* s);
double ptl_search_seconds(const ptl_search* s); /* in the solver */
size_t ptl_search_checks(const ptl_search* s);

#endif
