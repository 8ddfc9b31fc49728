/* Tells which registers and addresses operands of A64 can have, and what goes ahead of instances. */
#include "isa/aarch64/aarch64.h"
#include "isa/aarch64/field.h"

bool ptl_a64_merges(ptl_register_class c) {
    (void)c;
    return false;
}

uint32_t ptl_a64_registers(const ptl_scheme* scheme, const ptl_operand* operand) {
    const ptl_a64_operand* o = ptl_a64_form_operand(scheme, operand);
    if (!o) return UINT32_MAX;
    bool is_general = o->class <= PTL_A64_WSP;
    unsigned end = 33u - (o->list ? o->list : 1u),
             field = 1u << ptl_a64_field_width(&o->fields[PTL_A64_VALUE]);
    if (is_general && end > 31) end = 31; /* 31 is sp, or the zero register */
    if (end > field) end = field;
    return (uint32_t)((UINT64_C(1) << end) - 1);
}

/* Displacements come from the policy's layouts: those of what is written begin at PTL_A64_STORES. Fields of
 * few bits cannot hold all of them: then the displacement is taken modulo what they hold; loads may meet,
 * which does not matter. */
static int64_t fold(const ptl_a64_field* f, int64_t displacement) {
    if (!f->coding) return 0;
    int64_t step = f->step, span = step << (ptl_a64_field_width(f) - f->is_signed);
    return displacement % span / step * step;
}

/* [base + number]: the memory's base, or that of stores, from which displacements count as much less. */
static int64_t put_base(const ptl_policy* policy, bool of_stores, int64_t displacement, ptl_value* out) {
    out->base = ptl_a64_register(PTL_A64_XSP, of_stores ? PTL_A64_STORE_BASE : policy->memory_base);
    return of_stores ? displacement - PTL_A64_STORES : displacement;
}

static void put_folded(const ptl_a64_operand* o, const ptl_policy* policy, bool of_stores,
                       int64_t displacement, ptl_value* out) {
    displacement = put_base(policy, of_stores, displacement, out);
    out->number = fold(&o->fields[PTL_A64_VALUE], displacement);
}

static bool put_exactly(const ptl_a64_operand* o, const ptl_policy* policy, bool of_stores,
                        int64_t displacement, ptl_value* out) {
    const ptl_a64_field* f = &o->fields[PTL_A64_VALUE];
    uint32_t word = 0;
    out->number = put_base(policy, of_stores, displacement, out);
    return f->coding ? ptl_a64_field_write(f, out->number, &word) : out->number == 0;
}

bool ptl_a64_address(const ptl_scheme* scheme, const ptl_operand* operand, const ptl_policy* policy,
                     int64_t displacement, bool exact, ptl_value* out) {
    const ptl_a64_operand* o = ptl_a64_form_operand(scheme, operand);
    if (!o || o->is_literal || o->writeback) return false; /* code; a base that moves */
    bool is_store = (o->access & PTL_A64_WRITES) != 0;
    if (!exact && is_store && displacement < PTL_A64_STORES) return false;
    bool found = !exact;
    for (unsigned i = 0; exact && i < 2 && !found; i++) found = put_exactly(o, policy, i, displacement, out);
    if (!found) return false;
    if (!exact) put_folded(o, policy, is_store, displacement, out);
    if (!o->class) return true;
    out->index = ptl_a64_register(o->class, 31); /* zero */
    out->scale = (uint8_t)(1u << (o->has_amount ? o->constant : 0));
    return true;
}

static size_t write_word(uint32_t word, uint8_t* out) {
    for (unsigned k = 0; k < 4; k++) out[k] = (uint8_t)(word >> 8 * k);
    return 4;
}

/* subs xzr, xzr, xzr for flags: zero and carry are set, the others clear; otherwise movz x, 0. */
size_t ptl_a64_breaker(const ptl_scheme* scheme, const ptl_policy* policy, unsigned number,
                       uint8_t out[PTL_BREAKER_SIZE]) {
    (void)policy;
    if (scheme->flags_read) return write_word(UINT32_C(0xEB1F03FF), out);
    return write_word(UINT32_C(0xD2800000) | number, out);
}

/* Behind the breaker ne is never true, which is the condition that allocation chooses; cbz and its kin go by
 * registers. */
bool ptl_a64_is_never_taken(const ptl_scheme* scheme) {
    return scheme->branch_type == PTL_A64_JUMP_IF && scheme->flags_read;
}
