#include "anica/cover.h"

#include <glpk.h>
#include <math.h>
#include <stdlib.h>

#include "anica/cover_reduce.h"
#include "base/interrupt.h"
#include "model/lp_guard.h"

/* GLPK's side: column 1 + i is used[i], column 1 + sets + j is covered[j]; row 1 the number of sets, row
 * 2 + j class j. */
typedef struct program {
    const ptl_cover_core* core;
    size_t k;
    double seconds;
    bool* chosen;   /* in: a good choice; out: the best one */
    double* values; /* of all columns, counted from 1: the good choice for GLPK */
    int* columns;   /* a row of the matrix */
    double* ones;
    size_t covered;
    bool offered, proven;
} program;

static int used(size_t i) {
    return (int)(1 + i);
}

static int is_covered(const program* p, size_t j) {
    return (int)(1 + p->core->sets + j);
}

/* covered[j] - sum of the used that cover it <= 0. */
static void add_class(const program* p, glp_prob* lp, size_t j) {
    const uint64_t* row = p->core->rows + j * p->core->words;
    int n = 1;
    p->columns[1] = is_covered(p, j);
    p->ones[1] = 1;
    for (size_t i = 0; i < p->core->sets; i++) {
        if (!(row[i / 64] >> (i % 64) & 1)) continue;
        p->columns[++n] = used(i);
        p->ones[n] = -1;
    }
    glp_set_mat_row(lp, (int)(2 + j), n, p->columns, p->ones);
    glp_set_row_bnds(lp, (int)(2 + j), GLP_UP, 0, 0);
    glp_set_obj_coef(lp, is_covered(p, j), p->core->weights[j]);
}

static glp_prob* build(const program* p) {
    glp_prob* lp = glp_create_prob();
    size_t columns = p->core->sets + p->core->classes;
    glp_set_obj_dir(lp, GLP_MAX);
    glp_add_cols(lp, (int)columns);
    glp_add_rows(lp, (int)(1 + p->core->classes));
    for (size_t c = 1; c <= columns; c++) glp_set_col_kind(lp, (int)c, GLP_BV);
    for (size_t i = 0; i < p->core->sets; i++) {
        p->columns[1 + i] = used(i);
        p->ones[1 + i] = 1;
    }
    glp_set_mat_row(lp, 1, (int)p->core->sets, p->columns, p->ones);
    glp_set_row_bnds(lp, 1, GLP_UP, 0, (double)p->k);
    for (size_t j = 0; j < p->core->classes; j++) add_class(p, lp, j);
    return lp;
}

/* The choice as values of the columns. */
static void offer(program* p, glp_tree* tree) {
    for (size_t i = 0; i < p->core->sets; i++) p->values[used(i)] = p->chosen[i];
    for (size_t j = 0; j < p->core->classes; j++) {
        const uint64_t* row = p->core->rows + j * p->core->words;
        bool covered = false;
        for (size_t i = 0; i < p->core->sets && !covered; i++)
            covered = p->chosen[i] && (row[i / 64] >> (i % 64) & 1);
        p->values[is_covered(p, j)] = covered;
    }
    glp_ios_heur_sol(tree, p->values);
    p->offered = true;
}

/* Branches on the used[i] that is nearest to a half: once these are whole, the others are. */
static void branch(const program* p, glp_tree* tree) {
    glp_prob* lp = glp_ios_get_prob(tree);
    int best = 0;
    double nearest = 1;
    for (size_t i = 0; i < p->core->sets; i++) {
        double distance = fabs(glp_get_col_prim(lp, used(i)) - 0.5);
        if (distance < nearest && glp_ios_can_branch(tree, used(i))) nearest = distance, best = used(i);
    }
    if (best) glp_ios_branch_upon(tree, best, GLP_UP_BRNCH);
}

static void on_event(glp_tree* tree, void* data) {
    program* p = data;
    if (ptl_interrupted()) {
        glp_ios_terminate(tree);
    } else if (glp_ios_reason(tree) == GLP_IHEUR && !p->offered) {
        offer(p, tree);
    } else if (glp_ios_reason(tree) == GLP_IBRANCH) {
        branch(p, tree);
    }
}

