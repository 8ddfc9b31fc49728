/* Holds what is known of a processor for blocks of code: a port mapping and, beside it, latencies from place
 * to place, units that stay busy, what the front end fuses, what taken branches cost. Made once, then only
 * read: any thread may ask it. */
#ifndef PTL_PREDICT_BLOCK_MODEL_H
#define PTL_PREDICT_BLOCK_MODEL_H

#include "model/mapping.h"
#include "predict/item_shape.h"
#include "predict/memory_facts.h"
#include "predict/place_number.h"

#define PTL_LATENCY_MAX 1e6    /* cycles, also of units and branches */
#define PTL_LATENCIES_MAX 4096 /* of one scheme */
#define PTL_UNITS_MAX 65536
#define PTL_FUSED_MAX 64 /* mnemonics that one scheme fuses with */
/* To a base that is written back, unless measured: an addition of general registers is taken to be one cycle.
 */
#define PTL_WRITEBACK_CYCLES 1
#define PTL_NO_UNIT UINT32_MAX
#define PTL_NO_SCHEME UINT32_MAX

/* Cycles from one place of a scheme to another. */
typedef struct ptl_latency {
    uint8_t from, to; /* ptl_place_number */
    bool independent; /* it does not wait, whatever the cycles */
    bool has_same;
    double cycles;
    double same; /* if all source operands are one register; 0: it waits for nothing */
} ptl_latency;

/* Of one scheme, what no port mapping tells. */
typedef struct ptl_block_facts {
    const ptl_latency* latencies;
    uint32_t latency_count;
    uint32_t unit;          /* that an instance keeps busy; PTL_NO_UNIT */
    double unit_cycles;     /* for so long */
    uint32_t indexed_slots; /* issue slots of an instance whose address has an index; 0: as without */
    bool idiom; /* with one register for all sources no port executes it, and it waits for nothing */
    /* Cycles of pairs that are not among the latencies, from values and from registers of addresses;
     * negative: not known. */
    double other_value, other_address;
    /* The scheme that instances stand for which are of another form than those that were measured: they have
     * an immediate beyond PTL_SMALL_IMMEDIATE, an address with an index, or one register as both operands.
     * PTL_NO_SCHEME: this one. */
    uint32_t other_form;
    bool gives_late,
        takes_late;           /* where one gives its flags to the other, that one takes `late_flags` longer */
    bool takes_copy;          /* one issue slot with a copy of a register ahead of it that it works on */
    bool is_sum;              /* a floating-point addition: it gives its result to others `late_sums` later */
    const char* const* fused; /* mnemonics of conditional jumps with which it becomes one, if they follow */
    uint32_t fused_count;
} ptl_block_facts;

/* Immediates from -1024 to 1023 can be added when registers are renamed: on a Golden Cove `add rsi, 1000`
 * takes 0.5 cycles in a chain, `add rsi, 1024` takes 1. */
#define PTL_SMALL_IMMEDIATE 1024

#define PTL_BLOCK_FACTS_NONE                                                                                 \
    ((ptl_block_facts){                                                                                      \
        .unit = PTL_NO_UNIT, .other_value = -1, .other_address = -1, .other_form = PTL_NO_SCHEME})

/* Holds what instances of a shape cost beside what their scheme does. */
typedef struct ptl_shape_cost {
    uint32_t unit; /* that an instance keeps busy; PTL_NO_UNIT */
    double unit_cycles;
    double later;          /* cycles that its results come later */
    double later_by_index; /* the same behind the index of an address */
} ptl_shape_cost;

/* Straight code: so many issue slots in a line of code take so many cycles. */
typedef struct ptl_line_cost {
    double slots, cycles;
} ptl_line_cost;

#define PTL_LINE_COSTS_MAX 16
#define PTL_LINE_COST_STEP 0.01 /* slots from one to the next, at least */

typedef struct ptl_block_model {
    const ptl_mapping* mapping;           /* not owned */
    const ptl_architecture* architecture; /* of its schemes */
    ptl_arena arena;                      /* owns what is below */
    ptl_block_facts* facts;               /* per scheme of the mapping */
    uint32_t unit_count;
    double taken_branch; /* cycles that a loop takes at least, as it ends in a taken branch; 0: not known */
    double
        blocked; /* cycles from a store to the result of a load that lacks some of its bytes; 0: not known */
    ptl_cache_limits cache;
    ptl_memory_renaming renaming[PTL_CODE_KINDS];
    double stack_sync, stack_sync_address;   /* cycles that a stack pointer which pushes and pops moved comes
                                              * later to others, and to addresses; or 0 */
    double late_flags, late_sums;            /* cycles; 0: none, or not known */
    ptl_line_cost lines[PTL_LINE_COSTS_MAX]; /* what many short instructions cost: ascending slots */
    uint32_t line_count;
    ptl_shape_cost shapes[PTL_SHAPES];
    ptl_shape_cost
        awaited; /* of a uop on all ports of additions that gives another one its result, or gets one */
    ptl_ports add_ports;
    double load_cycles;   /* from the address of a plain load to its result; 0: not known */
    ptl_ports load_ports; /* of uops that only load: they wait for addresses alone */
    uint32_t* slots;      /* hash table of names: index into names; PTL_NO_SCHEME */
    uint32_t slot_mask;
    struct ptl_block_name* names;
    uint32_t name_count, name_capacity;
} ptl_block_model;

/* A model of this mapping, which must live as long, and room for so many further names of schemes. All facts
 * are PTL_BLOCK_FACTS_NONE. PTL_NO_MEMORY. */
ptl_status ptl_block_model_new(ptl_block_model* m, const ptl_mapping* mapping, size_t further_names,
                               ptl_error* error);

/* Sets the facts of a scheme; lists and strings are copied. PTL_BAD_INPUT: numbers out of range. */
ptl_status ptl_block_model_set(ptl_block_model* m, uint32_t scheme, const ptl_block_facts* facts,
                               ptl_error* error);

/* Lets a name that the mapping lacks stand for one of its schemes. Nothing happens if the name is known, or
 * there is no room. PTL_NO_MEMORY. */
ptl_status ptl_block_model_stand_in(ptl_block_model* m, const char* name, uint32_t scheme, ptl_error* error);

/* The index of a scheme in the mapping, or PTL_NO_SCHEME. */
uint32_t ptl_block_model_find(const ptl_block_model* m, const char* name);

/* Cycles from one place to another, for sources that are one register or not; negative: not known. Only
 * `waits` (or NULL) says that there is no wait at all, which 0 cycles are not: it becomes false. */
double ptl_block_latency(const ptl_block_facts* f, uint8_t from, uint8_t to, bool same, bool* waits);

void ptl_block_model_free(ptl_block_model* m);

#endif
