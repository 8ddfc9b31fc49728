#include "smt/z3.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <z3.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "smt/watch.h"

struct ptl_z3 {
    Z3_context context;
    Z3_solver solver;
    Z3_sort boolean;
    /* Variable v is positive[v]; its negation negative[v]. Index 0 is unused, 1 is the constant true. */
    Z3_ast *positive, *negative;
    Z3_model model; /* of the last satisfiable check */
    size_t count, capacity;
    ptl_literal* core;
    size_t core_count, core_capacity;
    double deadline, seconds;
    size_t checks;
    ptl_error failure; /* the first one; status PTL_OK as long as all is well */
};

/* Z3's default handler ends the process; with this one the error code is asked for after the call. */
static void no_abort(Z3_context c, Z3_error_code code) {
    (void)c;
    (void)code;
}

static void stick(ptl_z3* z, ptl_status s, const char* what) {
    if (z->failure.status == PTL_OK) ptl_fail(&z->failure, s, "solver", NULL, "%s", what);
}

static bool well(ptl_z3* z) {
    if (z->failure.status != PTL_OK) return false;
    Z3_error_code code = Z3_get_error_code(z->context);
    if (code == Z3_OK) return true;
    stick(z, code == Z3_MEMOUT_FAIL ? PTL_NO_MEMORY : PTL_INTERNAL, Z3_get_error_msg(z->context, code));
    return false;
}

static bool grow(ptl_z3* z) {
    size_t capacity = z->capacity ? 2 * z->capacity : 1024;
    Z3_ast* p = realloc(z->positive, capacity * sizeof *p);
    if (p) z->positive = p;
    Z3_ast* n = realloc(z->negative, capacity * sizeof *n);
    if (n) z->negative = n;
    if (!p || !n) {
        stick(z, PTL_NO_MEMORY, "no memory for the variables");
        return false;
    }
    z->capacity = capacity;
    return true;
}

/* Takes over a formula and its negation as the next variable. */
static ptl_literal add(ptl_z3* z, Z3_ast positive) {
    if (!well(z) || (z->count == z->capacity && !grow(z))) return PTL_FALSE;
    Z3_inc_ref(z->context, positive);
    Z3_ast negative = Z3_mk_not(z->context, positive);
    if (!well(z)) {
        Z3_dec_ref(z->context, positive);
        return PTL_FALSE;
    }
    Z3_inc_ref(z->context, negative);
    z->positive[z->count] = positive;
    z->negative[z->count] = negative;
    return (ptl_literal)z->count++;
}

static bool set_up(ptl_z3* z, uint64_t seed) {
    Z3_config config = Z3_mk_config();
    Z3_set_param_value(config, "model", "true");
    z->context = Z3_mk_context_rc(config);
    Z3_del_config(config);
    if (!z->context) return false;
    Z3_set_error_handler(z->context, no_abort);
    /* Finite domains: Z3's incremental SAT solver without the SMT core around it. */
    z->solver = Z3_mk_solver_for_logic(z->context, Z3_mk_string_symbol(z->context, "QF_FD"));
    if (!z->solver || !well(z)) return false;
    Z3_solver_inc_ref(z->context, z->solver);
    Z3_params params = Z3_mk_params(z->context);
    Z3_params_inc_ref(z->context, params);
    Z3_params_set_uint(z->context, params, Z3_mk_string_symbol(z->context, "random_seed"),
                       (unsigned)(seed & 0x7fffffff));
    Z3_solver_set_params(z->context, z->solver, params);
    Z3_params_dec_ref(z->context, params);
    z->boolean = Z3_mk_bool_sort(z->context);
    Z3_inc_ref(z->context, Z3_sort_to_ast(z->context, z->boolean));
    if (!well(z) || !grow(z)) return false;
    z->positive[0] = z->negative[0] = NULL;
    z->count = 1;
    add(z, Z3_mk_true(z->context));
    return well(z);
}

ptl_status ptl_z3_new(ptl_z3** out, uint64_t seed, ptl_error* e) {
    *out = NULL;
    ptl_z3* z = calloc(1, sizeof *z);
    if (!z) return ptl_fail(e, PTL_NO_MEMORY, "solver", NULL, "no memory");
    if (!set_up(z, seed)) {
        ptl_error failure = z->failure;
        ptl_z3_free(z);
        if (failure.status != PTL_OK) {
            if (e) *e = failure;
            return failure.status;
        }
        return ptl_fail(e, PTL_INTERNAL, "solver", NULL, "Z3 did not start");
    }
    *out = z;
    return PTL_OK;
}

