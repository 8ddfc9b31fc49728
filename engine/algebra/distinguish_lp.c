#include "algebra/distinguish_lp.h"

#include <glpk.h>
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "model/lp_guard.h"
#include "model/port_unions.h"
#include "model/throughput.h"

#define ISSUE PTL_ISSUE_TERM
/* Shares are multiples of this when the bottleneck is computed: exactly, for the rounded mixture. */
#define SHARE_BITS 40
#define BROKEN 1e-9        /* a term counts as broken beyond this */
#define PROGRAMS_MOST 4096 /* a program takes some milliseconds */
#define ALONE_MOST 16384   /* terms that are tried alone on each f: far quicker than a program */

typedef struct side {
    const ptl_mapping* m;
    const ptl_usage** usage; /* of each kind */
    ptl_port_unions unions;
    ptl_renaming to_other; /* which port of the other mapping does much the same */
} side;

/* A term g of the fast side: a row of the program. */
typedef struct cut {
    ptl_ports ports;
    uint32_t unit;
    double* of;    /* per kind */
    double weight; /* of the last dual solution */
} cut;

typedef struct search {
    const ptl_pairs* p;
    double threshold; /* of CPIs */
    ptl_distinction* out;
    ptl_proof* proof;  /* NULL: nobody asks */
    bool of_a;         /* the slow side is a */
    ptl_arena* arena;  /* the caller's, for the experiment */
    ptl_arena scratch; /* everything else */
    size_t count;      /* schemes that differ in usage: kinds */
    uint32_t* kind;    /* as indices into the pairs */
    side a, b;
    bool open;         /* some f is undecided */
    unsigned programs; /* solved so far, not counting the same one with more terms */
    /* one direction */
    side slow, fast;
    double* f;     /* per kind */
    double* point; /* the mixture */
    cut* cuts;
    size_t cut_count, cut_capacity;
    glp_prob* lp;
    int t;       /* its column; column 1 + k is kind k */
    int* index;  /* scratch for a row */
    double* row; /* likewise */
    ptl_mass* masses;
    ptl_demand demand;
} search;

/* The coefficient of a kind in the term of a unit (from 1 on), or of a set of ports. */
static double coefficient(const side* s, size_t kind, ptl_ports q, uint32_t unit) {
    const ptl_usage* u = s->usage[kind];
    if (unit) return u->unit == unit ? u->busy : 0;
    if (q == ISSUE) return u->slots / s->m->rmax;
    uint32_t inside = 0;
    for (uint32_t j = 0; j < u->uop_count; j++)
        if (!(u->uops[j].ports & ~q)) inside += u->uops[j].count;
    return (double)inside / ptl_ports_count(q);
}

/* Room for one more element in an array of the arena, whose new place is returned; NULL: no memory. */
static void* grow(ptl_arena* arena, void* old, size_t count, size_t* capacity, size_t size) {
    if (count < *capacity) return old;
    size_t more = *capacity ? 2 * *capacity : 64;
    void* array = ptl_arena_array(arena, more, size);
    if (!array) return NULL;
    if (count) memcpy(array, old, count * size);
    *capacity = more;
    return array;
}

/* t - g(e) >= 0 */
static ptl_status add_cut(search* s, ptl_ports q, uint32_t unit, ptl_error* error) {
    cut* cuts = grow(&s->scratch, s->cuts, s->cut_count, &s->cut_capacity, sizeof *cuts);
    if (!cuts) return ptl_no_memory(error, "to compare");
    s->cuts = cuts;
    cut c = {.ports = q, .unit = unit, .of = ptl_arena_array(&s->scratch, s->count, sizeof *c.of)};
    if (!c.of) return ptl_no_memory(error, "to compare");
    int n = 0;
    for (size_t k = 0; k < s->count; k++) {
        c.of[k] = coefficient(&s->fast, k, q, unit);
        if (c.of[k] == 0) continue;
        s->index[++n] = (int)k + 1;
        s->row[n] = -c.of[k];
    }
    s->index[++n] = s->t;
    s->row[n] = 1;
    int row = glp_add_rows(s->lp, 1);
    glp_set_row_bnds(s->lp, row, GLP_LO, 0, 0);
    glp_set_mat_row(s->lp, row, n, s->index, s->row);
    s->cuts[s->cut_count++] = c;
    return PTL_OK;
}

