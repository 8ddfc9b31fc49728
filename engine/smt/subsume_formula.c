#include "smt/subsume_formula.h"

#include <stdlib.h>

#include "smt/z3.h"

typedef struct formula {
    ptl_z3* z;
    const ptl_subsume_block *a, *b;
    const bool* within;
    ptl_literal* x; /* x[i][k] at i * b->instructions + k; PTL_FALSE where C2 forbids it */
} formula;

static ptl_literal at(const formula* f, size_t i, size_t k) {
    return f->x[i * f->b->instructions + k];
}

static void variables(formula* f) {
    for (size_t i = 0; i < f->a->instructions; i++)
        for (size_t k = 0; k < f->b->instructions; k++)
            f->x[i * f->b->instructions + k] =
                f->within[i * f->b->instructions + k] ? ptl_z3_variable(f->z, "x_%zu_%zu", i, k) : PTL_FALSE;
}

/* m is a function, and injective (C1). */
static void function(const formula* f) {
    size_t n = f->a->instructions, m = f->b->instructions;
    for (size_t i = 0; i < n; i++) {
        ptl_z3_clause(f->z, f->x + i * m, m);
        for (size_t k = 0; k < m; k++) {
            for (size_t l = k + 1; l < m; l++) ptl_z3_or(f->z, -at(f, i, k), -at(f, i, l), 0, 0);
            for (size_t j = i + 1; j < n; j++) ptl_z3_or(f->z, -at(f, i, k), -at(f, j, k), 0, 0);
        }
    }
}

static bool is_operand(const ptl_subsume_alias* c, int side, size_t instruction, uint8_t operand) {
    return c->instruction[side] == instruction && c->operand[side] == operand;
}

/* Tells whether b constrains operand p of instruction k and operand q of instruction l in this manner. */
static bool constrained(const ptl_subsume_block* b, size_t k, uint8_t p, size_t l, uint8_t q, uint8_t kind) {
    for (size_t n = 0; n < b->alias_count; n++) {
        const ptl_subsume_alias* c = &b->aliases[n];
        if (c->kind != kind) continue;
        if (is_operand(c, 0, k, p) && is_operand(c, 1, l, q)) return true;
        if (is_operand(c, 1, k, p) && is_operand(c, 0, l, q)) return true;
    }
    return false;
}

/* C3 for one constraint of a. */
static void constraint(const formula* f, const ptl_subsume_alias* c) {
    size_t i = c->instruction[0], j = c->instruction[1];
    for (size_t k = 0; k < f->b->instructions; k++)
        for (size_t l = 0; l < f->b->instructions; l++) {
            if ((i == j) != (k == l)) continue; /* by C1 */
            if (constrained(f->b, k, c->operand[0], l, c->operand[1], c->kind)) continue;
            ptl_z3_or(f->z, -at(f, i, k), i == j ? 0 : -at(f, j, l), 0, 0);
        }
}

/* used[k]: something is mapped to k. */
static void used_variables(const formula* f, ptl_literal* used) {
    for (size_t k = 0; k < f->b->instructions; k++) {
        used[k] = ptl_z3_variable(f->z, "used_%zu", k);
        for (size_t i = 0; i < f->a->instructions; i++) ptl_z3_or(f->z, -at(f, i, k), used[k], 0, 0);
    }
}

/* C4. */
static void rotation(const formula* f) {
    size_t n = f->a->instructions, m = f->b->instructions;
    ptl_literal used[PTL_SUBSUME_INSTRUCTIONS_MAX];
    used_variables(f, used);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            for (size_t l = 0; l < m; l++)
                for (size_t between = (k + 1) % m; k != l && between != l; between = (between + 1) % m)
                    ptl_z3_or(f->z, -at(f, i, k), -at(f, (i + 1) % n, l), -used[between], 0);
}

static ptl_status solve(formula* f, uint8_t* mapping, bool* answer, ptl_error* error) {
    variables(f);
    function(f);
    for (size_t c = 0; c < f->a->alias_count; c++) constraint(f, &f->a->aliases[c]);
    rotation(f);
    ptl_status s = ptl_z3_check(f->z, NULL, 0, answer, error);
    if (s || !*answer || !mapping) return s;
    for (size_t i = 0; i < f->a->instructions; i++)
        for (size_t k = 0; k < f->b->instructions; k++)
            if (f->within[i * f->b->instructions + k] && ptl_z3_value(f->z, at(f, i, k)))
                mapping[i] = (uint8_t)k;
    return PTL_OK;
}

ptl_status ptl_smt_subsumes(const ptl_subsume_block* a, const ptl_subsume_block* b, const bool* within,
                            uint8_t* mapping, bool* answer, ptl_error* error) {
    *answer = false;
    if (a->instructions > PTL_SUBSUME_INSTRUCTIONS_MAX || b->instructions > PTL_SUBSUME_INSTRUCTIONS_MAX)
        return ptl_fail(error, PTL_LIMIT, NULL, NULL, "a block of more than %d instructions",
                        PTL_SUBSUME_INSTRUCTIONS_MAX);
    if (a->instructions > b->instructions) return PTL_OK;
    formula f = {.a = a, .b = b, .within = within};
    f.x = malloc((a->instructions * b->instructions + 1) * sizeof *f.x);
    if (!f.x) return ptl_no_memory(error, "for the formula");
    ptl_status s = ptl_z3_new(&f.z, 1, error);
    if (!s) {
        s = solve(&f, mapping, answer, error);
        ptl_z3_free(f.z);
    }
    free(f.x);
    return s;
}
