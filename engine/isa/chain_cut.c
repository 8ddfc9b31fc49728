#include "isa/chain_cut.h"

#include "isa/allocate.h"
#include "isa/architecture.h"
#include "isa/chain_registers.h"
#include "isa/chain_stack.h"
#include "isa/chain_tool.h"

/* The cuts of one instance, so far. */
typedef struct cuts {
    ptl_chain_state* s;
    const ptl_link *link, *before; /* in the cycle */
    const ptl_instance* instance;
    const ptl_carrier* in;
    ptl_cuts* out;
    uint32_t done[PTL_FILES]; /* registers */
} cuts;

/* Is the register the base of hidden memory? Then it must point to data. */
static bool is_hidden_base(const ptl_scheme* s, unsigned number) {
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        unsigned base;
        if (o->kind == PTL_MEMORY && o->fixed &&
            ptl_register_place(s->architecture, o->fixed, &base) == PTL_FILE_GPR && base == number)
            return true;
    }
    return false;
}

static ptl_status conflict(const cuts* c, const char* what, ptl_error* error) {
    return ptl_fail(error, PTL_UNSUPPORTED, c->link->scheme->name,
                    "carry it through other registers or flags around it",
                    "what it reads beside the carrier cannot be cut: %s", what);
}

/* Gives a register a value that depends on nothing: a constant's; 0 for the upper half of a dividend, which
 * must be less than the divisor; all bits for the mask of a gather; the data's address for a base. */
static ptl_status cut_register(cuts* c, ptl_file file, unsigned number, ptl_register_class class, bool ones,
                               ptl_error* error) {
    const ptl_scheme* scheme = c->link->scheme;
    const ptl_chain_rules* rules = scheme->architecture->chains;
    if (c->done[file] >> number & 1) return PTL_OK;
    c->done[file] |= UINT32_C(1) << number;
    if (c->in->kind == PTL_PLACE_REGISTER && c->in->file == file && c->in->number == number)
        return conflict(c, "it is in the register of the carrier", error);
    if (c->out->n == PTL_CUTS_MAX) return conflict(c, "there is too much of it", error);
    ptl_instance* out = &c->out->list[c->out->n++];
    if (file == PTL_FILE_GPR && is_hidden_base(scheme, number))
        return ptl_tool_memory(c->s, PTL_TOOL_POINTER, number, PTL_CHAIN_POINTER, out, error);
    if (file == PTL_FILE_GPR && number == rules->upper_half && rules->is_division(scheme))
        return ptl_tool_instance(c->s, PTL_TOOL_ZERO_GPR, number, number, out, error);
    if (ones) return ptl_tool_instance(c->s, PTL_TOOL_ONES, number, number, out, error);
    int constant = ptl_chain_take(c->s, file, &c->s->constants[file], 0);
    if (constant < 0) return conflict(c, "no register is left to copy from", error);
    return ptl_tool_instance(c->s, rules->copy(c->s->legacy, file, class), number, (unsigned)constant, out,
                             error);
}

/* Does somebody write the register that this operand reads? Constants nobody does. */
static bool changes(const cuts* c, const ptl_operand* o, ptl_file file, unsigned number) {
    if (ptl_operand_writes(o)) return true;
    return o->fixed && (c->s->written[file] >> number & 1);
}

static bool carries(const cuts* c, unsigned k, ptl_file file) {
    const ptl_place* from = &c->link->from;
    if (from->kind == PTL_PLACE_REGISTER && from->operand == k) return true;
    return c->link->same && c->in->kind == PTL_PLACE_REGISTER && c->in->file == file;
}

/* The same on a stack of registers; `number`: as the instance counts. */
static ptl_status cut_on_stack(cuts* c, const ptl_operand* o, unsigned number, ptl_error* error) {
    if (o->fixed && ptl_chain_stack_has_own_top(c->link)) return PTL_OK;
    if (!o->fixed) number = (unsigned)((int)number - ptl_chain_stack_shift(c->link));
    if (!changes(c, o, PTL_FILE_X87, number)) return PTL_OK;
    if (c->in->kind == PTL_PLACE_REGISTER && c->in->file == PTL_FILE_X87 && c->in->number == number)
        return conflict(c, "it is in the register of the carrier", error);
    return ptl_chain_stack_renew(c->s, number, c->out, error);
}

static ptl_status cut_operand(cuts* c, unsigned k, ptl_error* error) {
    const ptl_scheme* s = c->link->scheme;
    const ptl_operand* o = &s->operands[k];
    unsigned number = 0;
    bool memory = o->kind == PTL_MEMORY;
    if (o->kind != PTL_REGISTER && !(memory && o->fixed)) return PTL_OK;
    unsigned r = o->fixed ? o->fixed : c->instance->values[k].reg;
    ptl_file file = ptl_register_place(s->architecture, r, &number);
    if (file == PTL_FILES) return PTL_OK;
    if (memory) { /* a hidden base, which only schemes change that have it as an operand, too */
        bool carrier = c->link->from.kind == PTL_PLACE_BASE && c->link->from.operand == k;
        if (carrier || !(c->s->written[file] >> number & 1)) return PTL_OK;
        return cut_register(c, file, number, (ptl_register_class)s->architecture->address_class, false,
                            error);
    }
    bool waits = ptl_operand_waits(s, o) || ptl_operand_use(s, o, c->s->policy) == PTL_USE_UPDATED;
    if (!waits || carries(c, k, file)) return PTL_OK;
    if (file == PTL_FILE_X87) return cut_on_stack(c, o, number, error);
    bool carrier = c->in->kind == PTL_PLACE_REGISTER && c->in->file == file && c->in->number == number;
    if (carrier && !ptl_operand_reads(o))
        return PTL_OK; /* merged into the carrier's register: waits for it alone */
    if (!carrier && !changes(c, o, file, number)) return PTL_OK;
    return cut_register(c, file, number, (ptl_register_class)o->register_class,
                        s->architecture->chains->wants_ones(s, k), error);
}