/* The program without terms, and the terms it starts with: all ports, R_max, and all units. */
static ptl_status start(search* s, ptl_error* error) {
    s->lp = glp_create_prob();
    glp_set_obj_dir(s->lp, GLP_MAX);
    glp_add_cols(s->lp, (int)s->count + 1);
    s->t = (int)s->count + 1;
    glp_set_col_bnds(s->lp, s->t, GLP_LO, 0, 0);
    glp_set_obj_coef(s->lp, s->t, -1);
    glp_add_rows(s->lp, 1);
    glp_set_row_bnds(s->lp, 1, GLP_FX, 1, 1);
    ptl_ports all = 0;
    for (size_t k = 0; k < s->count; k++) {
        for (uint32_t j = 0; j < s->fast.usage[k]->uop_count; j++) all |= s->fast.usage[k]->uops[j].ports;
        glp_set_col_bnds(s->lp, (int)k + 1, GLP_LO, 0, 0);
        s->index[k + 1] = (int)k + 1;
        s->row[k + 1] = 1;
    }
    glp_set_mat_row(s->lp, 1, (int)s->count, s->index, s->row);
    s->cut_count = 0;
    ptl_status status = s->fast.m->rmax > 0 ? add_cut(s, ISSUE, 0, error) : PTL_OK;
    if (!status && all) status = add_cut(s, all, 0, error);
    for (uint32_t unit = 1; !status && unit <= s->fast.m->unit_count; unit++)
        status = add_cut(s, ISSUE, unit, error);
    return status;
}

static bool optimise(search* s, int method) {
    glp_smcp o;
    glp_init_smcp(&o);
    o.msg_lev = GLP_MSG_OFF;
    o.meth = method;
    if (!glp_simplex(s->lp, &o) && glp_get_status(s->lp) == GLP_OPT) return true;
    glp_std_basis(s->lp);
    o.meth = GLP_PRIMAL;
    return !glp_simplex(s->lp, &o) && glp_get_status(s->lp) == GLP_OPT;
}

/* The dual values as weights, which sum to at most 1. */
static void read_weights(search* s) {
    double sum = 0;
    for (size_t i = 0; i < s->cut_count; i++) {
        double w = fabs(glp_get_row_dual(s->lp, (int)i + 2));
        s->cuts[i].weight = w > 1e-12 ? w : 0;
        sum += s->cuts[i].weight;
    }
    for (size_t i = 0; i < s->cut_count && sum > 1; i++) s->cuts[i].weight /= sum;
}

/* With the weights that there are, no mixture's gap is above this. Kinds that f does not need have f_i = 0:
 * they are never above it. */
static double bound_by_weights(const search* s) {
    double* below = s->row; /* of each kind: f_i less the weighted terms */
    memcpy(below, s->f, s->count * sizeof *below);
    for (size_t i = 0; i < s->cut_count; i++) {
        const cut* c = &s->cuts[i];
        for (size_t k = 0; c->weight > 0 && k < s->count; k++) below[k] -= c->weight * c->of[k];
    }
    double most = 0;
    for (size_t k = 0; k < s->count; k++) most = fmax(most, below[k]);
    return most;
}

static bool proved(const search* s, double bound) {
    return bound <= s->threshold + PTL_CPI_ROUNDING;
}

/* The term of q alone does it. Most fail on the first kind that is looked at: the one that the term before
 * failed on. */
static bool proved_by_term(const search* s, ptl_ports q, size_t* failing) {
    for (size_t n = 0; n < s->count; n++) {
        if (!proved(s, s->f[*failing] - coefficient(&s->fast, *failing, q, 0))) return false;
        *failing = *failing + 1 < s->count ? *failing + 1 : 0;
    }
    return true;
}

/* One term of the fast side alone may do it, as all do when the mappings are the same but for names. guess: a
 * set of its ports that is tried first, if it is not empty; any set has a term that is at most the CPI.
 * Returns the set; ISSUE if none does. */
static ptl_ports proving_term(const search* s, ptl_ports guess) {
    size_t failing = 0;
    if (guess && proved_by_term(s, guess, &failing)) return guess;
    for (size_t i = 0; i < s->fast.unions.count && i < ALONE_MOST; i++)
        if (proved_by_term(s, s->fast.unions.sets[i], &failing)) return s->fast.unions.sets[i];
    return ISSUE;
}

