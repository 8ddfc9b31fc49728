#include "model/lp.h"

#include <glpk.h>
#include <math.h>

#include "model/demand.h"
#include "model/lp_guard.h"

/* As in demand.h: 64 bits hold every sum, doubles every single mass (below 2^46). */
#define MASS_MAX (UINT64_C(1) << 58)
#define NO_ROW 0 /* GLPK counts from 1 */

typedef struct program {
    const ptl_mapping* m;
    const ptl_experiment* e;
    bool exact;
    double* cycles;
    double* loads;
    /* what check() finds out */
    uint64_t mass, slots;
    int uops, variables; /* x only */
    ptl_ports ports;
    /* GLPK's side: rows are the ports, then the uops; columns the x, then t */
    glp_prob* lp;
    int port_row[PTL_PORTS_MAX];
    int t;
} program;

/* Calls visit for every uop of every scheme of the experiment, in the order of the rows. */
static void each_uop(program* p, void (*visit)(program* p, ptl_ports ports, double mass, int n)) {
    int n = 0;
    for (size_t i = 0; i < p->e->size; i++) {
        const ptl_usage* u = &p->m->schemes[p->e->terms[i].scheme];
        for (uint32_t j = 0; j < u->uop_count; j++)
            visit(p, u->uops[j].ports, (double)p->e->terms[i].count * u->uops[j].count, n++);
    }
}

static ptl_status check_scheme(program* p, const ptl_term* term, ptl_error* error) {
    if (term->scheme >= p->m->scheme_count)
        return ptl_fail(error, PTL_INTERNAL, NULL, NULL, "scheme %u of %zu", term->scheme,
                        p->m->scheme_count);
    const ptl_usage* u = &p->m->schemes[term->scheme];
    if (!u->known)
        return ptl_fail(error, PTL_BAD_INPUT, u->name, "leave this scheme out",
                        "the mapping does not explain this scheme");
    p->slots += (uint64_t)term->count * u->slots;
    for (uint32_t j = 0; j < u->uop_count; j++) {
        p->mass += (uint64_t)term->count * u->uops[j].count;
        p->ports |= u->uops[j].ports;
        p->uops++;
        p->variables += (int)ptl_ports_count(u->uops[j].ports);
        if (p->variables > PTL_LP_VARIABLES_MAX)
            return ptl_fail(error, PTL_LIMIT, NULL, "use fewer different schemes",
                            "the linear program has more than %d variables", PTL_LP_VARIABLES_MAX);
        if (p->mass > MASS_MAX) break;
    }
    if (p->mass > MASS_MAX || p->slots > MASS_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "use smaller counts", "the experiment is absurdly large");
    return PTL_OK;
}

/* The column of x_uk: 1 in the row of the uop, 1 in that of the port. */
static void add_variables(program* p, ptl_ports ports, double mass, int n) {
    (void)mass;
    int uop_row = (int)ptl_ports_count(p->ports) + 1 + n;
    int column = glp_add_cols(p->lp, (int)ptl_ports_count(ports));
    for (; ports; ports &= ports - 1, column++) {
        int rows[] = {0, uop_row, p->port_row[__builtin_ctz(ports)]};
        glp_set_col_bnds(p->lp, column, GLP_LO, 0, 0);
        glp_set_mat_col(p->lp, column, 2, rows, (double[]){0, 1, 1});
    }
}

static void build(program* p) {
    p->lp = glp_create_prob();
    glp_add_rows(p->lp, (int)ptl_ports_count(p->ports) + p->uops);
    int rows[PTL_PORTS_MAX + 1], row = 0;
    double minus[PTL_PORTS_MAX + 1];
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++) {
        p->port_row[k] = p->ports >> k & 1 ? ++row : NO_ROW;
        if (p->port_row[k] == NO_ROW) continue;
        rows[row] = row;
        minus[row] = -1;
        glp_set_row_bnds(p->lp, row, GLP_UP, 0, 0);
    }
    each_uop(p, add_variables);
    p->t = glp_add_cols(p->lp, 1);
    glp_set_mat_col(p->lp, p->t, row, rows, minus);
    glp_set_obj_coef(p->lp, p->t, 1);
}

static void set_mass(program* p, ptl_ports ports, double mass, int n) {
    (void)ports;
    glp_set_row_bnds(p->lp, (int)ptl_ports_count(p->ports) + 1 + n, GLP_FX, mass, mass);
}

/* The factor, a power of two, with which the whole mass is between 1 and 2: tolerances are absolute. */
static double unit(const program* p) {
    int exponent;
    frexp((double)p->mass, &exponent);
    return ldexp(1, 1 - exponent);
}

static void set_scaled_mass(program* p, ptl_ports ports, double mass, int n) {
    set_mass(p, ports, mass * unit(p), n);
}

