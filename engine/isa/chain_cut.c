#include "isa/chain_cut.h"

#include <string.h>

#include "isa/accesses.h"
#include "isa/allocate.h"
#include "isa/chain_registers.h"
#include "isa/chain_tool.h"

enum { RDX = 2 };

/* The cuts of one instance, so far. */
typedef struct cuts {
    ptl_chain_state* s;
    const ptl_link *link, *before; /* in the cycle */
    const ptl_instance* instance;
    const ptl_carrier* in;
    ptl_cuts* out;
    uint32_t done[PTL_FILES]; /* registers */
} cuts;

/* The mask of a gather of AVX2, of which an element is loaded where the highest bit is set. */
static bool is_gather_mask(const ptl_scheme* s, unsigned k) {
    return k == 2 && strcmp(s->category, "AVX2GATHER") == 0;
}

/* Is the register the base of hidden memory? Then it must point to data. */
static bool is_hidden_base(const ptl_scheme* s, unsigned number) {
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        unsigned base;
        if (o->kind == PTL_MEMORY && o->fixed &&
            ptl_register_place((ZydisRegister)o->fixed, &base) == PTL_FILE_GPR && base == number)
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
    if (c->done[file] >> number & 1) return PTL_OK;
    c->done[file] |= UINT32_C(1) << number;
    if (c->in->kind == PTL_PLACE_REGISTER && c->in->file == file && c->in->number == number)
        return conflict(c, "it is in the register of the carrier", error);
    if (c->out->n == PTL_CUTS_MAX) return conflict(c, "there is too much of it", error);
    ptl_instance* out = &c->out->list[c->out->n++];
    if (file == PTL_FILE_GPR && is_hidden_base(scheme, number))
        return ptl_tool_memory(c->s, PTL_TOOL_POINTER, number, PTL_CHAIN_POINTER, out, error);
    if (file == PTL_FILE_GPR && number == RDX && ptl_is_division(scheme))
        return ptl_tool_instance(c->s, PTL_TOOL_ZERO_GPR, number, number, out, error);
    if (ones) return ptl_tool_instance(c->s, PTL_TOOL_ONES, number, number, out, error);
    int constant = ptl_chain_take(c->s, file, &c->s->constants[file], 0);
    if (constant < 0) return conflict(c, "no register is left to copy from", error);
    return ptl_tool_instance(c->s, ptl_tool_copy(c->s, file, class), number, (unsigned)constant, out, error);
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

static ptl_status cut_operand(cuts* c, unsigned k, ptl_error* error) {
    const ptl_scheme* s = c->link->scheme;
    const ptl_operand* o = &s->operands[k];
    unsigned number = 0;
    bool memory = o->kind == PTL_MEMORY;
    if (o->kind != PTL_REGISTER && !(memory && o->fixed)) return PTL_OK;
    ZydisRegister r = (ZydisRegister)(o->fixed ? o->fixed : c->instance->values[k].reg);
    ptl_file file = ptl_register_place(r, &number);
    if (file == PTL_FILES) return PTL_OK;
    if (memory) { /* a hidden base, which only schemes change that have it as an operand, too */
        bool carrier = c->link->from.kind == PTL_PLACE_BASE && c->link->from.operand == k;
        if (carrier || !(c->s->written[file] >> number & 1)) return PTL_OK;
        return cut_register(c, file, number, PTL_GPR64, false, error);
    }
    bool waits = ptl_operand_waits(s, o) || ptl_operand_use(s, o, c->s->policy) == PTL_USE_UPDATED;
    if (!waits || carries(c, k, file)) return PTL_OK;
    bool carrier = c->in->kind == PTL_PLACE_REGISTER && c->in->file == file && c->in->number == number;
    if (carrier && !ptl_operand_reads(o))
        return PTL_OK; /* merged into the carrier's register: waits for it alone */
    if (!carrier && !changes(c, o, file, number)) return PTL_OK;
    return cut_register(c, file, number, (ptl_register_class)o->register_class, is_gather_mask(s, k), error);
}

/* All flags but the carry: inc of a spare register. */
static ptl_status cut_by_inc(cuts* c, ptl_error* error) {
    int spare = ptl_chain_take(c->s, PTL_FILE_GPR, &c->s->spares[PTL_FILE_GPR], 0);
    if (spare < 0) return conflict(c, "no register is left to count in", error);
    ptl_status status = cut_register(c, PTL_FILE_GPR, (unsigned)spare, PTL_GPR64, false, error);
    if (status) return status;
    if (c->out->n == PTL_CUTS_MAX) return conflict(c, "there is too much of it", error);
    return ptl_tool_instance(c->s, PTL_TOOL_INC, (unsigned)spare, (unsigned)spare, &c->out->list[c->out->n++],
                             error);
}

static const uint32_t by_test = ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF |
                                ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;

static ptl_status cut_flags(cuts* c, ptl_error* error) {
    uint32_t carrier = c->in->kind == PTL_PLACE_FLAG ? c->in->flag : 0;
    uint32_t others = ptl_scheme_flags_waited(c->link->scheme) & c->s->flags_written & ~carrier;
    if (!others) return PTL_OK;
    if (others & ~by_test) return conflict(c, "flags that are not arithmetic", error);
    if (carrier == ZYDIS_CPUFLAG_CF) return cut_by_inc(c, error);
    if (carrier && others != ZYDIS_CPUFLAG_CF) {
        c->out->together = (others & ~c->before->scheme->flags_written) == 0;
        return c->out->together ? PTL_OK : conflict(c, "flags beside that of the carrier", error);
    }
    if (c->out->n == PTL_CUTS_MAX) return conflict(c, "there is too much of it", error);
    ptl_instance* out = &c->out->list[c->out->n++];
    if (carrier) return ptl_tool_instance(c->s, PTL_TOOL_CLC, 0, 0, out, error);
    int constant = ptl_chain_take(c->s, PTL_FILE_GPR, &c->s->constants[PTL_FILE_GPR], 0);
    if (constant < 0) return conflict(c, "no register is left to test", error);
    return ptl_tool_instance(c->s, PTL_TOOL_TEST, (unsigned)constant, (unsigned)constant, out, error);
}

ptl_status ptl_chain_cut(ptl_chain_state* s, size_t k, const ptl_instance* instance, const ptl_carrier* in,
                         ptl_cuts* out, ptl_error* error) {
    const ptl_link *link = &s->links[k], *before = &s->links[(k + s->n - 1) % s->n];
    cuts c = {.s = s, .link = link, .before = before, .instance = instance, .in = in, .out = out};
    out->n = 0, out->together = false;
    ptl_status status = PTL_OK;
    for (unsigned i = 0; i < link->scheme->operand_count && !status; i++) status = cut_operand(&c, i, error);
    return status ? status : cut_flags(&c, error);
}
