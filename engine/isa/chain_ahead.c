#include "isa/chain_ahead.h"

#include "isa/architecture.h"
#include "isa/chain_tool.h"

/* The next instance to fill. PTL_AHEAD_MAX counts all that there can be. */
static ptl_instance* next(ptl_chain* out) {
    return &out->ahead[out->ahead_count++];
}

static ptl_status zero(ptl_chain_state* s, ptl_file file, unsigned number, ptl_chain* out, ptl_error* error) {
    ptl_tool vector = s->legacy ? PTL_TOOL_ZERO_SSE : PTL_TOOL_ZERO_VEX;
    return ptl_tool_instance(s, file == PTL_FILE_GPR ? PTL_TOOL_ZERO_GPR : vector, number, number, next(out),
                             error);
}

/* The constants that the chain took, of a file with addresses in it. */
static ptl_status zero_constants(ptl_chain_state* s, ptl_file file, ptl_chain* out, ptl_error* error) {
    const ptl_register_set* set = &s->constants[file];
    ptl_status status = PTL_OK;
    for (unsigned i = 0; i < set->count && !status; i++) {
        unsigned number = set->numbers[i];
        if (file == PTL_FILE_GPR || s->used[file][number]) status = zero(s, file, number, out, error);
    }
    return status;
}

static ptl_status fill_memory(ptl_chain_state* s, ptl_chain* out, ptl_error* error) {
    if (s->constants[PTL_FILE_GPR].count == 0)
        return ptl_fail(error, PTL_UNSUPPORTED, s->links[0].scheme->name,
                        "use links with fewer fixed registers", "no gpr register is left that holds 0");
    unsigned constant = s->constants[PTL_FILE_GPR].numbers[0];
    ptl_status status =
        ptl_tool_memory(s, PTL_TOOL_STORE, s->policy->memory_base, PTL_CHAIN_POINTER, next(out), error);
    for (int64_t k = 0; k < PTL_CHAIN_CELL && !status; k += 8)
        status = ptl_tool_memory(s, PTL_TOOL_STORE, constant, PTL_CHAIN_ZERO + k, next(out), error);
    if (status || !s->moves) return status;
    return ptl_tool_memory(s, PTL_TOOL_STORE, s->policy->memory_base, PTL_CHAIN_STEP, next(out), error);
}

static bool divides_upper_half(const ptl_link* link, const ptl_carrier* start) {
    const ptl_chain_rules* rules = link->scheme->architecture->chains;
    return rules->is_division(link->scheme) && start->number == rules->upper_half;
}

static ptl_status set_start(ptl_chain_state* s, size_t first, const ptl_carrier* start, ptl_chain* out,
                            ptl_error* error) {
    if (start->kind != PTL_PLACE_REGISTER) return PTL_OK;
    ptl_file file = (ptl_file)start->file;
    unsigned use = s->links[first].from.kind;
    if (use == PTL_PLACE_BASE)
        return ptl_tool_memory(s, PTL_TOOL_POINTER, start->number, PTL_CHAIN_POINTER + start->offset,
                               next(out), error);
    if (use == PTL_PLACE_INDEX || (file == PTL_FILE_GPR && divides_upper_half(&s->links[first], start)))
        return zero(s, file, start->number, out, error);
    return PTL_OK;
}

/* Bases of hidden memory that nothing in the loop writes. */
static ptl_status set_hidden_bases(ptl_chain_state* s, ptl_chain* out, ptl_error* error) {
    uint32_t set = 0;
    ptl_status status = PTL_OK;
    for (size_t k = 0; k < s->n; k++) {
        const ptl_scheme* scheme = s->links[k].scheme;
        for (unsigned i = 0; i < scheme->operand_count && !status; i++) {
            const ptl_operand* o = &scheme->operands[i];
            unsigned number = 0;
            if (o->kind != PTL_MEMORY || !o->fixed ||
                ptl_register_place(scheme->architecture, o->fixed, &number) != PTL_FILE_GPR)
                continue;
            uint32_t bit = UINT32_C(1) << number;
            if ((set | s->written[PTL_FILE_GPR]) & bit) continue;
            set |= bit;
            status = ptl_tool_memory(s, PTL_TOOL_POINTER, number, PTL_CHAIN_POINTER, next(out), error);
        }
    }
    return status;
}

ptl_status ptl_chain_prepare(ptl_chain_state* s, size_t first, const ptl_carrier* start, ptl_chain* out,
                             ptl_error* error) {
    out->ahead_count = 0;
    ptl_status status = PTL_OK;
    if (s->addresses) {
        status = zero_constants(s, PTL_FILE_GPR, out, error);
        if (!status) status = zero_constants(s, PTL_FILE_VECTOR, out, error);
        if (!status) status = fill_memory(s, out, error);
    }
    if (!status) status = set_hidden_bases(s, out, error);
    return status ? status : set_start(s, first, start, out, error);
}
