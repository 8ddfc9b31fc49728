#include "isa/chain_registers.h"

#include "isa/architecture.h"
#include "isa/chain_stack.h"

enum { CARRIERS = 4, CONSTANTS = 3 };

static ptl_status refuse(const ptl_scheme* s, ptl_error* error, const char* why) {
    return ptl_fail(error, PTL_UNSUPPORTED, s->name, "leave this scheme out", "no link of a chain: %s", why);
}

/* Returns what keeps an operand out of chains, in words; NULL if nothing does. */
static const char* operand_fault(const ptl_architecture* a, const ptl_operand* o) {
    unsigned number = 0;
    ptl_register_class class = (ptl_register_class)o->register_class;
    bool hidden = o->visibility == PTL_HIDDEN;
    if (o->is_moffs) return "its address is absolute";
    if (o->kind == PTL_MEMORY && hidden && !o->fixed) return "an operand of its own holds an address";
    if (o->source_count > 1) return "it reads registers in a row";
    if (o->kind == PTL_MEMORY && o->width > 8 * PTL_CHAIN_CELL) return "its memory operand is too wide";
    if (o->kind == PTL_RELATIVE) return "it is a branch";
    if (o->kind == PTL_REGISTER && !o->fixed && ptl_file_of_class(class) == PTL_FILES)
        return "no operands are allocated for registers of this kind";
    if (o->fixed && ptl_register_place(a, o->fixed, &number) == PTL_FILE_GPR && number == a->stack_pointer)
        return "it updates the stack pointer";
    return NULL;
}

static void note_operand(ptl_chain_state* s, const ptl_operand* o) {
    unsigned number = 0;
    ptl_file file = o->fixed ? ptl_register_place(s->policy->architecture, o->fixed, &number) : PTL_FILES;
    if (file == PTL_FILES) return;
    s->fixed[file] |= UINT32_C(1) << number;
    if (o->kind == PTL_REGISTER && ptl_operand_writes(o)) s->written[file] |= UINT32_C(1) << number;
}

/* Memory at fixed bases has one cell: what reads and writes it waits for itself, unless that is the chain. */
static bool updates_fixed_memory(const ptl_link* link) {
    bool reads = false, writes = false;
    for (unsigned k = 0; k < link->scheme->operand_count; k++) {
        const ptl_operand* o = &link->scheme->operands[k];
        if (o->kind != PTL_MEMORY || !o->fixed) continue;
        reads |= ptl_operand_reads(o);
        writes |= ptl_operand_writes(o);
    }
    bool carried = link->from.kind == PTL_PLACE_MEMORY && link->to.kind == PTL_PLACE_MEMORY;
    return reads && writes && !carried;
}

/* Returns what registers of all links do to each other, in words; NULL: nothing. */
static const char* mixture_fault(unsigned vectors) {
    if ((vectors & PTL_VECTORS_LEGACY) && (vectors & PTL_VECTORS_WIDE))
        return "legacy SSE and wider vectors in one loop make each other slow";
    if ((vectors & PTL_VECTORS_MMX) && (vectors & PTL_VECTORS_STACK))
        return "MMX registers are those of the x87 stack";
    return NULL;
}

/* What is written back is the sum of the base and the amount, and waits for nothing else. */
static const char* moving_fault(const ptl_link* link, bool* moves) {
    const ptl_scheme* scheme = link->scheme;
    const ptl_operand* o = &scheme->operands[link->to.operand];
    for (unsigned k = 0; k < scheme->visible_count; k++)
        *moves |= scheme->operands[k].kind == PTL_MEMORY && ptl_base_moves(scheme, &scheme->operands[k]);
    if (link->to.kind != PTL_PLACE_BASE) return NULL;
    bool is_base = link->from.kind == PTL_PLACE_BASE && link->from.operand == link->to.operand;
    bool is_amount = link->from.kind == PTL_PLACE_REGISTER &&
                     link->from.operand == scheme->architecture->move(scheme, o).amount;
    return is_base || is_amount ? NULL : "what it writes back is the sum of its base and the amount alone";
}

