#include "smt/arith.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <z3.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "smt/watch.h"

struct ptl_arith {
    Z3_context context;
    Z3_solver solver;
    Z3_sort sorts[PTL_SORTS];
    Z3_ast* terms; /* one reference each */
    size_t count, capacity;
    uint64_t variables;
    Z3_model model;     /* of the last satisfiable check */
    Z3_ast_vector core; /* of the last unsatisfiable one */
    double deadline, seconds;
    size_t checks;
    ptl_error failure; /* the first one; status PTL_OK as long as all is well */
};

/* Z3's default handler ends the process; with this one the error code is asked for after the call. */
static void no_abort(Z3_context c, Z3_error_code code) {
    (void)c;
    (void)code;
}

static void stick(ptl_arith* a, ptl_status s, const char* what) {
    if (a->failure.status == PTL_OK) ptl_fail(&a->failure, s, "solver", NULL, "%s", what);
}

static bool well(ptl_arith* a) {
    if (a->failure.status != PTL_OK) return false;
    Z3_error_code code = Z3_get_error_code(a->context);
    if (code == Z3_OK) return true;
    stick(a, code == Z3_MEMOUT_FAIL ? PTL_NO_MEMORY : PTL_INTERNAL, Z3_get_error_msg(a->context, code));
    return false;
}

static bool grow(ptl_arith* a) {
    size_t capacity = a->capacity ? 2 * a->capacity : 1024;
    Z3_ast* terms = realloc(a->terms, capacity * sizeof *terms);
    if (!terms) {
        stick(a, PTL_NO_MEMORY, "no memory for the terms");
        return false;
    }
    a->terms = terms;
    a->capacity = capacity;
    return true;
}

/* Takes over what Z3 has just made. */
static ptl_formula add(ptl_arith* a, Z3_ast made) {
    if (!well(a)) return PTL_FORMULA_FALSE;
    Z3_inc_ref(a->context, made); /* before anything else: the next call may free what nobody holds */
    if (a->count == a->capacity && !grow(a)) {
        Z3_dec_ref(a->context, made);
        return PTL_FORMULA_FALSE;
    }
    a->terms[a->count] = made;
    return (ptl_formula)a->count++;
}

/* The simple solver is Z3's incremental SMT core as it is: assertions and their negation by push and pop,
 * without the tactics that the default one tries before the first push. */
static bool start_solver(ptl_arith* a, uint64_t seed) {
    a->solver = Z3_mk_simple_solver(a->context);
    if (!well(a)) return false;
    Z3_solver_inc_ref(a->context, a->solver);
    Z3_params params = Z3_mk_params(a->context);
    Z3_params_inc_ref(a->context, params);
    Z3_params_set_uint(a->context, params, Z3_mk_string_symbol(a->context, "random_seed"),
                       (unsigned)(seed & 0x7fffffff));
    Z3_solver_set_params(a->context, a->solver, params);
    Z3_params_dec_ref(a->context, params);
    return well(a);
}

static bool set_up(ptl_arith* a, uint64_t seed) {
    Z3_config config = Z3_mk_config();
    Z3_set_param_value(config, "model", "true");
    a->context = Z3_mk_context_rc(config);
    Z3_del_config(config);
    if (!a->context) return false;
    Z3_set_error_handler(a->context, no_abort);
    if (!start_solver(a, seed)) return false;
    Z3_sort sorts[PTL_SORTS];
    for (int s = 0; s < PTL_SORTS; s++) {
        sorts[s] = s == PTL_BOOLEAN ? Z3_mk_bool_sort(a->context)
                   : s == PTL_WHOLE ? Z3_mk_int_sort(a->context)
                                    : Z3_mk_real_sort(a->context);
        if (!well(a)) return false;
        Z3_inc_ref(a->context, Z3_sort_to_ast(a->context, sorts[s]));
        a->sorts[s] = sorts[s];
    }
    add(a, Z3_mk_false(a->context));
    add(a, Z3_mk_true(a->context));
    return well(a);
}

ptl_status ptl_arith_new(ptl_arith** out, uint64_t seed, ptl_error* e) {
    *out = NULL;
    ptl_arith* a = calloc(1, sizeof *a);
    if (!a) return ptl_fail(e, PTL_NO_MEMORY, "solver", NULL, "no memory");
    if (!set_up(a, seed)) {
        ptl_error failure = a->failure;
        ptl_arith_free(a);
        if (failure.status == PTL_OK) ptl_fail(&failure, PTL_INTERNAL, "solver", NULL, "Z3 did not start");
        if (e) *e = failure;
        return failure.status;
    }
    *out = a;
    return PTL_OK;
}

