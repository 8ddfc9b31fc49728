#include "smt/arith.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "smt/solver.h"

struct ptl_arith {
    ptl_solver solver;
    Z3_sort sorts[PTL_SORTS];
    Z3_ast* terms; /* one reference each */
    size_t count, capacity;
    uint64_t variables;
};

static void stick(ptl_arith* a, ptl_status status, const char* what) {
    ptl_solver_stick(&a->solver, status, what);
}

static bool well(ptl_arith* a) {
    return ptl_solver_well(&a->solver);
}

/* Takes over what Z3 has just made. */
static ptl_formula add(ptl_arith* a, Z3_ast made) {
    if (!well(a)) return PTL_FORMULA_FALSE;
    Z3_inc_ref(a->solver.context, made); /* before anything else: the next call may free what nobody holds */
    if (!ptl_room(&a->terms, &a->capacity, a->count + 1, sizeof *a->terms)) {
        stick(a, PTL_NO_MEMORY, "no memory for the terms");
        Z3_dec_ref(a->solver.context, made);
        return PTL_FORMULA_FALSE;
    }
    a->terms[a->count] = made;
    return (ptl_formula)a->count++;
}

static bool set_up(ptl_arith* a, uint64_t seed) {
    if (!ptl_solver_open(&a->solver, NULL, seed)) return false;
    Z3_sort sorts[PTL_SORTS];
    for (int s = 0; s < PTL_SORTS; s++) {
        sorts[s] = s == PTL_BOOLEAN ? Z3_mk_bool_sort(a->solver.context)
                   : s == PTL_WHOLE ? Z3_mk_int_sort(a->solver.context)
                                    : Z3_mk_real_sort(a->solver.context);
        if (!well(a)) return false;
        Z3_inc_ref(a->solver.context, Z3_sort_to_ast(a->solver.context, sorts[s]));
        a->sorts[s] = sorts[s];
    }
    add(a, Z3_mk_false(a->solver.context));
    add(a, Z3_mk_true(a->solver.context));
    return well(a);
}

ptl_status ptl_arith_new(ptl_arith** out, uint64_t seed, ptl_error* error) {
    *out = NULL;
    ptl_arith* a = calloc(1, sizeof *a);
    if (!a) return ptl_no_memory_in(error, "solver");
    if (!set_up(a, seed)) {
        ptl_status status = ptl_solver_failure(&a->solver, error);
        ptl_arith_free(a);
        return status;
    }
    *out = a;
    return PTL_OK;
}

void ptl_arith_free(ptl_arith* a) {
    if (!a) return;
    if (a->solver.context && !ptl_solver_is_lost(&a->solver)) {
        ptl_arith_release(a, 0);
        for (int s = 0; s < PTL_SORTS; s++)
            if (a->sorts[s]) Z3_dec_ref(a->solver.context, Z3_sort_to_ast(a->solver.context, a->sorts[s]));
    }
    ptl_solver_close(&a->solver);
    free(a->terms);
    free(a);
}

ptl_formula ptl_arith_variable(ptl_arith* a, ptl_sort sort, const char* name, ...) {
    if (a->solver.failure.status) return PTL_FORMULA_FALSE;
    char text[PTL_SYMBOL_SIZE];
    va_list arguments;
    va_start(arguments, name);
    ptl_solver_symbol(text, a->variables++, name, arguments);
    va_end(arguments);
    return add(a,
               Z3_mk_const(a->solver.context, Z3_mk_string_symbol(a->solver.context, text), a->sorts[sort]));
}

static ptl_formula numeral(ptl_arith* a, const char* text, ptl_sort sort) {
    return a->solver.failure.status ? PTL_FORMULA_FALSE
                                    : add(a, Z3_mk_numeral(a->solver.context, text, a->sorts[sort]));
}

ptl_formula ptl_arith_whole(ptl_arith* a, int64_t n) {
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, n);
    return numeral(a, text, PTL_WHOLE);
}

ptl_formula ptl_arith_ratio(ptl_arith* a, int64_t n, int64_t d) {
    char text[48];
    snprintf(text, sizeof text, "%" PRId64 "/%" PRId64, n, d);
    return numeral(a, text, PTL_REAL);
}

