/* Dependencies through the x87 stack, whose registers are counted from a top that moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "isa/architecture.h"
#include "predict/block_bounds.h"

enum { DEPTH = 6, STEPS_MAX = 12, TEXT = 1024 };

typedef enum op { FLD, FLD_LOAD, FADD, FADD_TO, FADDP, FXCH, FCHS, FSTP, FST, FADD_LOAD, TURN, OPS } op;

/* Cycles from operand 1 and from operand 2 to the result, and from 1 to 2 where both are results. */
typedef struct op_facts {
    const char *scheme, *text;
    int from[2]; /* -1: no such pair */
    const char* to[2];
} op_facts;

static const op_facts ops[OPS] = {
    [FLD] = {"fld st", "fld st(%u)", {1, -1}, {"2", ""}},
    [FLD_LOAD] = {"fld m64", "fld qword ptr [rsi]", {-1, -1}, {"", ""}},
    [FADD] = {"fadd st0, st", "fadd st, st(%u)", {4, 5}, {"1", "1"}},
    [FADD_TO] = {"fadd st, st0", "fadd st(%u), st", {4, 6}, {"1", "1"}},
    [FADDP] = {"faddp st, st0", "faddp st(%u), st", {4, 7}, {"1", "1"}},
    [FXCH] = {"fxch st", "fxch st(%u)", {1, 2}, {"2", "1"}},
    [FCHS] = {"fchs", "fchs", {2, -1}, {"1", ""}},
    [FSTP] = {"fstp st", "fstp st(%u)", {-1, 3}, {"", "1"}},
    [FST] = {"fst st", "fst st(%u)", {-1, 2}, {"", "1"}},
    [FADD_LOAD] = {"fadd m64", "fadd qword ptr [rsi]", {-1, 4}, {"", "2"}},
    [TURN] = {"fincstp", "fincstp", {-1, -1}, {"", ""}},
};

typedef struct world {
    ptl_mapping mapping;
    ptl_block_model model;
} world;

static void world_new(world* w) {
    static const char* const names[] = {"0"};
    assert_int_equal(ptl_mapping_new(&w->mapping, names, 1, OPS, 64, NULL), PTL_OK);
    const ptl_uop uop = {1, 1};
    for (unsigned o = 0; o < OPS; o++)
        assert_int_equal(ptl_mapping_add(&w->mapping, ops[o].scheme, &uop, 1, 1, NULL), PTL_OK);
    assert_int_equal(ptl_block_model_new(&w->model, &w->mapping, 0, NULL), PTL_OK);
    for (unsigned o = 0; o < OPS; o++) {
        static const char* const from[2] = {"1", "2"};
        ptl_latency list[2];
        ptl_block_facts f = PTL_BLOCK_FACTS_NONE;
        f.latencies = list;
        for (int k = 0; k < 2; k++)
            if (ops[o].from[k] >= 0)
                list[f.latency_count++] = (ptl_latency){.from = ptl_place_number(&ptl_x86_64, from[k]),
                                                        .to = ptl_place_number(&ptl_x86_64, ops[o].to[k]),
                                                        .cycles = ops[o].from[k]};
        assert_int_equal(ptl_block_model_set(&w->model, o, &f, NULL), PTL_OK);
    }
}

static void world_free(world* w) {
    ptl_block_model_free(&w->model);
    ptl_mapping_free(&w->mapping);
}

static double dependencies_of(const char* text) {
    world core;
    ptl_code code = {0};
    ptl_error error;
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    ptl_block_bounds b;
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    world_new(&core);
    if (ptl_x86_64.assemble(text, strlen(text), &code, &error)) fail_msg("%s: %s", text, error.what);
    assert_int_equal(ptl_code_block_decode(&w.block, &core.model, code.bytes, code.size, NULL), PTL_OK);
    assert_int_equal(ptl_block_bounds_of(&w, &change, &b, NULL), PTL_OK);
    assert_int_equal(b.unknown, 0);
    ptl_code_free(&code);
    ptl_block_work_free(&w);
    world_free(&core);
    return b.of[PTL_BOUND_DEPENDENCIES];
}

static void sums_wait_for_themselves(void** state) {
    (void)state;
    assert_float_equal(dependencies_of("fld qword ptr [rsi]\nfaddp st(1), st\n"), 4, 1e-9);
    assert_float_equal(dependencies_of("fadd qword ptr [rsi]\n"), 4, 1e-9);
    assert_float_equal(dependencies_of("fld qword ptr [rsi]\nfaddp st(1), st\n"
                                       "fld qword ptr [rsi]\nfaddp st(2), st\n"),
                       4, 1e-9);
}

