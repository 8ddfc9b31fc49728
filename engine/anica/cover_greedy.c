#include "anica/cover_reduce.h"

/* Does a chosen set cover the class? */
static bool covered(const ptl_cover_core* core, size_t j, const bool* chosen) {
    const uint64_t* row = core->rows + j * core->words;
    for (size_t w = 0; w < core->words; w++)
        for (uint64_t left = row[w]; left; left &= left - 1)
            if (chosen[64 * w + (size_t)__builtin_ctzll(left)]) return true;
    return false;
}

size_t ptl_cover_count(const ptl_cover_core* core, const bool* chosen) {
    size_t n = 0;
    for (size_t j = 0; j < core->classes; j++) n += covered(core, j, chosen) ? core->weights[j] : 0;
    return n;
}

/* The set that gains most, and what is covered with it; core->sets if none gains. */
static size_t best_addition(const ptl_cover_core* core, bool* chosen, size_t* most) {
    size_t best = core->sets;
    *most = ptl_cover_count(core, chosen);
    for (size_t i = 0; i < core->sets; i++) {
        if (chosen[i]) continue;
        chosen[i] = true;
        size_t n = ptl_cover_count(core, chosen);
        chosen[i] = false;
        if (n > *most) *most = n, best = i;
    }
    return best;
}

/* One chosen set for a better one; whether there is such a pair. */
static bool exchange(const ptl_cover_core* core, bool* chosen, size_t* count) {
    for (size_t i = 0; i < core->sets; i++) {
        if (!chosen[i]) continue;
        size_t n, other;
        chosen[i] = false;
        other = best_addition(core, chosen, &n);
        if (other < core->sets && n > *count) {
            chosen[other] = true;
            *count = n;
            return true;
        }
        chosen[i] = true;
    }
    return false;
}

size_t ptl_cover_greedy(const ptl_cover_core* core, size_t k, bool* chosen) {
    size_t count = 0;
    for (size_t i = 0; i < core->sets; i++) chosen[i] = false;
    for (size_t n = 0; n < k; n++) {
        size_t more, best = best_addition(core, chosen, &more);
        if (best == core->sets) break;
        chosen[best] = true;
        count = more;
    }
    while (exchange(core, chosen, &count)) {
    }
    return count;
}
