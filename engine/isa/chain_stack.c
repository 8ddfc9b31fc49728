#include "isa/chain_stack.h"

#include "isa/architecture.h"
#include "isa/chain_tool.h"
#include "isa/register_stack.h"

typedef enum way { STAYS, PUSH_AHEAD, PUSH_BEHIND, POP_AHEAD } way;

static bool is_on_stack(const ptl_place* p) {
    return p->kind == PTL_PLACE_REGISTER &&
           ptl_file_of_class((ptl_register_class)p->register_class) == PTL_FILE_X87;
}

static way way_of(const ptl_link* link) {
    int moves = ptl_scheme_top_moves(link->scheme);
    if (moves < 0) return POP_AHEAD;
    if (moves == 0) return STAYS;
    bool pops_carrier = is_on_stack(&link->from) && link->scheme->operands[link->from.operand].fixed;
    return pops_carrier ? PUSH_BEHIND : PUSH_AHEAD;
}

/* Returns what keeps an operand on the stack out of chains, in words; NULL if nothing does. */
static const char* operand_fault(const ptl_scheme* s, const ptl_operand* o) {
    unsigned number = 0;
    if (!o->fixed) return NULL;
    ptl_register_place(s->architecture, o->fixed, &number);
    if (number > 0) return "it fixes a register below the top of its stack";
    if (ptl_scheme_top_moves(s) < 0 && ptl_operand_reads(o))
        return "it reads the top of its stack and pushes";
    return NULL;
}

/* The top can be one register of a link only, and so no carrier whose operand is any other. */
static bool is_the_top(const ptl_link* link, const ptl_place* p, const ptl_edge* e) {
    if (!is_on_stack(p) || link->scheme->operands[p->operand].fixed) return false;
    return e->number == 0 && way_of(link) != PUSH_AHEAD;
}

const char* ptl_chain_stack_fault(const ptl_chain_state* s, size_t k) {
    const ptl_link* link = &s->links[k];
    const ptl_scheme* scheme = link->scheme;
    bool any = false;
    int moves = ptl_scheme_top_moves(scheme);
    for (unsigned i = 0; i < scheme->operand_count; i++) {
        const ptl_operand* o = &scheme->operands[i];
        if (o->kind != PTL_REGISTER) continue;
        if (ptl_file_of_class((ptl_register_class)o->register_class) != PTL_FILE_X87) continue;
        const char* fault = operand_fault(scheme, o);
        if (fault) return fault;
        any = true;
    }
    if (moves < -1 || moves > 1 || (moves != 0 && !any)) return "it turns the stack of its registers";
    if (!any) return NULL;
    if (ptl_scheme_swaps(scheme) && link->from.operand == link->to.operand)
        return "its operands change places, so that each leaves by the other";
    if (link->same) return "one register cannot be both of its operands";
    if (link->from.kind == PTL_PLACE_BASE || link->from.kind == PTL_PLACE_INDEX)
        return "what an address leads to may be no number for it";
    if (is_the_top(link, &link->from, &s->edges[(k + s->n - 1) % s->n]) ||
        is_the_top(link, &link->to, &s->edges[k]))
        return "the carrier is in the top of the stack, and its operand is not";
    return NULL;
}

int ptl_chain_stack_shift(const ptl_link* link) {
    way w = way_of(link);
    return w == PUSH_AHEAD ? 1 : w == POP_AHEAD ? -1 : 0;
}

bool ptl_chain_stack_has_own_top(const ptl_link* link) {
    return way_of(link) == PUSH_AHEAD;
}

static ptl_status push(ptl_chain_state* s, ptl_instance* out, ptl_error* error) {
    return ptl_tool_memory(s, PTL_TOOL_STACK_LOAD, 0, s->policy->architecture->chains->stack_constant, out,
                           error);
}

/* The top to the register of this number, as it is counted ahead of that. */
static ptl_status pop_to(ptl_chain_state* s, unsigned number, ptl_instance* out, ptl_error* error) {
    return ptl_tool_instance(s, PTL_TOOL_STACK_STORE, number, number, out, error);
}

static ptl_status need_room(const ptl_cuts* out, unsigned n, ptl_error* error) {
    if (out->n + n <= PTL_CUTS_MAX) return PTL_OK;
    return ptl_fail(error, PTL_UNSUPPORTED, NULL, "leave this scheme out", "there is too much to be cut");
}

ptl_status ptl_chain_stack_renew(ptl_chain_state* s, unsigned number, ptl_cuts* out, ptl_error* error) {
    ptl_status status = need_room(out, 2, error);
    if (status) return status;
    ptl_instance *first = &out->list[out->n], *second = first + 1;
    out->n += 2;
    if (number > 0) { /* the constant is on top of it */
        status = push(s, first, error);
        return status ? status : pop_to(s, number + 1, second, error);
    }
    status = pop_to(s, 0, first, error);
    return status ? status : push(s, second, error);
}

ptl_status ptl_chain_stack_ahead(ptl_chain_state* s, const ptl_link* link, ptl_cuts* out, ptl_error* error) {
    way w = way_of(link);
    if (w != PUSH_AHEAD && w != POP_AHEAD) return PTL_OK;
    ptl_status status = need_room(out, 1, error);
    if (status) return status;
    ptl_instance* one = &out->list[out->n++];
    return w == PUSH_AHEAD ? push(s, one, error) : pop_to(s, 0, one, error);
}

ptl_status ptl_chain_stack_behind(ptl_chain_state* s, const ptl_link* link, ptl_instance* out, size_t* n,
                                  ptl_error* error) {
    *n = way_of(link) == PUSH_BEHIND;
    return *n ? push(s, out, error) : PTL_OK;
}
