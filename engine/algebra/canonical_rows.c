#include "algebra/canonical_rows.h"

#include <stdlib.h>
#include <string.h>

static int by_ports(const void* a, const void* b) {
    ptl_ports x = ((const ptl_uop*)a)->ports, y = ((const ptl_uop*)b)->ports;
    return (x > y) - (x < y);
}

void ptl_rows_form(const ptl_rows* rows, const unsigned* place, ptl_uop* form) {
    for (size_t i = 0; i < rows->count; i++) {
        const ptl_usage* u = rows->row[i];
        for (uint32_t j = 0; j < u->uop_count; j++) {
            form[j] = (ptl_uop){0, u->uops[j].count};
            for (ptl_ports p = u->uops[j].ports; p; p &= p - 1)
                form[j].ports |= UINT32_C(1) << place[__builtin_ctz(p)];
        }
        if (u->uop_count > 1) qsort(form, u->uop_count, sizeof *form, by_ports);
        form += u->uop_count;
    }
}

/* The usage has count uops on exactly these ports. */
static bool has_uop(const ptl_usage* u, ptl_ports ports, uint32_t count) {
    for (uint32_t j = 0; j < u->uop_count; j++)
        if (u->uops[j].ports == ports) return u->uops[j].count == count;
    return false;
}

static bool exchangeable(const ptl_rows* rows, unsigned p, unsigned q) {
    ptl_ports both = UINT32_C(1) << p | UINT32_C(1) << q;
    for (size_t i = 0; i < rows->count; i++) {
        const ptl_usage* u = rows->row[i];
        for (uint32_t j = 0; j < u->uop_count; j++) {
            bool one = ptl_ports_count(u->uops[j].ports & both) == 1;
            if (one && !has_uop(u, u->uops[j].ports ^ both, u->uops[j].count)) return false;
        }
    }
    return true;
}

void ptl_rows_interchangeable(const ptl_rows* rows, ptl_ports used, ptl_ports* with) {
    memset(with, 0, PTL_PORTS_MAX * sizeof *with);
    for (ptl_ports left = used; left;) { /* each class is complete when its first port is done */
        unsigned p = (unsigned)__builtin_ctz(left);
        ptl_ports class = UINT32_C(1) << p;
        for (ptl_ports q = left & (left - 1); q; q &= q - 1)
            if (exchangeable(rows, p, (unsigned)__builtin_ctz(q))) class |= q & -q;
        for (ptl_ports q = class; q; q &= q - 1) with[__builtin_ctz(q)] = class;
        left &= ~class;
    }
}
