/* The uops of a scheme: a multiset, as in the three-level model (section 3.1.2). A uop is the set of its
 * ports (Remark 3.13). */
#ifndef PTL_EVO_USAGE_H
#define PTL_EVO_USAGE_H

#include <stdbool.h>

#include "base/rng.h"
#include "evo/problem.h"

#define PTL_EVO_UOPS_MAX 16 /* distinct uops of a scheme */
#define PTL_EVO_COUNT_MAX 65535

typedef struct ptl_evo_uop {
    uint16_t ports; /* bit k: port k */
    uint16_t count;
} ptl_evo_uop;

/* Legal if the uops have ascending, non-empty port sets and positive counts. */
typedef struct ptl_evo_usage {
    uint32_t size;
    ptl_evo_uop uops[PTL_EVO_UOPS_MAX];
} ptl_evo_usage;

/* Adds that many uops. Returns false and changes nothing if there is no room: too many distinct ones, or of
 * one.
 */
bool ptl_evo_usage_add(ptl_evo_usage* u, uint32_t ports, uint32_t count);

/* Takes `count` of entry k away, or all of them if there are no more. */
void ptl_evo_usage_take(ptl_evo_usage* u, uint32_t k, uint32_t count);

/* V: sum of count * |ports| (section 5.1.3). */
uint64_t ptl_evo_usage_volume(const ptl_evo_usage* u);
uint64_t ptl_evo_volume(const ptl_evo_usage* usages, size_t schemes);

/* An order of mappings; 0 if they are equal. */
int ptl_evo_compare(const ptl_evo_usage* a, const ptl_evo_usage* b, size_t schemes);

bool ptl_evo_usage_equal(const ptl_evo_usage* a, const ptl_evo_usage* b);

/* Legal, not empty, with ports of the problem only. */
bool ptl_evo_usage_legal(const ptl_evo_usage* u, const ptl_evo_problem* p);

/* Section 5.1.3, initialisation: 1 to |P| different uops, of each 1 to ceil(tp * |u|). */
void ptl_evo_usage_random(const ptl_evo_problem* p, size_t scheme, ptl_rng* r, ptl_evo_usage* out);

/* Section 5.1.3, recombination: the uops of both parents in one list, shuffled, split into two parts that are
 * not empty. An entry is a uop with its number; where both parents have the same uop, a part that gets both
 * has the sum. A part has PTL_EVO_UOPS_MAX entries at most. */
void ptl_evo_recombine(const ptl_evo_usage* a, const ptl_evo_usage* b, ptl_rng* r, ptl_evo_usage* x,
                       ptl_evo_usage* y);

#endif
