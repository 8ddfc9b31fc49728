/* Port mappings (Definitions 3.2 and 3.9), in the three-level form: every scheme is a multiset of uops, and a
 * uop is the non-empty set of ports that can execute it (Remark 3.13). In a two-level mapping every scheme is
 * one uop. */
#ifndef PTL_MODEL_MAPPING_H
#define PTL_MODEL_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

#define PTL_PORTS_MAX 32
/* Limits that keep every mass of an experiment below 2^58, so that ratios can be compared exactly. */
#define PTL_UOP_COUNT_MAX 10000u
#define PTL_SLOTS_MAX 10000u
/* The range of R_max. Beyond it cycles are no numbers that anything else can work with. */
#define PTL_RMAX_MIN 1e-3
#define PTL_RMAX_MAX 1e6

/* A set of ports: bit k is port k. */
typedef uint32_t ptl_ports;

/* count uops, each of which one of the ports executes in one cycle. */
typedef struct ptl_uop {
    ptl_ports ports;
    uint32_t count;
} ptl_uop;

/* Holds what one scheme asks of the ports. */
typedef struct ptl_usage {
    const char* name;
    const ptl_uop* uops; /* distinct port sets, ascending; none: eliminated at rename, it only takes slots */
    uint32_t uop_count;
    uint32_t slots; /* issue slots, counted against R_max */
    bool known;     /* false: not explained, cannot be predicted */
    uint32_t unit;  /* what else an instance keeps busy: its number, from 1 on; 0: nothing */
    double busy;    /* for how many cycles; other instances of the same unit wait */
} ptl_usage;

typedef struct ptl_mapping {
    ptl_arena arena; /* owns everything below */
    unsigned port_count;
    const char** ports; /* names */
    size_t scheme_count;
    size_t scheme_capacity;
    ptl_usage* schemes;
    double rmax; /* issue slots per cycle (section 4.3); 0: no limit */
    uint32_t unit_count;
} ptl_mapping;

/* An empty mapping with room for that many schemes. Names are copied. PTL_BAD_INPUT: no ports, more than
 * PTL_PORTS_MAX, an empty or repeated port name, an R_max out of range (0: no limit). */
ptl_status ptl_mapping_new(ptl_mapping* m, const char* const* ports, size_t port_count,
                           size_t scheme_capacity, double rmax, ptl_error* error);

/* Adds a scheme; uops with the same ports are added up. uops = NULL: the scheme is not explained. The name
 * must be new to the mapping (the caller knows: bindings look schemes up in a table). */
ptl_status ptl_mapping_add(ptl_mapping* m, const char* name, const ptl_uop* uops, size_t uop_count,
                           uint32_t slots, ptl_error* error);

/* Has every instance of a scheme keep a unit busy: one of those that there are, or the next one.
 * PTL_BAD_INPUT: no such number, or no finite number of cycles from 0 on. */
ptl_status ptl_mapping_keep_busy(ptl_mapping* m, uint32_t scheme, uint32_t unit, double cycles,
                                 ptl_error* error);

void ptl_mapping_free(ptl_mapping* m);

/* The ports that some uop of an explained scheme runs on. */
ptl_ports ptl_mapping_used_ports(const ptl_mapping* m);

static inline unsigned ptl_ports_count(ptl_ports p) {
    return (unsigned)__builtin_popcount(p);
}

#endif
