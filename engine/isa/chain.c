#include "isa/chain.h"

#include <stdlib.h>
#include <string.h>

#include "isa/allocate.h"
#include "isa/architecture.h"
#include "isa/chain_ahead.h"
#include "isa/chain_cut.h"
#include "isa/chain_memory.h"
#include "isa/chain_registers.h"
#include "isa/chain_stack.h"
#include "isa/chain_tool.h"

/* An instance works with this. */
typedef struct work {
    ptl_chain_state* s;
    size_t k;
    const ptl_link* link;
    const ptl_carrier *in, *out;
    uint32_t constants[PTL_FILES]; /* taken for this instance */
} work;

static ptl_status choose_register(work* w, unsigned k, ptl_value* value, ptl_error* error) {
    const ptl_link* link = w->link;
    const ptl_operand* o = &link->scheme->operands[k];
    ptl_register_class class = (ptl_register_class)o->register_class;
    ptl_file file = ptl_file_of_class(class);
    bool waits = ptl_operand_reads(o);
    int number;
    if (link->from.kind == PTL_PLACE_REGISTER && link->from.operand == k) {
        number = w->in->number;
    } else if (link->to.kind == PTL_PLACE_REGISTER && link->to.operand == k) {
        number = w->out->number;
    } else if (link->same && waits && w->in->kind == PTL_PLACE_REGISTER && w->in->file == file) {
        number = w->in->number;
    } else if (ptl_operand_writes(o)) {
        number = ptl_chain_take(w->s, file, &w->s->spares[file], 0);
    } else if (file == PTL_FILE_GPR && ptl_chain_makes_base(w->s, w->k)) {
        number = w->s->policy->memory_base;
    } else if (link->scheme->architecture->chains->is_division(
                   link->scheme)) { /* one divisor: a remainder by another may be too large */
        number = w->s->constants[file].count ? w->s->constants[file].numbers[0] : -1;
    } else {
        number = ptl_chain_take(w->s, file, &w->s->constants[file], w->constants[file]);
        if (number >= 0) w->constants[file] |= UINT32_C(1) << number;
    }
    if (number < 0)
        return ptl_fail(error, PTL_UNSUPPORTED, link->scheme->name, "use links with fewer fixed registers",
                        "no %s register is left for an operand", ptl_file_name(file));
    if (file == PTL_FILE_X87) number += ptl_chain_stack_shift(link);
    value->reg = ptl_register_in_class(link->scheme->architecture, class, (unsigned)number);
    return PTL_OK;
}

static ptl_status choose_operands(work* w, ptl_instance* out, ptl_error* error) {
    const ptl_scheme* scheme = w->link->scheme;
    memset(out, 0, sizeof *out);
    out->scheme = *scheme;
    if (scheme->is_rounding) out->rounding = PTL_ROUND_NEAREST;
    ptl_status status = PTL_OK;
    for (unsigned k = 0; k < scheme->visible_count && !status; k++) {
        const ptl_operand* o = &scheme->operands[k];
        if (o->has_constant)
            out->values[k].number = o->constant;
        else if (o->fixed)
            out->values[k].reg = o->kind == PTL_REGISTER ? o->fixed : 0;
        else if (o->kind == PTL_REGISTER)
            status = choose_register(w, k, &out->values[k], error);
        else if (o->kind == PTL_IMMEDIATE)
            out->values[k].number = ptl_chain_is_amount(scheme, k)
                                        ? PTL_CHAIN_STEP
                                        : ptl_operand_immediate(scheme, o, w->s->policy);
        else if (ptl_operand_is_free(o) && !ptl_chain_memory(w->s, w->k, k, w->in, w->out, &out->values[k]))
            status = ptl_fail(error, PTL_UNSUPPORTED, scheme->name, "leave this scheme out",
                              "its address cannot be that of a cell");
    }
    return status;
}

/* This is decided once for all rounds. */
typedef struct course {
    size_t first; /* link that the rounds begin with */
    size_t last;  /* the last link of a round that chooses a carrier; n if all keep theirs */
    ptl_carrier start;
} course;

/* Finds by how much an address is moved behind a whole round; false if it moves on with every round. */
static bool offset_at(const ptl_chain_state* s, size_t first, int32_t* offset) {
    int32_t once = 0, twice;
    for (size_t i = 0; i < s->n; i++) once = ptl_chain_offset_behind(s, (first + i) % s->n, once);
    twice = once;
    for (size_t i = 0; i < s->n; i++) twice = ptl_chain_offset_behind(s, (first + i) % s->n, twice);
    *offset = once == twice ? once : 0;
    return once == twice;
}

/* Chooses where the link leaves the carrier. At the end of the last round that is where the first one finds
 * it. */
static ptl_status choose_carrier(ptl_chain_state* s, size_t k, const ptl_carrier* in, const course* c,
                                 bool final, ptl_carrier* out, ptl_error* error) {
    const ptl_edge* e = &s->edges[k];
    const ptl_link* link = &s->links[k];
    *out = *in;
    out->offset = ptl_chain_offset_behind(s, k, in->offset);
    if (ptl_link_keeps(link)) return PTL_OK;
    *out = (ptl_carrier){.kind = e->kind, .file = e->file, .flag = e->flag, .offset = out->offset};
    if (e->kind == PTL_PLACE_MEMORY)
        out->displacement = e->number == 0 ? PTL_CHAIN_POINTER : ptl_chain_carrier_cell(s, k);
    if (e->kind == PTL_PLACE_MEMORY && final && c->start.kind == PTL_PLACE_MEMORY)
        out->displacement = c->start.displacement;
    if (e->kind != PTL_PLACE_REGISTER) return PTL_OK;
    int number = e->number;
    if (number < 0 && final) number = c->start.number;
    if (number < 0) {
        uint32_t avoid = UINT32_C(1) << c->start.number;
        if (c->start.file != e->file) avoid = 0;
        if (in->kind == PTL_PLACE_REGISTER && in->file == e->file) avoid |= UINT32_C(1) << in->number;
        number = ptl_chain_take(s, (ptl_file)e->file, &s->carriers[e->file], avoid);
    }
    if (number < 0)
        return ptl_fail(error, PTL_UNSUPPORTED, link->scheme->name, "use links with fewer fixed registers",
                        "no %s register is left for the carrier", ptl_file_name((ptl_file)e->file));
    out->number = (uint8_t)number;
    return PTL_OK;
}