void ptl_z3_free(ptl_z3* z) {
    if (!z) return;
    for (size_t v = 1; v < z->count; v++) {
        Z3_dec_ref(z->context, z->positive[v]);
        Z3_dec_ref(z->context, z->negative[v]);
    }
    if (z->model) Z3_model_dec_ref(z->context, z->model);
    if (z->boolean) Z3_dec_ref(z->context, Z3_sort_to_ast(z->context, z->boolean));
    if (z->solver) Z3_solver_dec_ref(z->context, z->solver);
    if (z->context) Z3_del_context(z->context);
    free(z->positive);
    free(z->negative);
    free(z->core);
    free(z);
}

ptl_literal ptl_z3_variable(ptl_z3* z, const char* name, ...) {
    if (z->failure.status != PTL_OK) return PTL_FALSE;
    char text[64];
    va_list arguments;
    va_start(arguments, name);
    int length = vsnprintf(text, sizeof text - 24, name, arguments);
    va_end(arguments);
    if (length > (int)sizeof text - 25) length = (int)sizeof text - 25;
    snprintf(text + length, 24, "_%zu", z->count); /* Z3 takes equal names for the same variable */
    return add(z, Z3_mk_const(z->context, Z3_mk_string_symbol(z->context, text), z->boolean));
}

static Z3_ast ast(const ptl_z3* z, ptl_literal l) {
    return l > 0 ? z->positive[l] : z->negative[-l];
}

void ptl_z3_clause(ptl_z3* z, const ptl_literal* literals, size_t n) {
    if (z->failure.status != PTL_OK) return;
    Z3_ast few[32], *asts = n <= 32 ? few : malloc(n * sizeof *asts);
    if (!asts) {
        stick(z, PTL_NO_MEMORY, "no memory for a clause");
        return;
    }
    unsigned count = 0;
    bool satisfied = false;
    for (size_t i = 0; i < n; i++) {
        if (literals[i] == PTL_TRUE) satisfied = true;
        if (literals[i] != PTL_FALSE) asts[count++] = ast(z, literals[i]);
    }
    if (!satisfied) {
        Z3_ast clause = count == 0   ? z->negative[PTL_TRUE]
                        : count == 1 ? asts[0]
                                     : Z3_mk_or(z->context, count, asts);
        if (well(z)) {
            Z3_inc_ref(z->context, clause);
            Z3_solver_assert(z->context, z->solver, clause);
            Z3_dec_ref(z->context, clause);
            well(z);
        }
    }
    if (asts != few) free(asts);
}

void ptl_z3_or(ptl_z3* z, ptl_literal a, ptl_literal b, ptl_literal c, ptl_literal d) {
    ptl_literal all[4] = {a, b, c, d}, literals[4];
    size_t n = 0;
    for (size_t i = 0; i < 4; i++)
        if (all[i]) literals[n++] = all[i];
    ptl_z3_clause(z, literals, n);
}

void ptl_z3_give_up(ptl_z3* z) {
    stick(z, PTL_NO_MEMORY, "no memory for the constraints");
}

void ptl_z3_deadline(ptl_z3* z, double when) {
    z->deadline = when;
}

static void drop_model(ptl_z3* z) {
    if (z->model) Z3_model_dec_ref(z->context, z->model);
    z->model = NULL;
}

static void keep_model(ptl_z3* z) {
    Z3_model model = Z3_solver_get_model(z->context, z->solver);
    if (!well(z)) return;
    Z3_model_inc_ref(z->context, model);
    z->model = model;
}

static void read_core(ptl_z3* z, const ptl_literal* assumptions, size_t n) {
    Z3_ast_vector core = Z3_solver_get_unsat_core(z->context, z->solver);
    z->core_count = 0;
    if (!well(z)) return;
    Z3_ast_vector_inc_ref(z->context, core);
    unsigned size = Z3_ast_vector_size(z->context, core);
    for (size_t i = 0; i < n; i++)
        for (unsigned j = 0; j < size; j++)
            if (Z3_ast_vector_get(z->context, core, j) == ast(z, assumptions[i])) {
                z->core[z->core_count++] = assumptions[i];
                break;
            }
    Z3_ast_vector_dec_ref(z->context, core);
}

