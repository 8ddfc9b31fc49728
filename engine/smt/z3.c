#include "smt/z3.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "smt/solver.h"

struct ptl_z3 {
    ptl_solver solver;
    Z3_sort boolean;
    /* Variable v is positive[v]; its negation negative[v]. Index 0 is unused, 1 is the constant true. */
    Z3_ast *positive, *negative;
    size_t count, capacity;
    ptl_literal* core; /* of the last unsatisfiable check, as far as it is about its assumptions */
    size_t core_count, core_capacity;
};

static void stick(ptl_z3* z, ptl_status status, const char* what) {
    ptl_solver_stick(&z->solver, status, what);
}

static bool well(ptl_z3* z) {
    return ptl_solver_well(&z->solver);
}

static bool grow(ptl_z3* z) {
    size_t capacity = z->capacity ? 2 * z->capacity : 1024;
    if (!ptl_resize(&z->positive, capacity, sizeof *z->positive) ||
        !ptl_resize(&z->negative, capacity, sizeof *z->negative)) {
        stick(z, PTL_NO_MEMORY, "no memory for the variables");
        return false;
    }
    z->capacity = capacity;
    return true;
}

/* Takes over a formula and its negation as the next variable. */
static ptl_literal add(ptl_z3* z, Z3_ast positive) {
    if (!well(z) || (z->count == z->capacity && !grow(z))) return PTL_FALSE;
    Z3_inc_ref(z->solver.context, positive);
    Z3_ast negative = Z3_mk_not(z->solver.context, positive);
    if (!well(z)) {
        Z3_dec_ref(z->solver.context, positive);
        return PTL_FALSE;
    }
    Z3_inc_ref(z->solver.context, negative);
    z->positive[z->count] = positive;
    z->negative[z->count] = negative;
    return (ptl_literal)z->count++;
}

static bool set_up(ptl_z3* z, uint64_t seed) {
    /* Finite domains: Z3's incremental SAT solver without the SMT core around it. */
    if (!ptl_solver_open(&z->solver, "QF_FD", seed)) return false;
    z->boolean = Z3_mk_bool_sort(z->solver.context);
    Z3_inc_ref(z->solver.context, Z3_sort_to_ast(z->solver.context, z->boolean));
    if (!well(z) || !grow(z)) return false;
    z->positive[0] = z->negative[0] = NULL;
    z->count = 1;
    add(z, Z3_mk_true(z->solver.context));
    return well(z);
}

ptl_status ptl_z3_new(ptl_z3** out, uint64_t seed, ptl_error* error) {
    *out = NULL;
    ptl_z3* z = calloc(1, sizeof *z);
    if (!z) return ptl_no_memory_in(error, "solver");
    if (!set_up(z, seed)) {
        ptl_status status = ptl_solver_failure(&z->solver, error);
        ptl_z3_free(z);
        return status;
    }
    *out = z;
    return PTL_OK;
}

void ptl_z3_free(ptl_z3* z) {
    if (!z) return;
    bool lost = ptl_solver_is_lost(&z->solver);
    for (size_t v = 1; v < z->count && !lost; v++) {
        Z3_dec_ref(z->solver.context, z->positive[v]);
        Z3_dec_ref(z->solver.context, z->negative[v]);
    }
    if (z->boolean && !lost) Z3_dec_ref(z->solver.context, Z3_sort_to_ast(z->solver.context, z->boolean));
    ptl_solver_close(&z->solver);
    free(z->positive);
    free(z->negative);
    free(z->core);
    free(z);
}

ptl_literal ptl_z3_variable(ptl_z3* z, const char* name, ...) {
    if (z->solver.failure.status) return PTL_FALSE;
    char text[PTL_SYMBOL_SIZE];
    va_list arguments;
    va_start(arguments, name);
    ptl_solver_symbol(text, z->count, name, arguments);
    va_end(arguments);
    return add(z, Z3_mk_const(z->solver.context, Z3_mk_string_symbol(z->solver.context, text), z->boolean));
}

static Z3_ast ast(const ptl_z3* z, ptl_literal l) {
    return l > 0 ? z->positive[l] : z->negative[-l];
}

void ptl_z3_clause(ptl_z3* z, const ptl_literal* literals, size_t n) {
    if (z->solver.failure.status) return;
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
                                     : Z3_mk_or(z->solver.context, count, asts);
        if (well(z)) {
            Z3_inc_ref(z->solver.context, clause);
            Z3_solver_assert(z->solver.context, z->solver.solver, clause);
            Z3_dec_ref(z->solver.context, clause);
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
    z->solver.deadline = when;
}

/* Without an assumption of constants, which Z3 does not take; false if one of them is the constant false. */
static bool without_constants(const ptl_z3* z, const ptl_literal* assumptions, size_t n, Z3_ast* asts,
                              unsigned* m) {
    for (size_t i = 0; i < n; i++) {
        if (assumptions[i] == PTL_FALSE) return false;
        if (assumptions[i] != PTL_TRUE) asts[(*m)++] = ast(z, assumptions[i]);
    }
    return true;
}

static void read_core(ptl_z3* z, const ptl_literal* assumptions, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (assumptions[i] != PTL_TRUE && ptl_solver_in_core(&z->solver, ast(z, assumptions[i])))
            z->core[z->core_count++] = assumptions[i];
}

ptl_status ptl_z3_check(ptl_z3* z, const ptl_literal* assumptions, size_t n, bool* sat, ptl_error* error) {
    *sat = false;
    unsigned m = 0;
    Z3_ast* asts = malloc((n + 1) * sizeof *asts);
    if (!asts || !ptl_room(&z->core, &z->core_capacity, n + 1, sizeof *z->core))
        stick(z, PTL_NO_MEMORY, "no memory for the assumptions");
    ptl_status status = PTL_OK;
    z->core_count = 0;
    if (well(z) && !without_constants(z, assumptions, n, asts, &m)) {
        ptl_solver_drop_answer(&z->solver);
        z->core[z->core_count++] = PTL_FALSE;
    } else {
        status = ptl_solver_check(&z->solver, asts, m, sat, error);
        if (!status && !*sat) read_core(z, assumptions, n);
    }
    free(asts);
    return status;
}

bool ptl_z3_value(const ptl_z3* z, ptl_literal l) {
    size_t v = (size_t)(l > 0 ? l : -l);
    if (v == PTL_TRUE) return l > 0;
    if (!z->solver.model) return l < 0;
    Z3_func_decl f = Z3_get_app_decl(z->solver.context, Z3_to_app(z->solver.context, z->positive[v]));
    Z3_ast value = Z3_model_get_const_interp(z->solver.context, z->solver.model, f);
    return (value && Z3_get_bool_value(z->solver.context, value) == Z3_L_TRUE) == (l > 0);
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
    fputs(Z3_solver_to_string(z->solver.context, z->solver.solver), f);
    fputs("(check-sat-assuming (", f);
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%s%s", i ? " " : "", Z3_ast_to_string(z->solver.context, ast(z, assumptions[i])));
    fputs("))\n", f);
    bool written = !ferror(f);
    if (fclose(f) != 0 || !written) {
        free(text);
        return NULL;
    }
    return text;
}

double ptl_z3_seconds(const ptl_z3* z) {
    return z->solver.seconds;
}

size_t ptl_z3_checks(const ptl_z3* z) {
    return z->solver.checks;
}