static ptl_status note_link(ptl_chain_state* s, size_t k, unsigned* vectors, ptl_error* error) {
    const ptl_link* link = &s->links[k];
    const ptl_scheme* scheme = link->scheme;
    const ptl_architecture* a = scheme->architecture;
    if (scheme->branch_type) return refuse(scheme, error, "it is a branch");
    const char* fault = a->chains->fault(scheme);
    if (!fault) fault = ptl_chain_stack_fault(s, k);
    if (fault) return refuse(scheme, error, fault);
    if (updates_fixed_memory(link)) return refuse(scheme, error, "it reads and writes memory at fixed bases");
    for (unsigned i = 0; i < scheme->operand_count; i++) {
        const ptl_operand* o = &scheme->operands[i];
        fault = operand_fault(a, o);
        if (fault) return refuse(scheme, error, fault);
        note_operand(s, o);
    }
    unsigned number;
    uint16_t index = a->hidden_index ? a->hidden_index(scheme) : 0;
    if (index && ptl_register_place(a, index, &number) == PTL_FILE_GPR)
        s->fixed[PTL_FILE_GPR] |= UINT32_C(1) << number;
    s->flags_written |= scheme->flags_written;
    fault = moving_fault(link, &s->moves);
    if (fault) return refuse(scheme, error, fault);
    *vectors |= a->chains->vectors(scheme);
    fault = mixture_fault(*vectors);
    return fault ? refuse(scheme, error, fault) : PTL_OK;
}

static void append(ptl_register_set* set, unsigned number) {
    set->numbers[set->count++] = (uint8_t)number;
}

/* Moves members from the end of one set until the other has so many. */
static void fill(ptl_register_set* set, ptl_register_set* from, unsigned wanted) {
    while (set->count < wanted && from->count > 1) append(set, from->numbers[--from->count]);
}

/* The policy's sets without what schemes fix. Vector registers from 16 on exist on x86-64 for EVEX schemes
 * alone. */
static void divide(ptl_chain_state* s, ptl_file file) {
    uint32_t shared = s->policy->architecture->chains->registers[file];
    ptl_register_set* sets[PTL_USES] = {&s->constants[file], &s->spares[file], &s->carriers[file]};
    for (int use = 0; use < PTL_USES; use++) {
        const ptl_register_set* declared = &s->policy->sets[file][use];
        for (unsigned i = 0; i < declared->count; i++) {
            unsigned number = declared->numbers[i];
            if (!(shared >> number & 1) || (s->fixed[file] >> number & 1)) continue;
            append(sets[use], number);
        }
    }
    fill(&s->carriers[file], &s->spares[file], CARRIERS);
    fill(&s->spares[file], &s->carriers[file], 2);
    if (file != PTL_FILE_MASK && file != PTL_FILE_X87)
        fill(&s->constants[file], &s->carriers[file], CONSTANTS);
    fill(&s->constants[file], &s->carriers[file], 1);
}

ptl_status ptl_chain_survey(ptl_chain_state* s, ptl_error* error) {
    unsigned vectors = 0;
    ptl_status status = PTL_OK;
    for (size_t k = 0; k < s->n && !status; k++) {
        const ptl_link* link = &s->links[k];
        status = note_link(s, k, &vectors, error);
        s->addresses |= link->from.kind == PTL_PLACE_BASE || link->from.kind == PTL_PLACE_INDEX;
    }
    if (status) return status;
    if (s->policy->memory_bytes < PTL_CHAIN_END)
        return ptl_fail(error, PTL_UNSUPPORTED, "memory.bytes", "declare 4096 or more",
                        "the policy has too little memory for chains");
    s->legacy = (vectors & PTL_VECTORS_LEGACY) != 0;
    for (size_t k = 0; k < s->n; k++) {
        const ptl_edge* e = &s->edges[k];
        if (e->kind == PTL_PLACE_REGISTER && e->number >= 0) s->written[e->file] |= UINT32_C(1) << e->number;
    }
    for (int file = 0; file < PTL_FILES; file++) divide(s, (ptl_file)file);
    return PTL_OK;
}

int ptl_chain_take(ptl_chain_state* s, ptl_file file, const ptl_register_set* set, uint32_t avoid) {
    int chosen = -1;
    for (int pass = 0; pass < 2 && chosen < 0; pass++) {
        for (unsigned i = 0; i < set->count; i++) {
            unsigned number = set->numbers[i];
            if (pass == 0 && (avoid >> number & 1)) continue;
            if (chosen < 0 || s->used[file][number] < s->used[file][chosen]) chosen = (int)number;
        }
    }
    if (chosen >= 0) s->used[file][chosen] = ++s->now;
    return chosen;
}