/* Enters the cover of the term of q: by the one term, or (ISSUE) by the weights that there are. */
static ptl_status record(search* s, ptl_ports q, ptl_ports term, ptl_error* error) {
    ptl_proof* proof = s->proof;
    if (!proof) return PTL_OK;
    size_t most = term != ISSUE ? 1 : s->cut_count, n = 0;
    ptl_ports* by = ptl_arena_array(proof->arena, most + 1, sizeof *by);
    double* weight = ptl_arena_array(proof->arena, most + 1, sizeof *weight);
    ptl_cover* covers = grow(proof->arena, proof->covers, proof->count, &proof->capacity, sizeof *covers);
    if (!by || !weight || !covers) return ptl_no_memory(error, "to compare");
    proof->covers = covers;
    if (term != ISSUE) by[n] = term, weight[n++] = 1;
    for (size_t i = 0; term == ISSUE && i < s->cut_count; i++)
        if (s->cuts[i].weight > 0) by[n] = s->cuts[i].ports, weight[n++] = s->cuts[i].weight;
    covers[proof->count++] = (ptl_cover){s->of_a, q, n, by, weight};
    return PTL_OK;
}

/* Adds the term that the mixture breaks most. *added: there is one. */
static ptl_status separate(search* s, bool* added, ptl_error* error) {
    size_t n = 0;
    for (size_t k = 0; k < s->count; k++) {
        uint64_t share = (uint64_t)fmax(0, nearbyint(ldexp(s->point[k], SHARE_BITS)));
        const ptl_usage* u = s->fast.usage[k];
        for (uint32_t j = 0; share && j < u->uop_count; j++)
            s->masses[n++] = (ptl_mass){u->uops[j].ports, share * u->uops[j].count};
    }
    ptl_bottleneck b;
    *added = false;
    ptl_status status = ptl_demand_masses(&s->demand, s->masses, n, error);
    if (!status) status = ptl_bottleneck_of(&s->demand, &b, error);
    if (status) return status;
    double cycles = ldexp(ptl_bottleneck_cycles(&b), -SHARE_BITS), t = glp_get_col_prim(s->lp, s->t);
    if (cycles <= t + BROKEN * (1 + t)) return PTL_OK;
    for (size_t i = 0; i < s->cut_count; i++)
        if (!s->cuts[i].unit && s->cuts[i].ports == b.ports)
            return PTL_OK; /* to the solver's tolerance it is not broken */
    *added = true;
    return add_cut(s, b.ports, 0, error);
}

/* The optimal mixture as an experiment. */
static ptl_status witness(search* s, ptl_error* error) {
    uint32_t* scheme = ptl_arena_array(&s->scratch, s->count, sizeof *scheme);
    double* share = ptl_arena_array(&s->scratch, s->count, sizeof *share);
    if (!scheme || !share) return ptl_no_memory(error, "to compare");
    size_t n = 0;
    for (size_t k = 0; k < s->count; k++) {
        if (s->point[k] < 1e-9) continue;
        scheme[n] = s->p->in_a[s->kind[k]];
        share[n++] = s->point[k];
    }
    return ptl_round_mixture(s->p, &(ptl_mixture){scheme, share, n}, s->threshold, s->arena, s->out, error);
}

/* The program of f, the term of q: proves that f reaches no gap above the threshold, or finds an experiment,
 * or leaves it open. */
static ptl_status solve(search* s, ptl_ports q, ptl_error* error) {
    for (size_t k = 0; k < s->count; k++) glp_set_obj_coef(s->lp, (int)k + 1, s->f[k]);
    int method = GLP_PRIMAL; /* another objective: the basis is primal feasible */
    bool more = s->programs++ < PROGRAMS_MOST;
    for (; more; method = GLP_DUALP) {
        if (ptl_interrupted()) return ptl_fail(error, PTL_INTERRUPTED, NULL, NULL, "interrupted");
        if (!optimise(s, method)) break;
        read_weights(s);
        if (proved(s, bound_by_weights(s))) return record(s, q, ISSUE, error);
        for (size_t k = 0; k < s->count; k++) s->point[k] = glp_get_col_prim(s->lp, (int)k + 1);
        ptl_status status = separate(s, &more, error);
        if (!status && !more) status = witness(s, error);
        if (status || s->out->found) return status;
    }
    s->open = true;
    return PTL_OK;
}

/* The term f of a set of ports, of R_max, or of a unit. */
static ptl_status examine(search* s, ptl_ports q, uint32_t unit, ptl_error* error) {
    if (ptl_interrupted()) return ptl_fail(error, PTL_INTERRUPTED, NULL, NULL, "interrupted");
    s->out->examined++;
    for (size_t k = 0; k < s->count; k++) s->f[k] = coefficient(&s->slow, k, q, unit);
    ptl_ports guess = q == ISSUE ? 0 : ptl_renamed(&s->slow.to_other, q);
    if (proved(s, bound_by_weights(s))) return record(s, q, ISSUE, error);
    ptl_ports term = proving_term(s, guess);
    return term != ISSUE ? record(s, q, term, error) : solve(s, q, error);
}