static ptl_status solve(void* data, ptl_error* error) {
    program* p = data;
    glp_prob* lp = build(p);
    glp_smcp simplex;
    glp_init_smcp(&simplex);
    simplex.msg_lev = GLP_MSG_OFF;
    if (glp_simplex(lp, &simplex) || glp_get_status(lp) != GLP_OPT)
        return ptl_fail(error, PTL_INTERNAL, NULL, NULL, "GLPK found no optimum of the relaxation");
    glp_iocp o;
    glp_init_iocp(&o);
    o.msg_lev = GLP_MSG_OFF;
    o.cb_func = on_event;
    o.cb_info = p;
    if (p->seconds > 0) o.tm_lim = (int)fmin(p->seconds * 1000, 2e9);
    int failure = glp_intopt(lp, &o);
    if (failure && failure != GLP_ETMLIM && failure != GLP_ESTOP)
        return ptl_fail(error, PTL_INTERNAL, NULL, NULL, "GLPK failed to solve the program (%d)", failure);
    int status = glp_mip_status(lp);
    p->proven = !failure && status == GLP_OPT;
    if (status != GLP_OPT && status != GLP_FEAS) return PTL_OK; /* too soon: the good choice stays */
    size_t before = p->covered;
    for (size_t i = 0; i < p->core->sets; i++) p->chosen[i] = glp_mip_col_val(lp, used(i)) > 0.5;
    p->covered = ptl_cover_count(p->core, p->chosen);
    if (p->covered < before || fabs(glp_mip_obj_val(lp) - (double)p->covered) > 0.5)
        return ptl_fail(error, PTL_INTERNAL, NULL, NULL, "GLPK's choice does not cover what it says");
    return PTL_OK;
}

/* Sets that add nothing are not chosen. */
static void prune(const ptl_cover_core* core, bool* chosen, size_t covered) {
    for (size_t i = 0; i < core->sets; i++) {
        if (!chosen[i]) continue;
        chosen[i] = false;
        if (ptl_cover_count(core, chosen) < covered) chosen[i] = true;
    }
}

static ptl_status best(const ptl_cover_core* core, const ptl_cover* c, bool* chosen, ptl_cover_answer* answer,
                       ptl_error* error) {
    size_t columns = core->sets + core->classes;
    program p = {.core = core, .k = c->k, .seconds = c->seconds, .chosen = chosen};
    p.covered = ptl_cover_greedy(core, c->k, chosen);
    *answer = (ptl_cover_answer){.covered = p.covered, .proven = true};
    size_t total = 0;
    for (size_t j = 0; j < core->classes; j++) total += core->weights[j];
    if (p.covered == total || core->sets <= c->k) return PTL_OK;
    p.values = malloc((columns + 1) * sizeof *p.values);
    p.columns = malloc((columns + 1) * sizeof *p.columns);
    p.ones = malloc((columns + 1) * sizeof *p.ones);
    ptl_status s = p.values && p.columns && p.ones ? ptl_lp_guarded(solve, &p, error)
                                                   : ptl_no_memory(error, "for the program");
    free(p.values);
    free(p.columns);
    free(p.ones);
    *answer = (ptl_cover_answer){.covered = p.covered, .proven = p.proven};
    if (!s) prune(core, chosen, p.covered);
    return s;
}

ptl_status ptl_cover_best(const ptl_cover* c, bool* chosen, ptl_cover_answer* answer, ptl_error* error) {
    if (c->sets > PTL_COVER_SETS_MAX || c->elements > PTL_COVER_ELEMENTS_MAX)
        return ptl_fail(error, PTL_LIMIT, NULL, "use fewer of them", "more than %d sets or %d elements",
                        PTL_COVER_SETS_MAX, PTL_COVER_ELEMENTS_MAX);
    for (size_t i = 0; i < c->sets; i++) chosen[i] = false;
    ptl_cover_core core;
    ptl_status s = ptl_cover_reduce(&core, c, error);
    if (s) return s;
    bool* of_core = calloc(core.sets + 1, sizeof *of_core);
    s = of_core ? best(&core, c, of_core, answer, error)
                : ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory");
    for (size_t i = 0; !s && i < core.sets; i++) chosen[core.original[i]] = of_core[i];
    free(of_core);
    ptl_cover_core_free(&core);
    return s;
}
