#include "anica/edit_distance.h"

#include <string.h>

static unsigned least(unsigned a, unsigned b, unsigned c) {
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

bool ptl_within_edits(const char* a, const char* b, unsigned most) {
    size_t m = strnlen(a, PTL_EDIT_LENGTH_MAX), n = strnlen(b, PTL_EDIT_LENGTH_MAX);
    if ((m > n ? m - n : n - m) > most) return false;
    /* row[j]: edits from the first i letters of a to the first j of b */
    unsigned row[PTL_EDIT_LENGTH_MAX + 1];
    for (unsigned j = 0; j <= n; j++) row[j] = j;
    for (unsigned i = 1; i <= m; i++) {
        unsigned diagonal = row[0], smallest = i;
        row[0] = i;
        for (unsigned j = 1; j <= n; j++) {
            unsigned above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
            if (row[j] < smallest) smallest = row[j];
        }
        if (smallest > most) return false; /* it never gets smaller again */
    }
    return row[n] <= most;
}