/* By issue slots, or by a unit that is busy for longer. */
static double least_cycles(const program* p) {
    return fmax(p->m->rmax > 0 ? (double)p->slots / p->m->rmax : 0, ptl_busy_cycles(p->m, p->e, NULL));
}

static bool optimal(const program* p) {
    return glp_get_status(p->lp) == GLP_OPT;
}

static bool by_simplex(program* p) {
    each_uop(p, set_scaled_mass);
    glp_set_col_bnds(p->lp, p->t, GLP_LO, least_cycles(p) * unit(p), 0);
    glp_smcp o;
    glp_init_smcp(&o);
    o.msg_lev = GLP_MSG_OFF;
    o.tol_bnd = o.tol_dj = 1e-9;
    if (!glp_simplex(p->lp, &o) && optimal(p)) return true;
    glp_std_basis(p->lp); /* seldom: the other way round, from the start */
    o.meth = GLP_DUALP;
    o.presolve = GLP_ON;
    return !glp_simplex(p->lp, &o) && optimal(p);
}

/* Goes on from the basis that by_simplex left. GLPK takes whole numbers as they are and others to within
 * 1e-10, so the masses are not scaled here, and R_max and units are left to the caller. */
static bool by_exact_simplex(program* p) {
    each_uop(p, set_mass);
    glp_set_col_bnds(p->lp, p->t, GLP_LO, 0, 0);
    glp_smcp o;
    glp_init_smcp(&o);
    o.msg_lev = GLP_MSG_OFF;
    return !glp_exact(p->lp, &o) && optimal(p);
}

/* The ports whose constraint has a dual value. A basic dual solution is 1 / |Q| on some Q and 0 elsewhere:
 * any other would be a mixture of such, for nested sets. Then t = mass(Q) / |Q| by strong duality. */
static ptl_ports dual_ports(const program* p) {
    ptl_ports q = 0;
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++)
        if (p->port_row[k] != NO_ROW && glp_get_row_dual(p->lp, p->port_row[k]) != 0) q |= UINT32_C(1) << k;
    return q;
}

static uint64_t mass_inside(const program* p, ptl_ports q) {
    uint64_t mass = 0;
    for (size_t i = 0; i < p->e->size; i++) {
        const ptl_usage* u = &p->m->schemes[p->e->terms[i].scheme];
        for (uint32_t j = 0; j < u->uop_count; j++)
            if (!(u->uops[j].ports & ~q)) mass += (uint64_t)p->e->terms[i].count * u->uops[j].count;
    }
    return mass;
}

static ptl_status read_exact(program* p, ptl_error* error) {
    ptl_ports q = dual_ports(p);
    double t = glp_get_col_prim(p->lp, p->t);
    double bound = q ? (double)mass_inside(p, q) / ptl_ports_count(q) : 0;
    if (!(fabs(bound - t) <= 1e-12 * t))
        return ptl_fail(error, PTL_INTERNAL, NULL, NULL, "GLPK's dual solution does not prove its optimum");
    *p->cycles = fmax(bound, least_cycles(p));
    return PTL_OK;
}

/* The sum of a port's variables, by the matrix row. */
static double load_of(const program* p, unsigned k, double scale) {
    if (p->port_row[k] == NO_ROW) return 0;
    double t = glp_get_col_prim(p->lp, p->t);
    return (glp_get_row_prim(p->lp, p->port_row[k]) + t) * scale;
}

static ptl_status solve(void* data, ptl_error* error) {
    program* p = data;
    build(p);
    bool done = by_simplex(p);
    double scale = p->exact ? 1 : 1 / unit(p);
    if (p->exact) done = by_exact_simplex(p);
    if (!done) return ptl_fail(error, PTL_INTERNAL, NULL, NULL, "GLPK found no optimum");
    *p->cycles = glp_get_col_prim(p->lp, p->t) * scale;
    for (unsigned k = 0; p->loads && k < PTL_PORTS_MAX; k++) p->loads[k] = load_of(p, k, scale);
    return p->exact ? read_exact(p, error) : PTL_OK;
}

ptl_status ptl_lp_throughput(const ptl_mapping* m, const ptl_experiment* e, bool exact, double* cycles,
                             double* loads, ptl_error* error) {
    program p = {.m = m, .e = e, .exact = exact, .cycles = cycles, .loads = loads};
    for (size_t i = 0; i < e->size; i++) {
        ptl_status s = check_scheme(&p, &e->terms[i], error);
        if (s) return s;
    }
    if (p.mass) return ptl_lp_guarded(solve, &p, error);
    *cycles = least_cycles(&p); /* GLPK wants at least one variable */
    for (unsigned k = 0; loads && k < PTL_PORTS_MAX; k++) loads[k] = 0;
    return PTL_OK;
}