/* Is there an experiment under which slow is slower? */
static ptl_status one_direction(search* s, const side* slow, const side* fast, ptl_error* error) {
    s->slow = *slow;
    s->fast = *fast;
    const ptl_port_unions* q = &slow->unions;
    ptl_status status = start(s, error);
    if (!status && slow->m->rmax > 0) status = examine(s, ISSUE, 0, error);
    for (uint32_t unit = 1; !status && !s->out->found && unit <= slow->m->unit_count; unit++)
        status = examine(s, ISSUE, unit, error);
    for (size_t i = 0; !status && !s->out->found && i < q->count; i++)
        status = examine(s, q->sets[i], 0, error);
    s->open |= q->cut;
    glp_delete_prob(s->lp);
    return status;
}

static ptl_status both_directions(void* data, ptl_error* error) {
    search* s = data;
    s->of_a = true;
    ptl_status status = one_direction(s, &s->a, &s->b, error);
    s->of_a = false;
    if (!status && !s->out->found) status = one_direction(s, &s->b, &s->a, error);
    return status;
}

static bool set_side(search* s, side* out, const ptl_mapping* m, const uint32_t* in) {
    out->m = m;
    out->usage = ptl_arena_array(&s->scratch, s->count, sizeof *out->usage);
    for (size_t k = 0; out->usage && k < s->count; k++) out->usage[k] = &m->schemes[in[s->kind[k]]];
    return out->usage != NULL;
}

static ptl_status relate_ports(search* s, ptl_error* error) {
    size_t matching;
    ptl_renaming *there = &s->a.to_other, *back = &s->b.to_other;
    ptl_status status = ptl_renaming_closest(s->p, there, &matching, error);
    for (unsigned k = 0; k < PTL_PORTS_MAX; k++) back->port[k] = PTL_NO_PORT;
    for (unsigned k = 0; !status && k < PTL_PORTS_MAX; k++)
        if (there->port[k] != PTL_NO_PORT) back->port[there->port[k]] = (int)k;
    return status;
}

static ptl_status prepare(search* s, ptl_error* error) {
    const ptl_pairs* p = s->p;
    ptl_arena* arena = &s->scratch;
    s->kind = ptl_arena_array(arena, p->count, sizeof *s->kind);
    if (!s->kind) return ptl_no_memory(error, "to compare");
    s->count = ptl_pairs_kinds(p, s->kind);
    size_t uops = 0; /* of all kinds, in the mapping with more */
    for (size_t k = 0; k < s->count; k++)
        uops += p->a->schemes[p->in_a[s->kind[k]]].uop_count + p->b->schemes[p->in_b[s->kind[k]]].uop_count;
    s->f = ptl_arena_array(arena, s->count, sizeof *s->f);
    s->point = ptl_arena_array(arena, s->count, sizeof *s->point);
    s->index = ptl_arena_array(arena, s->count + 2, sizeof *s->index);
    s->row = ptl_arena_array(arena, s->count + 2, sizeof *s->row);
    s->masses = ptl_arena_array(arena, uops + 1, sizeof *s->masses);
    bool ok = s->f && s->point && s->index && s->row && s->masses;
    ok = ok && set_side(s, &s->a, p->a, p->in_a) && set_side(s, &s->b, p->b, p->in_b);
    if (!ok) return ptl_no_memory(error, "to compare");
    ptl_status status = ptl_port_unions_of(s->a.usage, s->count, arena, &s->a.unions, error);
    if (!status) status = ptl_port_unions_of(s->b.usage, s->count, arena, &s->b.unions, error);
    return status ? status : relate_ports(s, error);
}

ptl_status ptl_distinguish_by_lp(const ptl_pairs* p, double epsilon, ptl_arena* arena, ptl_distinction* out,
                                 ptl_error* error) {
    return ptl_distinguish_with_proof(p, epsilon, arena, out, NULL, error);
}

ptl_status ptl_distinguish_with_proof(const ptl_pairs* p, double epsilon, ptl_arena* arena,
                                      ptl_distinction* out, ptl_proof* proof, ptl_error* error) {
    *out = (ptl_distinction){.complete = p->count == 0};
    if (p->count == 0) return PTL_OK;
    search s = {
        .p = p, .threshold = 2 * epsilon + PTL_CPI_ROUNDING, .out = out, .proof = proof, .arena = arena};
    ptl_status status = prepare(&s, error);
    if (!status) status = ptl_lp_guarded(both_directions, &s, error);
    out->complete = out->found || (!status && !s.open);
    ptl_demand_free(&s.demand);
    ptl_arena_release(&s.scratch);
    return status;
}
