/* Finds what the operands of a form read and write, and its flags. Capstone tells it, too, but often wrongly:
 * rules replace its word, and every rule that changed anything is listed as a repair (docs/scheme-names.md
 * has the table). */
#ifndef PTL_ISA_AARCH64_DERIVE_ACCESS_H
#define PTL_ISA_AARCH64_DERIVE_ACCESS_H

#include "isa/aarch64/derive/derive.h"
#include "isa/aarch64/derive/probe.h"

typedef enum ptl_a64_repair {
    PTL_REPAIR_NONE,         /* Capstone is right */
    PTL_REPAIR_LOAD_DATA,    /* registers that a load fills are written, all of the list, and not read */
    PTL_REPAIR_LOAD_LANE,    /* a load into one element keeps the others */
    PTL_REPAIR_STORE_DATA,   /* registers that are stored are read, all of the list */
    PTL_REPAIR_LOAD_MEMORY,  /* loads and prefetches read memory */
    PTL_REPAIR_STORE_MEMORY, /* stores write memory, and do not read it */
    PTL_REPAIR_NO_RESULT,    /* comparisons, branches and stores to system registers write no register */
    PTL_REPAIR_UPDATED,      /* accumulators, insertions and upper halves: the old value counts */
    PTL_REPAIR_RESULT,       /* the first operand is a result, which is not read */
    PTL_REPAIR_SOURCE,       /* the other operands are read */
    PTL_REPAIR_FLAGS,        /* which flags are written */
    PTL_REPAIRS
} ptl_a64_repair;

/* One line that says why. */
const char* ptl_repair_text(ptl_a64_repair repair);

/* Fills access, flags, branch, category, feature and the widths of memory in d, and what Capstone says of
 * d->word. False if Capstone differs where no rule says why. */
bool ptl_derive_access(ptl_probe* probe, ptl_derived* d);

#endif
