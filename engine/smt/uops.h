/* Holds which rows of the unknown mapping are the uops of which scheme, where uop counts are known (section
 * 4.4, U of Figure 4.5): the rows of scheme i are first[i] to first[i + 1] - 1. */
#ifndef PTL_SMT_UOPS_H
#define PTL_SMT_UOPS_H

#include "model/demand.h"
#include "smt/columns.h"

typedef struct ptl_uops {
    size_t schemes, rows;
    size_t first[PTL_SCHEMES_MAX + 1];
    uint8_t owner[PTL_SCHEMES_MAX];  /* scheme of a row */
    unsigned slots[PTL_SCHEMES_MAX]; /* issue slots of a scheme */
} ptl_uops;

/* May there be so many schemes and ports, with counts[i] ports (0: unknown) and uops[i] uops of scheme i?
 * Lists may be NULL. PTL_BAD_INPUT. */
ptl_status ptl_uops_check(size_t schemes, size_t ports, const unsigned* counts, const unsigned* uops,
                          ptl_error* error);

/* counts[i] uops and slots[i] issue slots of scheme i; NULL: one each. PTL_BAD_INPUT: none, or more than
 * PTL_SCHEMES_MAX uops in all. */
ptl_status ptl_uops_set(ptl_uops* u, size_t schemes, const unsigned* counts, const unsigned* slots,
                        ptl_error* error);

/* The uops of one scheme are interchangeable: their rows are ordered lexicographically (which agrees with the
 * order of the columns: of all equal mappings the one remains whose rows, read one after the other, come
 * first). */
void ptl_uops_order(const ptl_uops* u, ptl_columns* c);

/* Some uop of the scheme has the ports of the single uop of one of the schemes in `among`: a store as a
 * blocking instruction (section 6.3.4). PTL_BAD_INPUT: none of these has a single uop. */
ptl_status ptl_uops_same(const ptl_uops* u, ptl_columns* c, size_t scheme, uint64_t among, ptl_error* error);

/* The rows of an experiment's uops; how many. */
size_t ptl_uops_rows(const ptl_uops* u, const ptl_terms* e, uint8_t* row, uint32_t* copies);

/* The experiment over rows, if they are few: at most PTL_FEW_UOPS_MAX. */
bool ptl_uops_few(const ptl_uops* u, const ptl_terms* e, ptl_terms* rows);
#define PTL_FEW_UOPS_MAX 6

/* The rows of e whose ports lie in q. */
uint64_t ptl_uops_inside(const ptl_uops* u, const uint32_t* mapping, const ptl_terms* e, ptl_ports q);

/* Inverse throughput in cycles, without any limit of the front end. PTL_NO_MEMORY. */
ptl_status ptl_uops_cycles(const ptl_uops* u, const uint32_t* mapping, const ptl_terms* e,
                           ptl_demand* scratch, double* cycles, ptl_error* error);

/* The demand of e under a mapping of rows to ports. PTL_NO_MEMORY. */
ptl_status ptl_uops_demand(const ptl_uops* u, const uint32_t* mapping, const ptl_terms* e, ptl_demand* d,
                           ptl_error* error);

/* The mapping as one of the model, with schemes named by their numbers. To be freed. */
ptl_status ptl_uops_mapping(const ptl_uops* u, const uint32_t* mapping, size_t ports, double rmax,
                            ptl_mapping* out, ptl_error* error);

#endif
