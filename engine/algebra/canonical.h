/* The canonical form of a mapping: the same bytes for two mappings just if they explain the same schemes with
 * the same usages up to the names of their ports. R_max and issue slots are no part of it, nor are ports that
 * nothing uses.
 *
 * Ports are ordered by colour refinement and individualisation, as graphs are canonised (McKay, Piperno,
 * "Practical graph isomorphism II", 2014): colours that depend on the structure alone are refined until
 * nothing more is told apart; where several ports still share a colour, one after the other is made special,
 * and of the orders that come out the one with the least form is taken. What keeps regular mappings from
 * taking forever:
 *   - Ports p, q whose exchange alone leaves every usage as it is are interchangeable, an equivalence
 * relation. Only one of each class is made special; where all ports of a colour are interchangeable, any
 * order of them will do. So it is with all uniform designs: singletons, all sets of two ports, and so on.
 *   - Two orders with the same form give a symmetry of the mapping. Of the choices that the known symmetries
 * exchange one is enough, and the part of the search that led to the second order is left at once.
 *   - Colours are compared on the way: what is above the best so far is not followed further. */
#ifndef PTL_ALGEBRA_CANONICAL_H
#define PTL_ALGEBRA_CANONICAL_H

#include "model/mapping.h"

typedef struct ptl_canonical {
    unsigned used;                 /* ports that some uop runs on */
    unsigned order[PTL_PORTS_MAX]; /* ports in canonical order: the used ones, then the others ascending */
    const char* key;               /* the form, as text: a line per scheme, by name; memory from the arena */
    uint64_t digest;               /* of the key: a short name for it; not safe against forgery */
    unsigned steps;                /* of the search */
} ptl_canonical;

/* PTL_NO_MEMORY. PTL_LIMIT: too many steps (no mapping is known that needs them). */
ptl_status ptl_canonical_form(const ptl_mapping* m, ptl_arena* arena, ptl_canonical* out, ptl_error* error);

#endif
