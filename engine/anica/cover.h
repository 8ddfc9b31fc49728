/* The k sets that together cover most: the integer linear program of section 8.1.7,
 *
 *     maximise   sum over j of covered[j]
 *     subject to sum over i of used[i] <= k
 *                sum over the i that cover j of used[i] >= covered[j]    for every j
 *                used[i], covered[j] in {0, 1}
 *
 * by GLPK. Elements that the same sets cover become one with a weight, and sets within another are left out,
 * before the program is written down: what is left depends on how different the sets are, not on the number
 * of elements. A greedy choice, improved by exchanges, is where the search starts. */
#ifndef PTL_ANICA_COVER_H
#define PTL_ANICA_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define PTL_COVER_SETS_MAX 4096
#define PTL_COVER_ELEMENTS_MAX 10000000

/* The problem: element j is covered by set i if bit i of the row j is set, rows[j * words + i / 64] >> i
 * % 64. words = ptl_cover_words(sets). */
typedef struct ptl_cover {
    size_t sets, elements;
    const uint64_t* rows;
    size_t k;
    double seconds; /* after which the best choice so far will do; 0: no limit */
} ptl_cover;

typedef struct ptl_cover_answer {
    size_t covered; /* elements */
    bool proven;    /* no choice covers more */
} ptl_cover_answer;

size_t ptl_cover_words(size_t sets);

/* chosen: one entry per set, set to whether it is chosen; at most k are. Sets that add nothing are not.
 * PTL_LIMIT: too large. PTL_NO_MEMORY, PTL_INTERNAL. On Ctrl-C the best choice so far, not proven. Must not
 * be called inside ptl_lp_guarded. */
ptl_status ptl_cover_best(const ptl_cover* c, bool* chosen, ptl_cover_answer* answer, ptl_error* error);

#endif
