/* Facile's short cut through the bottleneck formula (Appendix E.2): only unions of the port sets of two uops
 * (which may be the same one) are looked at,
 *
 *     t'(e) = max over uops u, v of e of  mass{w : ports(w) subset of ports(u) + ports(v)} / |ports(u) +
 * ports(v)|
 *
 * It is polynomial, and never above the true value, as every set that it looks at counts there, too. It is
 * below where the bottleneck takes three or more uops to span: {1,2}, {2,3} and {2,4}, once each, give 2/3
 * instead of 3/4. */
#ifndef PTL_MODEL_FACILE_H
#define PTL_MODEL_FACILE_H

#include "model/bottleneck.h"

/* More distinct uops than this are not attempted: the time grows with their cube. */
#define PTL_FACILE_UOPS_MAX 2048

/* As ptl_bottleneck_of, but of the sets above; ports: the union of those that are a maximum. PTL_LIMIT. */
ptl_status ptl_facile(const ptl_demand* d, ptl_bottleneck* out, ptl_error* error);

#endif