static void drop_answer(ptl_arith* a) {
    if (a->model) Z3_model_dec_ref(a->context, a->model);
    if (a->core) Z3_ast_vector_dec_ref(a->context, a->core);
    a->model = NULL;
    a->core = NULL;
}

void ptl_arith_free(ptl_arith* a) {
    if (!a) return;
    if (a->context) {
        drop_answer(a);
        ptl_arith_release(a, 0);
        for (int s = 0; s < PTL_SORTS; s++)
            if (a->sorts[s]) Z3_dec_ref(a->context, Z3_sort_to_ast(a->context, a->sorts[s]));
        if (a->solver) Z3_solver_dec_ref(a->context, a->solver);
        Z3_del_context(a->context);
    }
    free(a->terms);
    free(a);
}

ptl_formula ptl_arith_variable(ptl_arith* a, ptl_sort sort, const char* name, ...) {
    if (a->failure.status != PTL_OK) return PTL_FORMULA_FALSE;
    char text[64];
    va_list arguments;
    va_start(arguments, name);
    int length = vsnprintf(text, sizeof text - 24, name, arguments);
    va_end(arguments);
    if (length > (int)sizeof text - 25) length = (int)sizeof text - 25;
    /* Z3 takes equal names for the same variable. */
    snprintf(text + length, 24, "_%" PRIu64, a->variables++);
    return add(a, Z3_mk_const(a->context, Z3_mk_string_symbol(a->context, text), a->sorts[sort]));
}