/* st0 ahead of the load is the sum, which the load makes st1. */
static void loads_and_pops_move_the_top(void** state) {
    (void)state;
    assert_float_equal(dependencies_of("fchs\nfld qword ptr [rsi]\nfaddp st(1), st\n"), 6, 1e-9);
    assert_float_equal(dependencies_of("fld qword ptr [rsi]\nfchs\nfaddp st(1), st\n"), 4, 1e-9);
    assert_float_equal(dependencies_of("fld st(0)\nfchs\nfaddp st(1), st\n"), 1 + 2 + 7, 1e-9);
    assert_float_equal(dependencies_of("fld qword ptr [rsi]\nfadd st, st(1)\nfstp st(1)\n"), 5 + 3, 1e-9);
    assert_float_equal(dependencies_of("fstp st(0)\nfld qword ptr [rsi]\nfchs\n"), 0, 1e-9);
}

static void exchanges_lead_across(void** state) {
    (void)state;
    assert_float_equal(dependencies_of("fxch st(1)\n"), 1.5, 1e-9);
    assert_float_equal(dependencies_of("fadd st, st(2)\nfxch st(1)\nfadd st, st(2)\nfxch st(1)\n"), 4 + 1 + 2,
                       1e-9);
}

/* A turn of the whole stack brings every register back; one that is not whole does so after iterations. */
static void turns_bring_registers_back(void** state) {
    (void)state;
    assert_float_equal(dependencies_of("fchs\nfincstp\nfincstp\nfincstp\nfincstp\nfincstp\nfincstp\nfincstp\n"
                                       "fincstp\n"),
                       2, 1e-9);
    assert_float_equal(dependencies_of("fchs\nfincstp\nfincstp\nfincstp\nfincstp\n"), 1, 1e-9);
}

/* ---- random programs, beside a list of the times when its registers are there ---- */

typedef struct step {
    op op;
    unsigned i;
} step;

/* Steps that leave the stack as deep as it was. */
static size_t random_steps(ptl_rng* rng, step* out) {
    size_t n = 0;
    unsigned depth = DEPTH;
    while (n < STEPS_MAX - 2) {
        op o = (op)ptl_rng_below(rng, TURN);
        bool pushes = o == FLD || o == FLD_LOAD, pops = o == FADDP || o == FSTP;
        if ((pushes && depth > DEPTH) || (pops && depth < DEPTH)) continue;
        out[n++] = (step){o, 1 + (unsigned)ptl_rng_below(rng, DEPTH - 2)};
        depth += (unsigned)pushes - (unsigned)pops;
        if (depth == DEPTH && ptl_rng_below(rng, 3) == 0) return n;
    }
    if (depth > DEPTH) out[n++] = (step){FADDP, 1};
    if (depth < DEPTH) out[n++] = (step){FLD_LOAD, 0};
    return n;
}

static void push(double* stack, double time) {
    memmove(stack + 1, stack, (DEPTH + 1) * sizeof *stack);
    stack[0] = time;
}

static void pop(double* stack) {
    memmove(stack, stack + 1, (DEPTH + 1) * sizeof *stack);
}

static void run(double* stack, step s) {
    const int* from = ops[s.op].from;
    double top = stack[0], other = stack[s.i];
    switch (s.op) {
    case FLD: push(stack, other + from[0]); break;
    case FLD_LOAD: push(stack, 0); break;
    case FADD: stack[0] = fmax(top + from[0], other + from[1]); break;
    case FADD_TO:
    case FADDP: stack[s.i] = fmax(other + from[0], top + from[1]); break;
    case FXCH: stack[0] = other + from[0], stack[s.i] = top + from[1]; break;
    case FCHS: stack[0] = top + from[0]; break;
    case FSTP:
    case FST: stack[s.i] = top + from[1]; break;
    case FADD_LOAD: stack[0] = top + from[1]; break;
    default: fail();
    }
    if (s.op == FADDP || s.op == FSTP) pop(stack);
}

static double unrolled(const step* steps, size_t n) {
    enum { HALF = 840 };
    double stack[DEPTH + 2] = {0}, half = 0, latest = 0;
    for (unsigned k = 0; k < 2 * HALF; k++) {
        if (k == HALF) half = latest;
        for (size_t i = 0; i < n; i++) {
            run(stack, steps[i]);
            for (unsigned r = 0; r < DEPTH; r++) latest = fmax(latest, stack[r]);
        }
    }
    return (latest - half) / HALF;
}

static void random_programs(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(3);
    unsigned waits = 0;
    for (unsigned k = 0; k < 2000; k++) {
        step steps[STEPS_MAX];
        char text[TEXT] = "";
        size_t n = random_steps(&rng, steps), used = 0;
        for (size_t i = 0; i < n; i++) {
            used += (size_t)snprintf(text + used, TEXT - used, ops[steps[i].op].text, steps[i].i);
            used += (size_t)snprintf(text + used, TEXT - used, "\n");
        }
        double slow = unrolled(steps, n), fast = dependencies_of(text);
        if (fabs(slow - fast) > 0.03) fail_msg("%s: %g cycles, not %g", text, fast, slow);
        waits += slow > 0;
    }
    assert_true(waits > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_wait_for_themselves), cmocka_unit_test(loads_and_pops_move_the_top),
        cmocka_unit_test(exchanges_lead_across),    cmocka_unit_test(turns_bring_registers_back),
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
