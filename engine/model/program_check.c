#include "model/program_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_value(double x) {
    return fabs(x) <= PTL_PROGRAM_VALUE_MAX; /* false for NaN */
}

static ptl_status bad(ptl_error* error, const char* what, size_t index, const char* why) {
    char where[64];
    snprintf(where, sizeof where, "%s %zu", what, index + 1);
    return ptl_fail(error, PTL_BAD_INPUT, where, NULL, "%s", why);
}

/* Returns what is wrong with a pair of bounds, in words; NULL if nothing is. */
static const char* bounds_fault(double lower, double upper) {
    if (!(is_value(lower) || lower == -INFINITY)) return "the lower bound is not a number that can be used";
    if (!(is_value(upper) || upper == INFINITY)) return "the upper bound is not a number that can be used";
    return lower > upper ? "the lower bound is above the upper one" : NULL;
}

static ptl_status check_column(const ptl_program* p, size_t j, ptl_error* error) {
    const ptl_program_column* c = &p->column[j];
    const char* fault = bounds_fault(c->lower, c->upper);
    if (!fault && !is_value(c->cost)) fault = "the cost is not a number that can be used";
    if (!fault && c->whole &&
        ((isfinite(c->lower) && c->lower != floor(c->lower)) ||
         (isfinite(c->upper) && c->upper != floor(c->upper))))
        fault = "a whole number needs whole bounds";
    return fault ? bad(error, "column", j, fault) : PTL_OK;
}

/* last: the row, counted from 1, in which a column was seen last. */
static ptl_status check_row(const ptl_program* p, size_t i, size_t* last, ptl_error* error) {
    const ptl_program_row* r = &p->row[i];
    const char* fault = bounds_fault(r->lower, r->upper);
    for (size_t k = 0; !fault && k < r->count; k++) {
        uint32_t column = r->entries[k].column;
        if (column >= p->columns) return bad(error, "row", i, "an entry is of a column that there is not");
        if (last[column] == i + 1) fault = "a column has two entries";
        if (!is_value(r->entries[k].value)) fault = "an entry is not a number that can be used";
        last[column] = i + 1;
    }
    return fault ? bad(error, "row", i, fault) : PTL_OK;
}

static ptl_status check_size(const ptl_program* p, ptl_error* error) {
    if (!p->columns) return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "a program needs a column");
    if (p->columns > PTL_PROGRAM_SIDE_MAX || p->rows > PTL_PROGRAM_SIDE_MAX)
        return ptl_fail(error, PTL_LIMIT, NULL, NULL, "a program has at most %d columns and rows",
                        PTL_PROGRAM_SIDE_MAX);
    size_t entries = 0;
    for (size_t i = 0; i < p->rows; i++) {
        entries += p->row[i].count;
        if (p->row[i].count > p->columns) return bad(error, "row", i, "more entries than columns");
        if (entries > PTL_PROGRAM_ENTRIES_MAX)
            return ptl_fail(error, PTL_LIMIT, NULL, NULL, "a program has at most %d entries",
                            PTL_PROGRAM_ENTRIES_MAX);
    }
    return PTL_OK;
}

ptl_status ptl_program_check(const ptl_program* p, ptl_error* error) {
    ptl_status s = check_size(p, error);
    if (s) return s;
    size_t* last = calloc(p->columns, sizeof *last);
    if (!last) return ptl_no_memory(error, "for the program");
    for (size_t j = 0; !s && j < p->columns; j++) s = check_column(p, j, error);
    for (size_t i = 0; !s && i < p->rows; i++) s = check_row(p, i, last, error);
    free(last);
    return s;
}
