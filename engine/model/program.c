#include "model/program.h"

#include <glpk.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "model/lp_guard.h"
#include "model/program_check.h"

#define SLICE 200 /* iterations of the simplex method between two looks at the clock and at Ctrl-C */

typedef struct task {
    const ptl_program* p;
    double* values;
    double* duals;
    ptl_program_answer* answer;
    double deadline; /* infinite: none */
    int* columns;    /* of a row, counted from 1 */
    double* row;
    bool whole;
} task;

/* GLPK's word for a pair of bounds. */
static int kind_of(double lower, double upper) {
    if (lower == upper) return GLP_FX;
    if (isinf(lower)) return isinf(upper) ? GLP_FR : GLP_UP;
    return isinf(upper) ? GLP_LO : GLP_DB;
}

static void add_columns(task* t, glp_prob* lp) {
    glp_add_cols(lp, (int)t->p->columns);
    for (size_t j = 0; j < t->p->columns; j++) {
        const ptl_program_column* c = &t->p->column[j];
        int column = (int)j + 1;
        glp_set_col_bnds(lp, column, kind_of(c->lower, c->upper), c->lower, c->upper);
        glp_set_obj_coef(lp, column, c->cost);
        if (!c->whole) continue;
        glp_set_col_kind(lp, column, GLP_IV);
        t->whole = true;
    }
}

static void add_rows(task* t, glp_prob* lp) {
    if (t->p->rows) glp_add_rows(lp, (int)t->p->rows);
    for (size_t i = 0; i < t->p->rows; i++) {
        const ptl_program_row* r = &t->p->row[i];
        for (size_t k = 0; k < r->count; k++) {
            t->columns[k + 1] = (int)r->entries[k].column + 1;
            t->row[k + 1] = r->entries[k].value;
        }
        glp_set_mat_row(lp, (int)i + 1, (int)r->count, t->columns, t->row);
        glp_set_row_bnds(lp, (int)i + 1, kind_of(r->lower, r->upper), r->lower, r->upper);
    }
}

static bool late(const task* t) {
    return ptl_now() >= t->deadline;
}

static ptl_status interrupted(ptl_error* error) {
    return ptl_fail(error, PTL_INTERRUPTED, NULL, NULL, "interrupted");
}

/* The relaxation, in slices. decided: it has an optimum, or is known to have none. */
static ptl_status simplex(const task* t, glp_prob* lp, bool* decided, ptl_error* error) {
    glp_smcp o;
    glp_init_smcp(&o);
    o.msg_lev = GLP_MSG_OFF;
    o.it_lim = SLICE;
    *decided = false;
    for (bool again = false;;) {
        if (ptl_interrupted()) return interrupted(error);
        if (late(t)) return PTL_OK;
        int failure = glp_simplex(lp, &o);
        if (failure == GLP_EITLIM) continue;
        int status = glp_get_status(lp);
        *decided = !failure && (status == GLP_OPT || status == GLP_NOFEAS || status == GLP_UNBND);
        if (*decided) return PTL_OK;
        if (again)
            return ptl_fail(error, PTL_INTERNAL, NULL, NULL, "GLPK's simplex method failed (%d)", failure);
        again = true; /* seldom: from the start, the other way round */
        glp_adv_basis(lp, 0);
        o.meth = GLP_DUALP;
    }
}

static void on_event(glp_tree* tree, void* data) {
    task* t = data;
    int nodes;
    glp_ios_tree_size(tree, NULL, NULL, &nodes);
    t->answer->nodes = (uint64_t)nodes;
    if (ptl_interrupted() || late(t) || (t->p->nodes && t->answer->nodes > t->p->nodes))
        glp_ios_terminate(tree);
}

/* Whole numbers, from the optimum of the relaxation on. */
static ptl_status branch(task* t, glp_prob* lp, ptl_error* error) {
    glp_iocp o;
    glp_init_iocp(&o);
    o.msg_lev = GLP_MSG_OFF;
    o.cb_func = on_event;
    o.cb_info = t;
    int failure = glp_intopt(lp, &o);
    if (ptl_interrupted()) return interrupted(error);
    if (failure && failure != GLP_ESTOP)
        return ptl_fail(error, PTL_INTERNAL, NULL, NULL, "GLPK's branch and bound failed (%d)", failure);
    int status = glp_mip_status(lp);
    bool any = status == GLP_OPT || status == GLP_FEAS;
    t->answer->ending = any ? PTL_PROGRAM_FEASIBLE : PTL_PROGRAM_UNDECIDED;
    if (!failure) t->answer->ending = any ? PTL_PROGRAM_OPTIMAL : PTL_PROGRAM_INFEASIBLE;
    return PTL_OK;
}

static void read_values(const task* t, glp_prob* lp) {
    t->answer->objective = t->whole ? glp_mip_obj_val(lp) : glp_get_obj_val(lp);
    for (size_t j = 0; j < t->p->columns; j++) {
        const ptl_program_column* c = &t->p->column[j];
        int column = (int)j + 1;
        double x = t->whole ? glp_mip_col_val(lp, column) : glp_get_col_prim(lp, column);
        if (c->whole) x = round(x);
        t->values[j] = fmin(fmax(x, c->lower), c->upper) + 0.0; /* no -0 */
    }
    for (size_t i = 0; t->duals && !t->whole && i < t->p->rows; i++)
        t->duals[i] = glp_get_row_dual(lp, (int)i + 1);
}

static ptl_status solve(void* data, ptl_error* error) {
    task* t = data;
    glp_prob* lp = glp_create_prob();
    glp_set_obj_dir(lp, t->p->maximise ? GLP_MAX : GLP_MIN);
    add_columns(t, lp);
    add_rows(t, lp);
    bool decided;
    ptl_status s = simplex(t, lp, &decided, error);
    if (s || !decided) return s;
    int status = glp_get_status(lp);
    if (status == GLP_NOFEAS) t->answer->ending = PTL_PROGRAM_INFEASIBLE;
    if (status == GLP_UNBND) t->answer->ending = PTL_PROGRAM_UNBOUNDED;
    if (status != GLP_OPT) return PTL_OK;
    t->answer->ending = PTL_PROGRAM_OPTIMAL;
    if (t->whole) s = branch(t, lp, error);
    if (!s && t->answer->ending <= PTL_PROGRAM_FEASIBLE) read_values(t, lp);
    return s;
}

ptl_status ptl_program_solve(const ptl_program* p, double* values, double* duals, ptl_program_answer* answer,
                             ptl_error* error) {
    *answer = (ptl_program_answer){.ending = PTL_PROGRAM_UNDECIDED};
    ptl_status s = ptl_program_check(p, error);
    if (s) return s;
    for (size_t j = 0; j < p->columns; j++) values[j] = 0;
    for (size_t i = 0; duals && i < p->rows; i++) duals[i] = 0;
    task t = {.p = p, .values = values, .duals = duals, .answer = answer, .deadline = INFINITY};
    if (p->seconds > 0) t.deadline = ptl_now() + p->seconds;
    t.columns = malloc((p->columns + 1) * sizeof *t.columns);
    t.row = malloc((p->columns + 1) * sizeof *t.row);
    s = t.columns && t.row ? ptl_lp_guarded(solve, &t, error) : ptl_no_memory(error, "for the program");
    free(t.columns);
    free(t.row);
    return s;
}
