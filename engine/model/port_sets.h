/* The port sets that can be the bottleneck of some experiment: the candidates Q of Theorem 5.2. Only unions
 * of the port sets of uops can win (bottleneck.h), which for real mappings leaves tens to a few hundred of
 * the 2^p sets. */
#ifndef PTL_MODEL_PORT_SETS_H
#define PTL_MODEL_PORT_SETS_H

#include "model/mapping.h"

/* With more ports than that, not every set of them can be looked at: only families of at most
 * PTL_PORT_UNIONS_MAX unions are listed then (port_unions.h). */
#define PTL_PORT_SETS_PORTS_MAX 20

/* Sets widest first, then ascending: the widest are the likeliest winners, and neighbours share ports.
 * Reusable: start from PTL_PORT_SETS_EMPTY, fill as often as you like, free once. */
typedef struct ptl_port_sets {
    ptl_ports* sets;
    size_t count;
    size_t capacity;
    uint32_t* scratch; /* of a fill: as many words */
} ptl_port_sets;

#define PTL_PORT_SETS_EMPTY ((ptl_port_sets){0})

/* All unions of port sets of uops of the mapping's explained schemes. O(p 2^p) for p ports in use. PTL_LIMIT:
 * too many unions of too many ports; PTL_NO_MEMORY. */
ptl_status ptl_port_sets_unions(ptl_port_sets* s, const ptl_mapping* m, ptl_error* error);

void ptl_port_sets_free(ptl_port_sets* s);

#endif
