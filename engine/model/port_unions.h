/* The sets of ports that can be a bottleneck (bottleneck.h): unions of the port sets of uops that occur. */
#ifndef PTL_MODEL_PORT_UNIONS_H
#define PTL_MODEL_PORT_UNIONS_H

#include "model/mapping.h"

/* Larger families are cut there. */
#define PTL_PORT_UNIONS_MAX (1u << 16)

typedef struct ptl_port_unions {
    ptl_ports* sets; /* distinct and not empty; memory from the arena */
    size_t count;
    bool cut;
} ptl_port_unions;

/* All unions of the port sets of the uops of these usages. PTL_NO_MEMORY. */
ptl_status ptl_port_unions_of(const ptl_usage* const* usages, size_t count, ptl_arena* arena,
                              ptl_port_unions* out, ptl_error* error);

#endif