static ptl_status plan_course(ptl_chain_state* s, course* c, ptl_error* error) {
    ptl_status status = ptl_chain_first(s->links, s->edges, s->n, &c->first, error);
    if (status) return status;
    c->last = s->n;
    for (size_t i = 0; i < s->n; i++) {
        size_t k = (c->first + i) % s->n;
        if (!ptl_link_keeps(&s->links[k])) c->last = k;
    }
    const ptl_edge* e = &s->edges[(c->first + s->n - 1) % s->n];
    c->start = (ptl_carrier){.kind = e->kind, .file = e->file, .flag = e->flag};
    if (!offset_at(s, c->first, &c->start.offset) && s->moves)
        return ptl_fail(error, PTL_UNSUPPORTED, s->links[0].scheme->name,
                        "make the address anew in each round, by `and` with 0 and `orr`",
                        "its base moves on with every round");
    if (e->kind == PTL_PLACE_MEMORY)
        c->start.displacement = e->number == 0 ? PTL_CHAIN_POINTER : PTL_CHAIN_CARRY;
    if (e->kind != PTL_PLACE_REGISTER) return PTL_OK;
    int number = e->number;
    if (number < 0) number = ptl_chain_take(s, (ptl_file)e->file, &s->carriers[e->file], 0);
    if (number < 0)
        return ptl_fail(error, PTL_UNSUPPORTED, s->links[0].scheme->name,
                        "use links with fewer fixed registers", "no %s register is left for the carrier",
                        ptl_file_name((ptl_file)e->file));
    c->start.number = (uint8_t)number;
    return PTL_OK;
}

/* One link: what cuts its dependencies, an instance, and what stands behind it. */
static ptl_status add_link(ptl_chain_state* s, size_t k, const ptl_carrier* in, const ptl_carrier* out,
                           bool first_round, ptl_chain* chain, ptl_error* error) {
    work w = {.s = s, .k = k, .link = &s->links[k], .in = in, .out = out};
    s->fresh.is_wanted = false;
    ptl_instance instance;
    size_t behind = 0;
    ptl_cuts cuts = {.list = chain->body + chain->count};
    ptl_status status = choose_operands(&w, &instance, error);
    if (!status) status = ptl_chain_cut(s, k, &instance, in, &cuts, error);
    if (status) return status;
    chain->count += cuts.n;
    chain->together[k] = cuts.together;
    if (first_round) chain->position[k] = (uint16_t)chain->count;
    chain->body[chain->count++] = instance;
    status = ptl_chain_stack_behind(s, w.link, chain->body + chain->count, &behind, error);
    chain->count += behind;
    return status;
}

static ptl_status add_rounds(ptl_chain_state* s, size_t rounds, course* c, ptl_chain* out, ptl_error* error) {
    ptl_carrier in = c->start, behind;
    ptl_status status = PTL_OK;
    for (size_t r = 0; r < rounds && !status; r++) {
        for (size_t i = 0; i < s->n && !status; i++) {
            size_t k = (c->first + i) % s->n;
            bool final = r + 1 == rounds && k == c->last;
            status = choose_carrier(s, k, &in, c, final, &behind, error);
            if (!status) status = add_link(s, k, &in, &behind, r == 0, out, error);
            in = behind;
        }
        if (r == 0) out->each = out->count;
    }
    return status;
}

static ptl_status build(ptl_chain_state* s, size_t rounds, ptl_chain* out, ptl_error* error) {
    course c;
    out->count = out->each = 0;
    ptl_status status = ptl_chain_edges(s->links, s->n, s->edges, error);
    if (!status) status = ptl_chain_survey(s, error);
    if (!status) status = plan_course(s, &c, error);
    if (!status) status = add_rounds(s, rounds, &c, out, error);
    return status ? status : ptl_chain_prepare(s, c.first, &c.start, out, error);
}

ptl_status ptl_chain_build(const ptl_link* links, size_t n, size_t rounds, const ptl_policy* policy,
                           ptl_chain* out, ptl_error* error) {
    if (n == 0 || n > PTL_LINKS_MAX || rounds == 0)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "a chain has from 1 to %d links", PTL_LINKS_MAX);
    if (!policy->architecture->chains)
        return ptl_fail(error, PTL_UNSUPPORTED, links[0].scheme->name, NULL, "no chains are built on %s",
                        policy->architecture->name);
    for (size_t k = 0; k < n; k++)
        if (links[k].scheme->architecture != policy->architecture)
            return ptl_fail(error, PTL_BAD_INPUT, links[k].scheme->name,
                            "take the policy of its architecture", "a scheme of %s under a policy of %s",
                            links[k].scheme->architecture->name, policy->architecture->name);
    ptl_chain_state* s = calloc(1, sizeof *s);
    if (!s) return ptl_no_memory_in(error, "chain");
    s->links = links, s->n = n, s->policy = policy;
    ptl_status status = build(s, rounds, out, error);
    free(s);
    return status;
}
