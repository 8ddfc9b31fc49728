/* findOtherMapping, in both of its forms (search.h). */
#include <stdlib.h>

#include "smt/search_state.h"

ptl_status ptl_search_other(ptl_search* s, const uint32_t* mapping, size_t max_size, uint64_t among,
                            bool* found, uint32_t* other, uint64_t* set, ptl_error* error) {
    size_t n;
    if (!s->two_level)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "ask for an experiment",
                        "no set of schemes tells mappings with several uops apart");
    ptl_literal* a = ptl_search_assumptions(s, 4 + s->options.schemes * (s->options.ports + 1), &n);
    if (!a) return ptl_no_memory_in(error, "query");
    n += ptl_select_ask(&s->select, mapping, max_size, among, a + n);
    a[n++] = ptl_cost_within(&s->cost, s->least_cost + s->options.slack);
    ptl_status status = ptl_search_check(s, a, n, found, other, error);
    free(a);
    if (status || !*found) return status;
    *set = ptl_select_read(&s->select);
    *set = ptl_shrink(mapping, other, *set, s->options.epsilon, s->options.rmax);
    ptl_search_remember(s, other);
    return PTL_OK;
}

static ptl_status tell(ptl_search* s, ptl_literal* a, size_t n, bool* found, uint32_t* other,
                       ptl_terms* experiment, ptl_error* error) {
    ptl_status status = PTL_OK;
    for (*found = false; !status && !*found;) {
        bool another, proved;
        status = ptl_search_check(s, a, n, &another, other, error);
        if (status || !another) break;
        status = ptl_tell_decide(&s->tell, other, found, &proved, experiment, error);
        s->undecided += !status && !*found && !proved;
    }
    return status;
}

ptl_status ptl_search_tell(ptl_search* s, const uint32_t* mapping, bool* found, uint32_t* other,
                           ptl_terms* experiment, ptl_error* error) {
    size_t n;
    ptl_literal* a = ptl_search_assumptions(s, 2, &n);
    if (!a) return ptl_no_memory_in(error, "query");
    ptl_status status = ptl_tell_begin(&s->tell, mapping, error);
    if (!status) {
        a[n++] = s->tell.active;
        a[n++] = ptl_cost_within(&s->cost, s->least_cost + s->options.slack);
        status = tell(s, a, n, found, other, experiment, error);
        ptl_tell_end(&s->tell);
    }
    free(a);
    if (!status && *found) ptl_search_remember(s, other);
    return status;
}

/* Returns what ptl_search_tell would ask first, as text; NULL if that fails. */
static char* tell_text(ptl_search* s, const uint32_t* mapping) {
    size_t n;
    ptl_literal* a = ptl_search_assumptions(s, 2, &n);
    char* text = NULL;
    if (a && !ptl_tell_begin(&s->tell, mapping, NULL)) {
        a[n++] = s->tell.active;
        a[n++] = ptl_cost_within(&s->cost, s->least_cost + s->options.slack);
        text = ptl_z3_text(s->z, a, n);
        ptl_tell_end(&s->tell);
    }
    free(a);
    return text;
}

char* ptl_search_text(ptl_search* s, const uint32_t* mapping, size_t max_size) {
    size_t n;
    if (!s->two_level) return tell_text(s, mapping);
    ptl_literal* a = ptl_search_assumptions(s, 4 + s->options.schemes * (s->options.ports + 1), &n);
    if (!a) return NULL;
    n += ptl_select_ask(&s->select, mapping, max_size, UINT64_MAX, a + n);
    a[n++] = ptl_cost_within(&s->cost, s->least_cost + s->options.slack);
    char* text = ptl_z3_text(s->z, a, n);
    free(a);
    return text;
}