/* Returns what Z3 makes of n terms. After a failure terms mean nothing, and nothing is made. */
typedef Z3_ast many(Z3_context, unsigned, Z3_ast const*);
static ptl_formula make(ptl_arith* a, many* make_of, const ptl_formula* x, size_t n) {
    if (a->solver.failure.status) return PTL_FORMULA_FALSE;
    Z3_ast few[32] = {0}, *asts = n <= 32 ? few : malloc(n * sizeof *asts);
    if (!asts) {
        stick(a, PTL_NO_MEMORY, "no memory for a formula");
        return PTL_FORMULA_FALSE;
    }
    for (size_t i = 0; i < n; i++) asts[i] = a->terms[x[i]];
    ptl_formula made = add(a, make_of(a->solver.context, (unsigned)n, asts));
    if (asts != few) free(asts);
    return made;
}

typedef Z3_ast two(Z3_context, Z3_ast, Z3_ast);
static ptl_formula make_two(ptl_arith* a, two* make_of, ptl_formula x, ptl_formula y) {
    return a->solver.failure.status ? PTL_FORMULA_FALSE
                                    : add(a, make_of(a->solver.context, a->terms[x], a->terms[y]));
}

ptl_formula ptl_arith_real(ptl_arith* a, ptl_formula whole) {
    return a->solver.failure.status ? PTL_FORMULA_FALSE
                                    : add(a, Z3_mk_int2real(a->solver.context, a->terms[whole]));
}

ptl_formula ptl_arith_not(ptl_arith* a, ptl_formula x) {
    if (x == PTL_FORMULA_FALSE || x == PTL_FORMULA_TRUE) return !x;
    return a->solver.failure.status ? PTL_FORMULA_FALSE : add(a, Z3_mk_not(a->solver.context, a->terms[x]));
}

ptl_formula ptl_arith_and(ptl_arith* a, const ptl_formula* x, size_t n) {
    return n == 0 ? PTL_FORMULA_TRUE : n == 1 ? x[0] : make(a, Z3_mk_and, x, n);
}

ptl_formula ptl_arith_or(ptl_arith* a, const ptl_formula* x, size_t n) {
    return n == 0 ? PTL_FORMULA_FALSE : n == 1 ? x[0] : make(a, Z3_mk_or, x, n);
}

ptl_formula ptl_arith_implies(ptl_arith* a, ptl_formula x, ptl_formula y) {
    if (x == PTL_FORMULA_TRUE) return y;
    if (y == PTL_FORMULA_FALSE) return ptl_arith_not(a, x);
    return x == PTL_FORMULA_FALSE || y == PTL_FORMULA_TRUE ? PTL_FORMULA_TRUE
                                                           : make_two(a, Z3_mk_implies, x, y);
}

ptl_formula ptl_arith_iff(ptl_arith* a, ptl_formula x, ptl_formula y) {
    return make_two(a, Z3_mk_iff, x, y);
}

ptl_formula ptl_arith_if(ptl_arith* a, ptl_formula condition, ptl_formula x, ptl_formula y) {
    if (a->solver.failure.status) return PTL_FORMULA_FALSE;
    return add(a, Z3_mk_ite(a->solver.context, a->terms[condition], a->terms[x], a->terms[y]));
}

ptl_formula ptl_arith_exactly(ptl_arith* a, const ptl_formula* x, size_t n, unsigned k) {
    enum { MOST = 64 };
    if (a->solver.failure.status || n > MOST) return PTL_FORMULA_FALSE;
    Z3_ast asts[MOST];
    int ones[MOST];
    for (size_t i = 0; i < n; i++) {
        asts[i] = a->terms[x[i]];
        ones[i] = 1;
    }
    return add(a, Z3_mk_pbeq(a->solver.context, (unsigned)n, asts, ones, (int)k));
}

ptl_formula ptl_arith_sum(ptl_arith* a, const ptl_formula* x, size_t n) {
    return n == 1 ? x[0] : make(a, Z3_mk_add, x, n);
}