static bool room_for_core(ptl_z3* z, size_t n) {
    if (n <= z->core_capacity) return true;
    ptl_literal* core = realloc(z->core, n * sizeof *core);
    if (!core) {
        stick(z, PTL_NO_MEMORY, "no memory for the assumptions");
        return false;
    }
    z->core = core;
    z->core_capacity = n;
    return true;
}

/* Z3 takes no constants as assumptions. */
static ptl_status refuted_by_constant(ptl_z3* z, Z3_ast* asts) {
    free(asts);
    drop_model(z);
    z->core[0] = PTL_FALSE;
    z->core_count = 1;
    return PTL_OK;
}

ptl_status ptl_z3_check(ptl_z3* z, const ptl_literal* assumptions, size_t n, bool* sat, ptl_error* e) {
    *sat = false;
    ptl_status reason = PTL_OK;
    Z3_lbool answer = Z3_L_UNDEF;
    if (ptl_interrupted()) return ptl_fail(e, PTL_INTERRUPTED, NULL, NULL, "interrupted");
    if (z->deadline > 0 && ptl_now() >= z->deadline) return ptl_fail(e, PTL_LIMIT, NULL, NULL, "out of time");
    Z3_ast* asts = malloc((n + 1) * sizeof *asts);
    if (!asts) stick(z, PTL_NO_MEMORY, "no memory for the assumptions");
    if (well(z) && room_for_core(z, n)) {
        size_t m = 0;
        for (size_t i = 0; i < n; i++) {
            if (assumptions[i] == PTL_FALSE) return refuted_by_constant(z, asts);
            if (assumptions[i] != PTL_TRUE) asts[m++] = ast(z, assumptions[i]);
        }
        drop_model(z);
        double start = ptl_now();
        ptl_watch watch;
        ptl_watch_start(&watch, z->context, z->deadline);
        answer = Z3_solver_check_assumptions(z->context, z->solver, (unsigned)m, asts);
        reason = ptl_watch_end(&watch);
        if (answer == Z3_L_TRUE) keep_model(z);
        if (answer == Z3_L_FALSE) read_core(z, assumptions, n);
        z->seconds += ptl_now() - start;
        z->checks++;
    }
    free(asts);
    if (answer == Z3_L_UNDEF && reason != PTL_OK)
        return ptl_fail(e, reason, NULL, NULL, reason == PTL_LIMIT ? "out of time" : "interrupted");
    if (answer == Z3_L_UNDEF && well(z)) stick(z, PTL_INTERNAL, "Z3 gave no answer");
    *sat = answer == Z3_L_TRUE;
    if (z->failure.status != PTL_OK && e) *e = z->failure;
    return z->failure.status;
}

bool ptl_z3_value(const ptl_z3* z, ptl_literal l) {
    size_t v = (size_t)(l > 0 ? l : -l);
    if (v == PTL_TRUE) return l > 0;
    if (!z->model) return l < 0;
    Z3_func_decl f = Z3_get_app_decl(z->context, Z3_to_app(z->context, z->positive[v]));
    Z3_ast value = Z3_model_get_const_interp(z->context, z->model, f);
    return (value && Z3_get_bool_value(z->context, value) == Z3_L_TRUE) == (l > 0);
}

size_t ptl_z3_core(const ptl_z3* z, ptl_literal* out, size_t max) {
    size_t n = z->core_count < max ? z->core_count : max;
    if (n) memcpy(out, z->core, n * sizeof *out);
    return z->core_count;
}

char* ptl_z3_text(ptl_z3* z, const ptl_literal* assumptions, size_t n) {
    char* text = NULL;
    size_t size = 0;
    FILE* f = open_memstream(&text, &size);
    if (!f) return NULL;
    fputs(Z3_solver_to_string(z->context, z->solver), f);
    fputs("(check-sat-assuming (", f);
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%s%s", i ? " " : "", Z3_ast_to_string(z->context, ast(z, assumptions[i])));
    fputs("))\n", f);
    bool written = !ferror(f);
    if (fclose(f) != 0 || !written) {
        free(text);
        return NULL;
    }
    return text;
}

double ptl_z3_seconds(const ptl_z3* z) {
    return z->seconds;
}

size_t ptl_z3_checks(const ptl_z3* z) {
    return z->checks;
}
