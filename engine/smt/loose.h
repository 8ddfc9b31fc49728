/* "No s ports hold n_i uops of each scheme i": whatever uops of these numbers one takes, together they run on
 * more than s ports. That is how both queries say that a vector n / s is not one of the mapping's, without
 * naming the uops: those of one scheme are interchangeable. */
#ifndef PTL_SMT_LOOSE_H
#define PTL_SMT_LOOSE_H

#include "smt/uops.h"

typedef struct ptl_loose_entry ptl_loose_entry;
typedef struct ptl_loose_ports ptl_loose_ports;

typedef struct ptl_loose {
    ptl_columns* columns;
    const ptl_uops* uops;
    ptl_loose_entry** table; /* of what was asked so far */
    size_t size, count;
    ptl_loose_ports** ports; /* by set of ports: which uops lie inside */
} ptl_loose;

ptl_status ptl_loose_new(ptl_loose* l, ptl_columns* c, const ptl_uops* u, ptl_error* error);
void ptl_loose_free(ptl_loose* l);

/* A literal that implies it; PTL_FALSE if n is zero everywhere or s >= ports. n has an entry for every
 * scheme, at most its number of uops. Without memory the solver gives up (z3.h). */
ptl_literal ptl_loose_literal(ptl_loose* l, const uint8_t* n, unsigned s);

#endif
