#include "smt/observed.h"

#include <stdlib.h>

#include "base/room.h"

ptl_status ptl_observed_check(const ptl_terms* t, size_t schemes, ptl_error* error) {
    if (t->count == 0 || t->count > PTL_TERMS_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "use fewer schemes at once",
                        "an experiment of %zu schemes, but 1 to %d can be observed", t->count, PTL_TERMS_MAX);
    for (size_t k = 0; k < t->count; k++)
        if (t->scheme[k] >= schemes || t->copies[k] == 0)
            return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL,
                            "an experiment with an unknown scheme or no copies of one");
    return PTL_OK;
}

ptl_status ptl_observed_add(ptl_observed* o, const ptl_terms* terms, const ptl_bounds* bounds,
                            ptl_error* error) {
    if (!ptl_room(&o->list, &o->capacity, o->count + 1, sizeof *o->list))
        return ptl_no_memory_in(error, "observation");
    o->list[o->count++] = (ptl_observation){*terms, *bounds};
    return PTL_OK;
}
