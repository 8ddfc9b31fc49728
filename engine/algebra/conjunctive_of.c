/* Three-level mapping to conjunctive mapping: which sets of ports become resources, their loads and names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/conjunctive.h"
#include "base/order.h"
#include "model/port_unions.h"

/* load = amount / width: amounts are whole numbers, so that loads are compared exactly (widths too, but for
 * an R_max that is not whole). */
typedef struct candidate {
    ptl_ports ports; /* none: issue, or a unit */
    uint32_t unit;   /* from 1 on; 0: none */
    double width;
    const double* amounts; /* per distinct usage */
    bool dominated;
} candidate;

typedef struct conversion {
    const ptl_mapping* m;
    ptl_arena arena;
    const ptl_usage** usages; /* distinct ones of explained schemes */
    size_t usage_count;
    size_t* usage_of; /* per scheme: index into usages */
    ptl_ports* sets;  /* the distinct port sets of uops */
    size_t set_count;
    candidate* candidates;
    size_t count;
} conversion;

static int by_usage(const void* a, const void* b) {
    const ptl_usage *x = *(const ptl_usage*const*)a, *y = *(const ptl_usage*const*)b;
    if (x->uop_count != y->uop_count) return x->uop_count < y->uop_count ? -1 : 1;
    if (x->slots != y->slots) return x->slots < y->slots ? -1 : 1;
    if (x->unit != y->unit) return x->unit < y->unit ? -1 : 1;
    if (x->busy != y->busy) return x->busy < y->busy ? -1 : 1;
    return x->uop_count ? memcmp(x->uops, y->uops, x->uop_count * sizeof *x->uops) : 0;
}

/* Schemes of equal usage get equal loads: one of each is enough to compare resources. */
static bool find_usages(conversion* v) {
    const ptl_mapping* m = v->m;
    const ptl_usage** sorted = ptl_arena_array(&v->arena, m->scheme_count + 1, sizeof *sorted);
    v->usages = ptl_arena_array(&v->arena, m->scheme_count + 1, sizeof *v->usages);
    v->usage_of = ptl_arena_array(&v->arena, m->scheme_count + 1, sizeof *v->usage_of);
    if (!sorted || !v->usages || !v->usage_of) return false;
    size_t known = 0;
    for (size_t i = 0; i < m->scheme_count; i++)
        if (m->schemes[i].known) sorted[known++] = &m->schemes[i];
    if (known) qsort(sorted, known, sizeof *sorted, by_usage);
    for (size_t i = 0; i < known; i++) {
        if (!i || by_usage(&sorted[i - 1], &sorted[i])) v->usages[v->usage_count++] = sorted[i];
        v->usage_of[sorted[i] - m->schemes] = v->usage_count - 1;
    }
    return true;
}

static bool find_sets(conversion* v) {
    size_t uops = 0;
    for (size_t i = 0; i < v->usage_count; i++) uops += v->usages[i]->uop_count;
    v->sets = ptl_arena_array(&v->arena, uops + 1, sizeof *v->sets);
    if (!v->sets) return false;
    uops = 0;
    for (size_t i = 0; i < v->usage_count; i++)
        for (uint32_t j = 0; j < v->usages[i]->uop_count; j++) v->sets[uops++] = v->usages[i]->uops[j].ports;
    if (uops) qsort(v->sets, uops, sizeof *v->sets, ptl_ascending_words);
    for (size_t i = 0; i < uops; i++)
        if (!i || v->sets[i] != v->sets[i - 1]) v->sets[v->set_count++] = v->sets[i];
    return true;
}

/* The uops inside q hang together: any two are joined by a chain of uops inside q, each of which shares a
 * port with the next. q is the union of their ports. */
static bool connected(const conversion* v, ptl_ports q) {
    ptl_ports reached = q & -q;
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < v->set_count; i++) {
            ptl_ports p = v->sets[i];
            if ((p & ~q) || !(p & reached) || !(p & ~reached)) continue;
            reached |= p;
            grown = true;
        }
    }
    return reached == q;
}

static double inside(const ptl_usage* u, ptl_ports q) {
    double sum = 0;
    for (uint32_t j = 0; j < u->uop_count; j++)
        if (!(u->uops[j].ports & ~q)) sum += u->uops[j].count;
    return sum;
}

static double amount(const ptl_usage* u, ptl_ports q, uint32_t unit) {
    if (unit) return u->unit == unit ? u->busy : 0;
    return q ? inside(u, q) : u->slots;
}

static ptl_status enter(conversion* v, ptl_ports q, uint32_t unit, double width, ptl_error* error) {
    if (v->count == PTL_RESOURCES_MAX)
        return ptl_fail(error, PTL_LIMIT, NULL, "restrict the mapping to fewer schemes",
                        "more than %d sets of ports and units can be a bottleneck", PTL_RESOURCES_MAX);
    double* amounts = ptl_arena_array(&v->arena, v->usage_count + 1, sizeof *amounts);
    if (!amounts) return ptl_no_memory(error, "for a conjunctive mapping");
    for (size_t i = 0; i < v->usage_count; i++) amounts[i] = amount(v->usages[i], q, unit);
    v->candidates[v->count++] = (candidate){q, unit, width, amounts, false};
    return PTL_OK;
}

static int narrow_first(const void* a, const void* b) {
    ptl_ports x = *(const ptl_ports*)a, y = *(const ptl_ports*)b;
    int order = (int)ptl_ports_count(x) - (int)ptl_ports_count(y);
    if (order) return order;
    ptl_ports lowest = (x ^ y) & -(x ^ y); /* the set with the first port that they do not share */
    return x & lowest ? -1 : y & lowest ? 1 : 0;
}

