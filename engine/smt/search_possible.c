/* Answers what the observations leave possible, and keeps what is supposed beside them (search.h). */
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "smt/search_state.h"

ptl_status ptl_search_possible(ptl_search* s, uint64_t set, unsigned low, unsigned high, bool* found,
                               uint32_t* mapping, ptl_error* error) {
    size_t n;
    ptl_literal* a = ptl_search_assumptions(s, 3, &n);
    if (!a) return ptl_no_memory_in(error, "query");
    a[n++] = ptl_columns_at_least(&s->columns, set, (int)low);
    a[n++] = -ptl_columns_at_least(&s->columns, set, (int)high + 1);
    a[n++] = ptl_cost_within(&s->cost, s->least_cost);
    uint32_t rows[PTL_SCHEMES_MAX];
    ptl_status status = ptl_search_check(s, a, n, found, rows, error);
    free(a);
    if (!status && *found && mapping) memcpy(mapping, rows, ptl_search_bytes(s));
    return status;
}

void ptl_search_suppose(ptl_search* s, uint64_t set, unsigned low, unsigned high) {
    if (!ptl_room(&s->supposed, &s->supposed_capacity, s->supposals + 2, sizeof *s->supposed)) {
        ptl_z3_give_up(s->z);
        return;
    }
    s->supposed[s->supposals++] = ptl_columns_at_least(&s->columns, set, (int)low);
    s->supposed[s->supposals++] = -ptl_columns_at_least(&s->columns, set, (int)high + 1);
}

size_t ptl_search_supposed(const ptl_search* s) {
    return s->supposals / 2;
}

void ptl_search_forget(ptl_search* s, size_t depth) {
    if (2 * depth < s->supposals) s->supposals = 2 * depth;
}
