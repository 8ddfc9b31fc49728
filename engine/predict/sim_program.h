/* A block as the simulation runs it: per item its uops, what each of them waits for, and how long its results
 * take.
 *
 * Uops on ports of loads wait for the registers of the address alone, all others for everything. Latencies
 * are from a place to a place of the whole instruction, so an input i with the latency L(i, o) to the result
 * o may be late by
 *
 *     offset(i) = min over o of  L(i, o) - tail(o),      tail(o) = min over inputs i of L(i, o)
 *
 * before the instruction's last uop is: that one begins at max of ready(i) + offset(i), and the result is
 * there tail(o) after it, but not before ready(i) + L(i, o) of any i. Without contention these are the
 * latencies. */
#ifndef PTL_PREDICT_SIM_PROGRAM_H
#define PTL_PREDICT_SIM_PROGRAM_H

#include "base/arena.h"
#include "predict/critical.h"

#define PTL_SIM_UOPS_MAX 16384 /* of one iteration */

typedef struct ptl_sim_input {
    uint32_t result; /* that it waits for, of critical->results */
    uint8_t distance;
    bool address;            /* a register of an address */
    double offset;           /* cycles */
    const double* latencies; /* to each result of the item; negative: that one does not wait for it */
} ptl_sim_input;

typedef struct ptl_sim_uop {
    ptl_ports ports; /* 0: of a scheme whose ports are not known, which only keeps its unit busy */
    bool loads;
} ptl_sim_uop;

typedef struct ptl_sim_item {
    uint32_t slots;
    uint32_t first_uop, uop_count;
    uint32_t loads, works; /* uops that load, and the others */
    uint32_t first_input, input_count;
    uint32_t first_result, result_count; /* in `results` */
    double load_offset;                  /* cycles after the last load began, at which the others can */
    uint32_t unit;                       /* PTL_NO_UNIT */
    uint32_t holder; /* the uop that holds the unit: the first that does not load, or else the first */
    double unit_cycles;
} ptl_sim_item;

/* A result of an item; times are numbered like critical->results. */
typedef struct ptl_sim_result {
    uint32_t number;
    bool at_once;     /* it does not wait for the uops: it is there when renamed, as a stack pointer is, or
                       * one of its inputs passes to it in no time, as what a store writes does to a load */
    double tail;      /* cycles after the last uop that does not load began */
    double load_tail; /* after the last load began */
} ptl_sim_result;

typedef struct ptl_sim_program {
    ptl_arena arena;
    ptl_sim_item* items;
    uint32_t count;
    ptl_sim_uop* uops;
    uint32_t uop_count;
    ptl_sim_input* inputs;
    ptl_sim_result* results;
    uint32_t result_count;
} ptl_sim_program;

/* Of a block whose uses, needs and results are filled (ptl_critical_graph). PTL_LIMIT: too many uops;
 * PTL_NO_MEMORY. */
ptl_status ptl_sim_program_of(ptl_sim_program* p, const ptl_code_block* b, const ptl_critical* c,
                              ptl_error* error);

void ptl_sim_program_free(ptl_sim_program* p);

#endif