/* Flags, by a tool that updates a register: a spare one, which is cut as well. */
static ptl_status cut_by_counting(cuts* c, ptl_tool tool, ptl_error* error) {
    int spare = ptl_chain_take(c->s, PTL_FILE_GPR, &c->s->spares[PTL_FILE_GPR], 0);
    if (spare < 0) return conflict(c, "no register is left to count in", error);
    ptl_register_class class = (ptl_register_class)c->s->policy->architecture->address_class;
    ptl_status status = cut_register(c, PTL_FILE_GPR, (unsigned)spare, class, false, error);
    if (status) return status;
    if (c->out->n == PTL_CUTS_MAX) return conflict(c, "there is too much of it", error);
    return ptl_tool_instance(c->s, tool, (unsigned)spare, (unsigned)spare, &c->out->list[c->out->n++], error);
}

/* Flags, by a tool that reads constants, if it reads anything. What it writes is a spare register. */
static ptl_status cut_by_testing(cuts* c, ptl_tool tool, const ptl_scheme* s, ptl_error* error) {
    if (c->out->n == PTL_CUTS_MAX) return conflict(c, "there is too much of it", error);
    ptl_instance* out = &c->out->list[c->out->n++];
    bool reads = s->visible_count > 0, writes = reads && ptl_operand_writes(&s->operands[0]);
    int constant = reads ? ptl_chain_take(c->s, PTL_FILE_GPR, &c->s->constants[PTL_FILE_GPR], 0) : 0;
    int first = writes ? ptl_chain_take(c->s, PTL_FILE_GPR, &c->s->spares[PTL_FILE_GPR], 0) : constant;
    if (constant < 0 || first < 0) return conflict(c, "no register is left to test", error);
    return ptl_tool_instance(c->s, tool, (unsigned)first, (unsigned)constant, out, error);
}

static ptl_status cut_by_tool(cuts* c, ptl_tool tool, ptl_error* error) {
    const ptl_scheme* s;
    ptl_status status = ptl_tool_scheme(c->s, tool, &s, error);
    if (status) return status;
    const ptl_operand* first = &s->operands[0];
    if (s->visible_count && ptl_operand_reads(first) && ptl_operand_writes(first))
        return cut_by_counting(c, tool, error);
    return cut_by_testing(c, tool, s, error);
}

static ptl_status cut_flags(cuts* c, ptl_error* error) {
    const ptl_chain_rules* rules = c->link->scheme->architecture->chains;
    const ptl_flag_tool* tools = rules->flag_tools;
    uint32_t carrier = c->in->kind == PTL_PLACE_FLAG ? c->in->flag : 0, known = 0;
    uint32_t others = ptl_scheme_flags_waited(c->link->scheme) & c->s->flags_written & ~carrier;
    if (!others) return PTL_OK;
    for (const ptl_flag_tool* t = tools; t->flags; t++) known |= t->flags;
    if (others & ~known) return conflict(c, "flags that are not arithmetic", error);
    for (const ptl_flag_tool* t = tools; t->flags; t++)
        if (!(others & ~t->flags) && !(carrier & t->flags)) return cut_by_tool(c, t->tool, error);
    bool come_along = (others & ~c->before->scheme->flags_written) == 0;
    if (come_along && !((others | carrier) & ~rules->flags_as_one)) return PTL_OK; /* they are the carrier */
    c->out->together = come_along;
    return c->out->together ? PTL_OK : conflict(c, "flags beside that of the carrier", error);
}

ptl_status ptl_chain_cut(ptl_chain_state* s, size_t k, const ptl_instance* instance, const ptl_carrier* in,
                         ptl_cuts* out, ptl_error* error) {
    const ptl_link *link = &s->links[k], *before = &s->links[(k + s->n - 1) % s->n];
    cuts c = {.s = s, .link = link, .before = before, .instance = instance, .in = in, .out = out};
    out->n = 0, out->together = false;
    ptl_status status = PTL_OK;
    if (s->fresh.is_wanted)
        status = ptl_tool_memory(s, PTL_TOOL_POINTER, s->fresh.number, s->fresh.displacement,
                                 &out->list[out->n++], error);
    for (unsigned i = 0; i < link->scheme->operand_count && !status; i++) status = cut_operand(&c, i, error);
    if (!status) status = cut_flags(&c, error);
    return status ? status : ptl_chain_stack_ahead(s, link, out, error);
}
