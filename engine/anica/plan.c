#include "anica/plan.h"

#include <string.h>

#include "isa/allocate.h"
#include "isa/architecture.h"

static uint32_t allowed_registers(const ptl_scheme* scheme, const ptl_operand* o, ptl_file file,
                                  const ptl_policy* policy) {
    uint32_t set = 0, allowed = 0;
    for (int use = 0; use < PTL_USES; use++) {
        const ptl_register_set* s = &policy->sets[file][use];
        for (unsigned i = 0; i < s->count; i++) set |= UINT32_C(1) << s->numbers[i];
    }
    set &= ~policy->reserved[file];
    set &= scheme->architecture->registers(scheme, o);
    if (o->source_count < 2) return set;
    uint32_t row = (UINT32_C(1) << o->source_count) - 1; /* a row of registers: all of it, aligned */
    for (unsigned n = 0; n + o->source_count <= 32; n += o->source_count)
        if ((set >> n & row) == row) allowed |= UINT32_C(1) << n;
    return allowed;
}

static const char* plan_register(const ptl_scheme* scheme, const ptl_operand* o, const ptl_policy* policy,
                                 ptl_plan_operand* out) {
    unsigned number = 0;
    ptl_file file = ptl_file_of_class((ptl_register_class)o->register_class);
    if (o->fixed) {
        if (file == PTL_FILES) return NULL;
        ptl_register_place(scheme->architecture, o->fixed, &number);
        out->role = PTL_ROLE_FIXED;
        out->value = (uint8_t)number;
        return NULL;
    }
    if (file == PTL_FILES) return "registers that the policy does not know";
    out->role = PTL_ROLE_FREE;
    out->allowed = allowed_registers(scheme, o, file, policy);
    return out->allowed ? NULL : "a register file of which the policy allows nothing";
}

enum { WIDE_SLOT = 6 }; /* log2 of the bytes of the widest slots that addresses with little room meet: 64 */

/* The slots whose address the operand can have: all of them on x86-64; those near the base, or that at it,
 * where there is little room for a displacement, or none. */
static uint32_t allowed_slots(const ptl_scheme* scheme, const ptl_operand* o, const ptl_policy* policy) {
    uint32_t slots = 0;
    for (unsigned slot = 0; slot < PTL_SLOTS; slot++) {
        ptl_value address = {0};
        bool there =
            scheme->architecture->address(scheme, o, policy, (int64_t)slot << WIDE_SLOT, true, &address);
        slots |= (uint32_t)there << slot;
    }
    return slots;
}

static const char* plan_memory(const ptl_scheme* scheme, const ptl_operand* o, const ptl_policy* policy,
                               ptl_plan_operand* out) {
    unsigned number = 0;
    if (o->is_moffs) return "an absolute address";
    if (o->is_mib) return "an index that is not part of the address";
    if (o->visibility != PTL_HIDDEN) {
        out->allowed = allowed_slots(scheme, o, policy);
        if (!out->allowed) return "an address that is no base and displacement";
        out->role = PTL_ROLE_FREE;
        if (o->register_class) out->shape = (uint8_t)(PTL_SHAPE_VECTOR + o->register_class);
        return NULL;
    }
    if (ptl_register_place(scheme->architecture, o->fixed, &number) != PTL_FILE_GPR)
        return "hidden memory where a chosen register points";
    out->role = PTL_ROLE_FIXED;
    out->value = (uint8_t)(PTL_AT_REGISTER + number);
    const ptl_architecture* a = scheme->architecture;
    out->shape = a->hidden_index && a->hidden_index(scheme) ? PTL_SHAPE_XLAT : PTL_SHAPE_PLAIN;
    return NULL;
}

static const char* plan_operand(const ptl_scheme* scheme, unsigned k, const ptl_policy* policy,
                                ptl_plan_operand* out) {
    const ptl_operand* o = &scheme->operands[k];
    *out = (ptl_plan_operand){
        .space = (uint8_t)ptl_operand_space(scheme, k), .value = PTL_NO_VALUE, .allowed = UINT32_MAX};
    switch ((ptl_operand_kind)o->kind) {
    case PTL_REGISTER: return plan_register(scheme, o, policy, out);
    case PTL_MEMORY: return plan_memory(scheme, o, policy, out);
    case PTL_ADDRESS: out->role = PTL_ROLE_ADDRESS; return NULL;
    default: return NULL;
    }
}

void ptl_plan_operands(const ptl_scheme* scheme, const ptl_policy* policy, ptl_plan* plan) {
    memset(plan, 0, sizeof *plan);
    plan->operand_count = scheme->operand_count;
    plan->slot_shift = 3; /* never less: narrow neighbours in one word would forward to each other */
    for (unsigned k = 0; k < scheme->operand_count; k++) {
        const ptl_operand* o = &scheme->operands[k];
        const char* missing = plan_operand(scheme, k, policy, &plan->operands[k]);
        if (missing && !plan->unusable) plan->unusable = missing;
        if (o->kind != PTL_MEMORY || o->visibility == PTL_HIDDEN) continue;
        while (8u << plan->slot_shift < o->width) plan->slot_shift++;
    }
    if (UINT32_C(1) << plan->slot_shift > policy->memory_bytes && !plan->unusable)
        plan->unusable = "more memory than the policy has";
}

static void instance_memory(const ptl_scheme* scheme, const ptl_operand* o, unsigned value,
                            unsigned slot_shift, const ptl_policy* policy, ptl_value* out) {
    const ptl_architecture* a = scheme->architecture;
    if (value >= PTL_AT_REGISTER)
        out->base = ptl_register_in_class(a, (ptl_register_class)a->address_class, value - PTL_AT_REGISTER);
    else
        a->address(scheme, o, policy, (int64_t)value << slot_shift, true, out);
}

void ptl_plan_instance(const ptl_scheme* scheme, const ptl_policy* policy, const uint8_t* values,
                       unsigned slot_shift, ptl_instance* out) {
    memset(out, 0, sizeof *out);
    out->scheme = *scheme;
    if (scheme->is_rounding) out->rounding = PTL_ROUND_NEAREST;
    for (unsigned k = 0; k < scheme->visible_count; k++) {
        const ptl_operand* o = &scheme->operands[k];
        ptl_value* v = &out->values[k];
        if (o->has_constant) {
            v->number = o->constant;
        } else if (o->fixed) {
            v->reg = o->fixed;
        } else if (o->kind == PTL_REGISTER) {
            v->reg =
                ptl_register_in_class(scheme->architecture, (ptl_register_class)o->register_class, values[k]);
        } else if (o->kind == PTL_IMMEDIATE) {
            v->number = ptl_operand_immediate(scheme, o, policy);
        } else if (o->kind != PTL_RELATIVE) { /* branches go to the next instruction */
            instance_memory(scheme, o, values[k], slot_shift, policy, v);
        }
    }
}
