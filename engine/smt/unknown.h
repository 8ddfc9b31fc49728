/* The unknown mapping of the dissertation's encodings, in three forms: two-level (section 4.2: a boolean per
 * scheme and port), three-level with known numbers of uops (Figure 4.5: a boolean per uop and port), and free
 * (Figure 4.3: for each scheme and non-empty set of ports the number of its uops that run there). */
#ifndef PTL_SMT_UNKNOWN_H
#define PTL_SMT_UNKNOWN_H

#include "base/arena.h"
#include "candidates/candidate.h"
#include "smt/relate.h"
#include "smt/uops.h"

#define PTL_FREE_PORTS_MAX 5     /* of the free form: 31 sets */
#define PTL_FREE_UOPS_MAX 16     /* of one scheme in the free form */
#define PTL_UNKNOWN_ROWS_MAX 256 /* uops of a mapping */

/* A known one: the uops of scheme i are ports[first[i]] to ports[first[i + 1] - 1], equal ones repeated. */
typedef struct ptl_known {
    size_t first[PTL_SCHEMES_MAX + 1];
    uint32_t ports[PTL_UNKNOWN_ROWS_MAX];
} ptl_known;

typedef struct ptl_unknown_options {
    size_t schemes, ports;
    const unsigned* counts; /* ports of schemes of one uop, 0 where unknown; or NULL */
    const unsigned* uops;   /* of each scheme; NULL: one each */
    const unsigned* slots;  /* issue slots of each scheme; NULL: one each */
    bool free;              /* any number of uops: `uops` and `counts` must be NULL */
} ptl_unknown_options;

typedef struct ptl_unknown {
    ptl_arith* a;
    ptl_arena arena;
    bool free;
    size_t schemes, ports, rows;
    ptl_uops uops;     /* rows of each scheme, issue slots; in the free form only the latter count */
    ptl_formula* runs; /* [row * ports + port]; in the free form constants: row r is the set r + 1 */
    ptl_formula* uses; /* free: [scheme * rows + row], a whole number */
} ptl_unknown;

/* PTL_BAD_INPUT for sizes out of range; PTL_NO_MEMORY. */
ptl_status ptl_unknown_new(ptl_unknown* u, ptl_arith* a, const ptl_unknown_options* o, ptl_error* error);
void ptl_unknown_free(ptl_unknown* u);

/* relateThroughput of the unknown mapping; copies[i]: instances of scheme i, a whole number (known or not),
 * or PTL_FORMULA_FALSE where there are none. Without them the rows of a scheme don't enter the formula. */
ptl_formula ptl_unknown_relate(const ptl_unknown* u, const ptl_formula* copies, ptl_formula t);

/* The same of a known mapping. */
ptl_formula ptl_known_relate(const ptl_unknown* u, const ptl_known* m, const ptl_formula* copies,
                             ptl_formula t);

/* "The unknown mapping admits this observation"; weights are taken for zero. */
ptl_formula ptl_unknown_admits(const ptl_unknown* u, const ptl_observation* o);

/* Row r has the ports rows[r] wherever that is not 0. Not for the free form. */
ptl_formula ptl_unknown_has(const ptl_unknown* u, const uint32_t* rows);

/* Some uop of the scheme is the single uop of one of those in `among` (section 6.3.4); PTL_FORMULA_FALSE if
 * none of them has a single one. Not for the free form. */
ptl_formula ptl_unknown_shares(const ptl_unknown* u, size_t scheme, uint64_t among);

/* The mapping in the solver's last model. PTL_LIMIT: more uops than there is room for. */
ptl_status ptl_unknown_read(const ptl_unknown* u, ptl_known* m, ptl_error* error);

/* Inverse throughput in cycles of a known mapping, by Theorem 5.2. PTL_NO_MEMORY. */
ptl_status ptl_known_cycles(const ptl_known* m, const ptl_terms* t, double* cycles, ptl_error* error);

#endif
