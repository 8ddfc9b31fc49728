/* Tells whether two mappings are the same up to the names of their ports, and how their ports correspond. */
#ifndef PTL_ALGEBRA_RENAMING_H
#define PTL_ALGEBRA_RENAMING_H

#include "model/mapping.h"

#define PTL_NO_PORT (-1)

/* The schemes that both mappings explain, as indices into each. */
typedef struct ptl_pairs {
    const ptl_mapping* a;
    const ptl_mapping* b;
    size_t count;
    uint32_t* in_a;
    uint32_t* in_b;
    size_t only_a, only_b; /* explained schemes that the other one does not explain */
} ptl_pairs;

/* Finds the common schemes by name. Memory from the arena. PTL_NO_MEMORY. */
ptl_status ptl_pairs_find(ptl_pairs* p, const ptl_mapping* a, const ptl_mapping* b, ptl_arena* arena,
                          ptl_error* error);

/* port[k] is the port of b that port k of a corresponds to, or PTL_NO_PORT. */
typedef struct ptl_renaming {
    int port[PTL_PORTS_MAX];
} ptl_renaming;

/* The set of ports that p is renamed to; ports without a counterpart are dropped. */
ptl_ports ptl_renamed(const ptl_renaming* r, ptl_ports p);

/* The usage of common scheme i is the same after renaming (slots aside). */
bool ptl_renaming_matches(const ptl_renaming* r, const ptl_pairs* p, size_t i);

/* Searches a renaming under which every common scheme has the same usage. PTL_OK: *found says whether there
 * is one. PTL_LIMIT: undecided after a large number of steps (only mappings made for it get there). */
ptl_status ptl_renaming_search(const ptl_pairs* p, ptl_renaming* out, bool* found, ptl_error* error);

/* A renaming that makes a as close to b as it can: as many common schemes as possible with the same usage,
 * among these as few scheme-port edges as possible that only one of the two has, among these as many ports as
 * possible that keep their names. All ports get a counterpart, as far as there are that many. Assignments of
 * port columns are the starts; exchanges of two and three ports go on from there, so the first number is a
 * local optimum (with few ports nearly always the global one), for messages about mappings that differ.
 * *matching: that number. PTL_NO_MEMORY is the only failure. */
ptl_status ptl_renaming_closest(const ptl_pairs* p, ptl_renaming* out, size_t* matching, ptl_error* error);

#endif
