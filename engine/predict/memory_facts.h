/* Holds what is known of memory in a core: the width of its first cache, and how loads get what was just
 * stored. */
#ifndef PTL_PREDICT_MEMORY_FACTS_H
#define PTL_PREDICT_MEMORY_FACTS_H

#include <stdbool.h>

#define PTL_LINE 64 /* bytes of a line of the first cache */

/* Says how wide the first cache is, beside its ports. 0: there is no such limit, or it is not known. */
typedef struct ptl_cache_limits {
    double bank_loads;       /* loads a cycle from one bank */
    double crossing_loads;   /* loads that one counts as besides which crosses a line */
    double stored_lines;     /* lines a cycle that stores are written to */
    unsigned stored_at_once; /* stores in a row to one line that leave at once; 0: two */
    unsigned stored_bytes;   /* of a line that stores are written to at once; 0: all */
    double held_up; /* cycles from a load that waits for a store to reach the cache to the next one */
    double
        held_up_from_start; /* the same of loads that begin where the store does; 0: they are not held up */
    double narrow_stall;    /* cycles that a line holds up stores which come back after a narrow one */
    unsigned narrow_lines;  /* if they come back within so many turns */
    unsigned narrow_bytes;  /* a narrow store has at most so many */
    unsigned bank_bytes;    /* of a line that are a bank; 0: 8 */
    bool handed_alone;      /* a store that a load gets leaves for the cache with no other */
} ptl_cache_limits;

/* Cores that rename memory hand what was stored to the load that is thought to want it, in no time and before
 * either address is known. The fields say whether they do it, also where something is the matter with
 * the address. */
typedef struct ptl_memory_renaming {
    bool plain;      /* nothing is: both have one address, by a register that stays as it is */
    bool framed;     /* the same, by the stack pointer */
    bool moved;      /* a register of the address, other than the stack pointer, was written in between */
    bool stack;      /* the stack pointer is one of the address, and was written in between */
    bool indexed;    /* the load's address has an index */
    bool other_base; /* the load has its address from other registers than the store */
    bool inside;     /* the load begins behind the first byte that was stored */
    double in_place; /* cycles that an update in place takes if it is not done; 0: not known */
    double chained;  /* cycles of load ports that an access costs besides, whose address waits for a load */
    double later;    /* cycles that a load takes longer then than from its address alone */
} ptl_memory_renaming;

/* This is so where nobody says otherwise. */
#define PTL_MEMORY_RENAMED ((ptl_memory_renaming){.plain = true, .framed = true})

/* A core may learn in a short loop which load wants what is stored, and not in long code without a branch. */
typedef enum ptl_code_kind { PTL_CODE_LOOP, PTL_CODE_STRAIGHT, PTL_CODE_KINDS } ptl_code_kind;

#endif