static ptl_formula numeral(ptl_arith* a, const char* text, ptl_sort sort) {
    return a->failure.status == PTL_OK ? add(a, Z3_mk_numeral(a->context, text, a->sorts[sort]))
                                       : PTL_FORMULA_FALSE;
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

/* What Z3 makes of n terms. After a failure terms mean nothing, and nothing is made. */
typedef Z3_ast many(Z3_context, unsigned, Z3_ast const*);
static ptl_formula make(ptl_arith* a, many* make_of, const ptl_formula* x, size_t n) {
    if (a->failure.status != PTL_OK) return PTL_FORMULA_FALSE;
    Z3_ast few[32] = {0}, *asts = n <= 32 ? few : malloc(n * sizeof *asts);
    if (!asts) {
        stick(a, PTL_NO_MEMORY, "no memory for a formula");
        return PTL_FORMULA_FALSE;
    }
    for (size_t i = 0; i < n; i++) asts[i] = a->terms[x[i]];
    ptl_formula made = add(a, make_of(a->context, (unsigned)n, asts));
    if (asts != few) free(asts);
    return made;
}

typedef Z3_ast two(Z3_context, Z3_ast, Z3_ast);
static ptl_formula make_two(ptl_arith* a, two* make_of, ptl_formula x, ptl_formula y) {
    return a->failure.status == PTL_OK ? add(a, make_of(a->context, a->terms[x], a->terms[y]))
                                       : PTL_FORMULA_FALSE;
}

ptl_formula ptl_arith_real(ptl_arith* a, ptl_formula whole) {
    return a->failure.status == PTL_OK ? add(a, Z3_mk_int2real(a->context, a->terms[whole]))
                                       : PTL_FORMULA_FALSE;
}

ptl_formula ptl_arith_not(ptl_arith* a, ptl_formula x) {
    if (x == PTL_FORMULA_FALSE || x == PTL_FORMULA_TRUE) return !x;
    return a->failure.status == PTL_OK ? add(a, Z3_mk_not(a->context, a->terms[x])) : PTL_FORMULA_FALSE;
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
    if (a->failure.status != PTL_OK) return PTL_FORMULA_FALSE;
    return add(a, Z3_mk_ite(a->context, a->terms[condition], a->terms[x], a->terms[y]));
}

ptl_formula ptl_arith_exactly(ptl_arith* a, const ptl_formula* x, size_t n, unsigned k) {
    enum { MOST = 64 };
    if (a->failure.status != PTL_OK || n > MOST) return PTL_FORMULA_FALSE;
    Z3_ast asts[MOST];
    int ones[MOST];
    for (size_t i = 0; i < n; i++) {
        asts[i] = a->terms[x[i]];
        ones[i] = 1;
    }
    return add(a, Z3_mk_pbeq(a->context, (unsigned)n, asts, ones, (int)k));
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
    while (a->count > mark) Z3_dec_ref(a->context, a->terms[--a->count]);
}

void ptl_arith_assert(ptl_arith* a, ptl_formula formula) {
    if (a->failure.status != PTL_OK) return;
    Z3_solver_assert(a->context, a->solver, a->terms[formula]);
    well(a);
}

void ptl_arith_push(ptl_arith* a) {
    Z3_solver_push(a->context, a->solver);
}

void ptl_arith_pop(ptl_arith* a) {
    Z3_solver_pop(a->context, a->solver, 1);
}

void ptl_arith_give_up(ptl_arith* a) {
    stick(a, PTL_NO_MEMORY, "no memory for the constraints");
}

void ptl_arith_deadline(ptl_arith* a, double when) {
    a->deadline = when;
}

static void keep_answer(ptl_arith* a, Z3_lbool answer) {
    if (answer == Z3_L_TRUE) {
        Z3_model model = Z3_solver_get_model(a->context, a->solver);
        if (!well(a)) return;
        Z3_model_inc_ref(a->context, model);
        a->model = model;
    } else if (answer == Z3_L_FALSE) {
        Z3_ast_vector core = Z3_solver_get_unsat_core(a->context, a->solver);
        if (!well(a)) return;
        Z3_ast_vector_inc_ref(a->context, core);
        a->core = core;
    }
}

static Z3_lbool solve(ptl_arith* a, const ptl_formula* assumptions, size_t n, ptl_status* reason) {
    Z3_ast* asts = malloc((n + 1) * sizeof *asts);
    if (!asts) {
        stick(a, PTL_NO_MEMORY, "no memory for the assumptions");
        return Z3_L_UNDEF;
    }
    for (size_t i = 0; i < n; i++) asts[i] = a->terms[assumptions[i]];
    drop_answer(a);
    double start = ptl_now();
    ptl_watch watch;
    ptl_watch_start(&watch, a->context, a->deadline);
    Z3_lbool answer = Z3_solver_check_assumptions(a->context, a->solver, (unsigned)n, asts);
    *reason = ptl_watch_end(&watch);
    keep_answer(a, answer);
    a->seconds += ptl_now() - start;
    a->checks++;
    free(asts);
    return answer;
}

ptl_status ptl_arith_check(ptl_arith* a, const ptl_formula* assumptions, size_t n, bool* sat, ptl_error* e) {
    *sat = false;
    ptl_status reason = PTL_OK;
    Z3_lbool answer = Z3_L_UNDEF;
    if (ptl_interrupted()) return ptl_fail(e, PTL_INTERRUPTED, NULL, NULL, "interrupted");
    if (a->deadline > 0 && ptl_now() >= a->deadline) return ptl_fail(e, PTL_LIMIT, NULL, NULL, "out of time");
    if (well(a)) answer = solve(a, assumptions, n, &reason);
    if (answer == Z3_L_UNDEF && reason != PTL_OK)
        return ptl_fail(e, reason, NULL, NULL, reason == PTL_LIMIT ? "out of time" : "interrupted");
    if (answer == Z3_L_UNDEF && well(a))
        return ptl_fail(e, PTL_LIMIT, NULL, NULL, "Z3 can't tell: %s",
                        Z3_solver_get_reason_unknown(a->context, a->solver));
    *sat = answer == Z3_L_TRUE;
    if (a->failure.status != PTL_OK && e) *e = a->failure;
    return a->failure.status;
}

/* The value of a term in the model, or NULL. */
static Z3_ast value(const ptl_arith* a, ptl_formula x) {
    Z3_ast v = NULL;
    if (!a->model || !Z3_model_eval(a->context, a->model, a->terms[x], true, &v)) return NULL;
    return v;
}

bool ptl_arith_holds(const ptl_arith* a, ptl_formula boolean) {
    Z3_ast v = value(a, boolean);
    if (!v) return false;
    Z3_inc_ref(a->context, v);
    bool holds = Z3_get_bool_value(a->context, v) == Z3_L_TRUE;
    Z3_dec_ref(a->context, v);
    return holds;
}

int64_t ptl_arith_number(const ptl_arith* a, ptl_formula whole) {
    int64_t n = -1;
    Z3_ast v = value(a, whole);
    if (!v) return -1;
    Z3_inc_ref(a->context, v);
    if (!Z3_is_numeral_ast(a->context, v) || !Z3_get_numeral_int64(a->context, v, &n)) n = -1;
    Z3_dec_ref(a->context, v);
    return n;
}

bool ptl_arith_in_core(const ptl_arith* a, ptl_formula assumption) {
    if (!a->core) return false;
    unsigned size = Z3_ast_vector_size(a->context, a->core);
    for (unsigned j = 0; j < size; j++) {
        Z3_ast member = Z3_ast_vector_get(a->context, a->core, j); /* held by the vector */
        if (Z3_is_eq_ast(a->context, member, a->terms[assumption])) return true;
    }
    return false;
}

char* ptl_arith_text(ptl_arith* a) {
    const char* all = Z3_solver_to_string(a->context, a->solver);
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
    return a->seconds;
}

size_t ptl_arith_checks(const ptl_arith* a) {
    return a->checks;
}
