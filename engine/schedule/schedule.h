/* Execution schedules (Definition 3.3, for three-level mappings: uops in place of instructions): which uop
 * each port starts in each cycle, for N iterations of an experiment, in the fewest cycles T(M, e, N).
 *
 * That number is
 *
 *     T = max over non-empty sets Q of ports of  ceil(N mass(Q) / |Q|)
 *
 * with mass(Q) the uops of one iteration whose ports all lie in Q. Fewer cycles are too few for Q. Enough
 * they are by Hall's theorem, with T places at every port: if every set of ports has room for the uops that
 * cannot leave it, there is a whole place for every uop. (Flows in networks with whole capacities can be
 * taken to be whole; so rounding up is all that there is between T / N and the inverse throughput, its limit
 * and its infimum, Theorem 3.6.) As all uops take one cycle and have no order, any order of what a port
 * executes will do; here each port takes what comes first in the program.
 *
 * With an R_max (section 4.3) T is also at least ceil(N slots / R_max). The model bounds a rate and does not
 * say when an instance is issued, so nor does the schedule: a uop may come before the cycle in which R_max
 * would let its instance issue. But where ports that all start in the first cycle would execute more than
 * R_max uops in it, the uops are spread evenly over the T cycles, by McNaughton's wrap-around rule (1959):
 * each port starts in the cycle in which the one before it stopped. So no cycle executes more than max(R_max,
 * ceil(uops / T)) uops. */
#ifndef PTL_SCHEDULE_SCHEDULE_H
#define PTL_SCHEDULE_SCHEDULE_H

#include "model/experiment.h"
#include "model/mapping.h"

/* Larger schedules are not made. */
#define PTL_SCHEDULE_UOPS_MAX (1u << 20)
#define PTL_SCHEDULE_CELLS_MAX (1u << 22) /* cycles times ports */

#define PTL_IDLE UINT32_MAX

/* A port in a cycle. */
typedef struct ptl_slot {
    uint32_t scheme;    /* index in the mapping, or PTL_IDLE */
    uint32_t uop;       /* which of the scheme's uops */
    uint32_t instance;  /* of the scheme, within its iteration, from 0 */
    uint32_t iteration; /* from 0 */
} ptl_slot;

typedef struct ptl_schedule {
    ptl_arena arena; /* owns the slots */
    size_t cycles;   /* T */
    unsigned port_count;
    const ptl_slot* slots; /* slots[cycle * port_count + port] */
} ptl_schedule;

/* An optimal schedule for that many iterations, at least 1, of e. The same arguments give the same schedule.
 * PTL_BAD_INPUT: a scheme that m does not explain, no iteration. PTL_LIMIT: too large. PTL_NO_MEMORY. */
ptl_status ptl_schedule_of(ptl_schedule* s, const ptl_mapping* m, const ptl_experiment* e,
                           uint64_t iterations, ptl_error* error);

void ptl_schedule_free(ptl_schedule* s);

#endif