ptl_formula ptl_arith_product(ptl_arith* a, ptl_formula x, ptl_formula y) {
    return make(a, Z3_mk_mul, (ptl_formula[]){x, y}, 2);
}

ptl_formula ptl_arith_equal(ptl_arith* a, ptl_formula x, ptl_formula y) {
    return make_two(a, Z3_mk_eq, x, y);
}

ptl_formula ptl_arith_at_most(ptl_arith* a, ptl_formula x, ptl_formula y) {
    return make_two(a, Z3_mk_le, x, y);
}

ptl_formula ptl_arith_below(ptl_arith* a, ptl_formula x, ptl_formula y) {
    return make_two(a, Z3_mk_lt, x, y);
}

size_t ptl_arith_mark(const ptl_arith* a) {
    return a->count;
}

void ptl_arith_release(ptl_arith* a, size_t mark) {
    while (a->count > mark) Z3_dec_ref(a->solver.context, a->terms[--a->count]);
}

void ptl_arith_assert(ptl_arith* a, ptl_formula formula) {
    if (a->solver.failure.status) return;
    Z3_solver_assert(a->solver.context, a->solver.solver, a->terms[formula]);
    well(a);
}

void ptl_arith_push(ptl_arith* a) {
    Z3_solver_push(a->solver.context, a->solver.solver);
}

void ptl_arith_pop(ptl_arith* a) {
    Z3_solver_pop(a->solver.context, a->solver.solver, 1);
}

void ptl_arith_give_up(ptl_arith* a) {
    stick(a, PTL_NO_MEMORY, "no memory for the constraints");
}

void ptl_arith_deadline(ptl_arith* a, double when) {
    a->solver.deadline = when;
}

ptl_status ptl_arith_check(ptl_arith* a, const ptl_formula* assumptions, size_t n, bool* sat,
                           ptl_error* error) {
    Z3_ast* asts = malloc((n + 1) * sizeof *asts);
    if (!asts) stick(a, PTL_NO_MEMORY, "no memory for the assumptions");
    for (size_t i = 0; asts && i < n; i++) asts[i] = a->terms[assumptions[i]];
    ptl_status status = ptl_solver_check(&a->solver, asts, (unsigned)n, sat, error);
    free(asts);
    return status;
}

/* The value of a term in the model, or NULL. */
static Z3_ast value(const ptl_arith* a, ptl_formula x) {
    Z3_ast v = NULL;
    if (!a->solver.model || !Z3_model_eval(a->solver.context, a->solver.model, a->terms[x], true, &v))
        return NULL;
    return v;
}

bool ptl_arith_holds(const ptl_arith* a, ptl_formula boolean) {
    Z3_ast v = value(a, boolean);
    if (!v) return false;
    Z3_inc_ref(a->solver.context, v);
    bool holds = Z3_get_bool_value(a->solver.context, v) == Z3_L_TRUE;
    Z3_dec_ref(a->solver.context, v);
    return holds;
}

int64_t ptl_arith_number(const ptl_arith* a, ptl_formula whole) {
    int64_t n = -1;
    Z3_ast v = value(a, whole);
    if (!v) return -1;
    Z3_inc_ref(a->solver.context, v);
    if (!Z3_is_numeral_ast(a->solver.context, v) || !Z3_get_numeral_int64(a->solver.context, v, &n)) n = -1;
    Z3_dec_ref(a->solver.context, v);
    return n;
}

bool ptl_arith_in_core(const ptl_arith* a, ptl_formula assumption) {
    return ptl_solver_in_core(&a->solver, a->terms[assumption]);
}

char* ptl_arith_text(ptl_arith* a) {
    const char* all = Z3_solver_to_string(a->solver.context, a->solver.solver);
    if (!all || !well(a)) return NULL;
    static const char check[] = "(check-sat)\n";
    size_t length = strlen(all);
    char* text = malloc(length + sizeof check);
    if (!text) return NULL;
    memcpy(text, all, length);
    memcpy(text + length, check, sizeof check);
    return text;
}

double ptl_arith_seconds(const ptl_arith* a) {
    return a->solver.seconds;
}

size_t ptl_arith_checks(const ptl_arith* a) {
    return a->solver.checks;
}
