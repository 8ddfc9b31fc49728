/* "Some set S of schemes tells the unknown mapping from a given one" (Theorem B), encoded once: S and the
 * given mapping are variables too, the latter fixed by assumptions. */
#ifndef PTL_SMT_SELECT_H
#define PTL_SMT_SELECT_H

#include "smt/columns.h"

typedef struct ptl_select {
    ptl_columns* columns;
    ptl_literal *member, *size; /* scheme i in S; |S| >= x at size[x - 1] */
    ptl_literal* given;         /* given[scheme * ports + port] */
    ptl_literal active;         /* assumed by those who ask; all of it is idle otherwise */
} ptl_select;

ptl_status ptl_select_new(ptl_select* s, ptl_columns* columns, double epsilon, double rmax, ptl_error* error);

/* Appends the assumptions of one question; returns how many (at most 2 + schemes * (ports + 1)). */
size_t ptl_select_ask(const ptl_select* s, const uint32_t* given, size_t max_size, uint64_t among,
                      ptl_literal* assumptions);

/* S in the solver's last model. */
uint64_t ptl_select_read(const ptl_select* s);

#endif