static ptl_status find_candidates(conversion* v, ptl_error* error) {
    v->candidates = ptl_arena_array(&v->arena, PTL_RESOURCES_MAX, sizeof *v->candidates);
    if (!v->candidates || !find_usages(v) || !find_sets(v))
        return ptl_no_memory(error, "for a conjunctive mapping");
    ptl_port_unions unions;
    ptl_status s = ptl_port_unions_of(v->usages, v->usage_count, &v->arena, &unions, error);
    if (s) return s;
    if (unions.cut)
        return ptl_fail(error, PTL_LIMIT, NULL, "restrict the mapping to fewer schemes",
                        "more than %u unions of port sets", PTL_PORT_UNIONS_MAX);
    if (unions.count) qsort(unions.sets, unions.count, sizeof *unions.sets, narrow_first);
    for (size_t i = 0; !s && i < unions.count; i++)
        if (connected(v, unions.sets[i]))
            s = enter(v, unions.sets[i], 0, ptl_ports_count(unions.sets[i]), error);
    if (!s && v->m->rmax > 0) s = enter(v, 0, 0, v->m->rmax, error);
    for (uint32_t unit = 1; !s && unit <= v->m->unit_count; unit++) s = enter(v, 0, unit, 1, error);
    return s;
}

/* No scheme loads a more than b. */
static bool below(const conversion* v, const candidate* a, const candidate* b) {
    for (size_t i = 0; i < v->usage_count; i++)
        if (a->amounts[i] * b->width > b->amounts[i] * a->width) return false;
    return true;
}

/* Of equal ones the first stays. */
static void drop_dominated(conversion* v) {
    candidate* c = v->candidates;
    for (size_t i = 0; i < v->count; i++)
        for (size_t j = 0; j < v->count && !c[i].dominated; j++)
            c[i].dominated =
                j != i && !c[j].dominated && below(v, &c[i], &c[j]) && (j < i || !below(v, &c[j], &c[i]));
    size_t kept = 0;
    for (size_t i = 0; i < v->count; i++)
        if (!c[i].dominated) c[kept++] = c[i];
    v->count = kept;
}

/* Returns the text that stands between names of ports in the name of a resource: nothing where all are one
 * byte, else something that occurs in none of them, so that different sets have different names. */
static const char* separator(const ptl_mapping* m) {
    static const char* const choices[] = {",", ";", "/", "|", " ", ":", "+"};
    size_t longest = 0;
    for (unsigned k = 0; k < m->port_count; k++) {
        size_t n = strlen(m->ports[k]);
        longest = n > longest ? n : longest;
    }
    if (longest <= 1) return "";
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        bool taken = false;
        for (unsigned k = 0; k < m->port_count; k++) taken = taken || strstr(m->ports[k], choices[i]);
        if (!taken) return choices[i];
    }
    return " + ";
}

static char* resource_name(conversion* v, const candidate* c, const char* between) {
    ptl_ports q = c->ports;
    char unit[16];
    snprintf(unit, sizeof unit, "unit%" PRIu32, c->unit);
    if (!q) return ptl_arena_string(&v->arena, c->unit ? unit : "issue");
    size_t size = 2;
    for (unsigned k = 0; k < v->m->port_count; k++)
        if (q >> k & 1) size += strlen(v->m->ports[k]) + strlen(between);
    char* name = ptl_arena_alloc(&v->arena, size);
    if (!name) return NULL;
    char* end = stpcpy(name, "R");
    for (unsigned k = 0; k < v->m->port_count; k++) {
        if (!(q >> k & 1)) continue;
        if (end > name + 1) end = stpcpy(end, between);
        end = stpcpy(end, v->m->ports[k]);
    }
    return name;
}

static ptl_status add_schemes(conversion* v, ptl_conjunctive* c, ptl_error* error) {
    ptl_load* loads = ptl_arena_array(&v->arena, v->count + 1, sizeof *loads);
    if (!loads) return ptl_no_memory(error, "for a conjunctive mapping");
    ptl_status s = PTL_OK;
    for (size_t i = 0; !s && i < v->m->scheme_count; i++) {
        const ptl_usage* u = &v->m->schemes[i];
        for (size_t r = 0; u->known && r < v->count; r++)
            loads[r] =
                (ptl_load){(uint32_t)r, v->candidates[r].amounts[v->usage_of[i]] / v->candidates[r].width};
        s = ptl_conjunctive_add(c, u->name, u->known ? loads : NULL, v->count, error);
    }
    return s;
}

static ptl_status build(conversion* v, ptl_conjunctive* c, ptl_error* error) {
    const char** names = ptl_arena_array(&v->arena, v->count + 1, sizeof *names);
    if (!names) return ptl_no_memory(error, "for a conjunctive mapping");
    const char* between = separator(v->m);
    for (size_t r = 0; r < v->count; r++)
        if (!(names[r] = resource_name(v, &v->candidates[r], between)))
            return ptl_no_memory(error, "for a conjunctive mapping");
    ptl_status s = ptl_conjunctive_new(c, names, v->count, v->m->scheme_count, error);
    if (s) return s;
    s = add_schemes(v, c, error);
    if (s) ptl_conjunctive_free(c);
    return s;
}

ptl_status ptl_conjunctive_of(ptl_conjunctive* c, const ptl_mapping* m, ptl_error* error) {
    *c = (ptl_conjunctive){0};
    conversion v = {.m = m};
    ptl_status s = find_candidates(&v, error);
    if (!s) {
        drop_dominated(&v);
        s = build(&v, c, error);
    }
    ptl_arena_release(&v.arena);
    return s;
}
