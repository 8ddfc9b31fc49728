#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"

static bool is_wide_register(const ptl_operand* o) {
    return o->kind == PTL_REGISTER && (o->register_class == PTL_GPR64 || o->register_class == PTL_GPR32);
}

static bool is_source(const ptl_operand* o) {
    return is_wide_register(o) || o->kind == PTL_IMMEDIATE;
}

static bool same_registers(const ptl_instance* instance) {
    const ptl_operand* o = instance->scheme.operands;
    return instance->scheme.visible_count == 2 && is_wide_register(&o[0]) && is_wide_register(&o[1]) &&
           instance->values[0].reg == instance->values[1].reg;
}

static ptl_item_kind copy_kind(const ptl_scheme* s) {
    const ptl_operand* o = s->operands;
    if (s->visible_count != 2) return PTL_ITEM_OTHER;
    bool to = is_wide_register(&o[0]) || (o[0].kind == PTL_MEMORY && o[0].width >= 32);
    bool from = is_source(&o[1]) || (o[1].kind == PTL_MEMORY && o[1].width >= 32);
    return to && from ? PTL_ITEM_COPY : PTL_ITEM_OTHER;
}

/* Of wide registers and numbers. */
static ptl_item_kind sum_kind(const ptl_instance* instance, ptl_item_kind kind) {
    const ptl_operand* o = instance->scheme.operands;
    unsigned count = instance->scheme.visible_count;
    bool sum = is_wide_register(&o[0]) && (count == 1 || (count == 2 && is_source(&o[1])));
    return sum ? kind : PTL_ITEM_OTHER;
}

static bool is_second_byte(unsigned r) {
    return r >= ZYDIS_REGISTER_AH && r <= ZYDIS_REGISTER_BH;
}

/* Returns `kind` where a value, but not that of ah to bh, is extended to a wide register; otherwise
 * PTL_ITEM_OTHER. */
static ptl_item_kind part_kind(const ptl_instance* instance, ptl_item_kind kind) {
    const ptl_operand* o = instance->scheme.operands;
    bool plain = instance->scheme.visible_count == 2 && is_wide_register(&o[0]);
    if (!plain || (o[1].kind == PTL_REGISTER && is_second_byte(instance->values[1].reg)))
        return PTL_ITEM_OTHER;
    return kind;
}

/* Sums of 64 bits are followed. Those of 32 are sums as long as they do not wrap, which nothing tells. */
static bool is_of_numbers(const ptl_instance* instance, ptl_item_kind kind) {
    const ptl_operand* o = instance->scheme.operands;
    switch (kind) {
    case PTL_ITEM_ADD:
    case PTL_ITEM_SUBTRACT:
    case PTL_ITEM_SCALE:
    case PTL_ITEM_ADDRESS: return o[0].register_class == PTL_GPR32;
    default: return kind >= PTL_ITEM_AND;
    }
}

static ptl_item_kind kind_of(const ptl_instance* instance) {
    const ptl_scheme* s = &instance->scheme;
    const ptl_operand* o = s->operands;
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_MOV: return copy_kind(s);
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_ADD: return sum_kind(instance, PTL_ITEM_ADD);
    case ZYDIS_MNEMONIC_XOR:
        return same_registers(instance) ? PTL_ITEM_ZERO : sum_kind(instance, PTL_ITEM_XOR);
    case ZYDIS_MNEMONIC_NOT: return sum_kind(instance, PTL_ITEM_XOR);
    case ZYDIS_MNEMONIC_AND: return sum_kind(instance, PTL_ITEM_AND);
    case ZYDIS_MNEMONIC_OR: return sum_kind(instance, PTL_ITEM_OR);
    case ZYDIS_MNEMONIC_SHR:
        return o[1].kind == PTL_IMMEDIATE ? sum_kind(instance, PTL_ITEM_SHIFT) : PTL_ITEM_OTHER;
    case ZYDIS_MNEMONIC_SAR:
        return o[1].kind == PTL_IMMEDIATE ? sum_kind(instance, PTL_ITEM_SHIFT_SIGNED) : PTL_ITEM_OTHER;
    case ZYDIS_MNEMONIC_MOVZX: return part_kind(instance, PTL_ITEM_PART);
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
    case ZYDIS_MNEMONIC_CDQE: return part_kind(instance, PTL_ITEM_PART_SIGNED);
    case ZYDIS_MNEMONIC_DEC: return sum_kind(instance, PTL_ITEM_SUBTRACT);
    case ZYDIS_MNEMONIC_SUB:
        return same_registers(instance) ? PTL_ITEM_ZERO : sum_kind(instance, PTL_ITEM_SUBTRACT);
    case ZYDIS_MNEMONIC_NEG: return sum_kind(instance, PTL_ITEM_SCALE);
    case ZYDIS_MNEMONIC_SHL:
        return o[1].kind == PTL_IMMEDIATE ? sum_kind(instance, PTL_ITEM_SCALE) : PTL_ITEM_OTHER;
    case ZYDIS_MNEMONIC_LEA: return is_wide_register(&o[0]) ? PTL_ITEM_ADDRESS : PTL_ITEM_OTHER;
    case ZYDIS_MNEMONIC_PUSH: return is_source(&o[0]) ? PTL_ITEM_PUSH : PTL_ITEM_OTHER;
    case ZYDIS_MNEMONIC_POP:
        return o[0].register_class == PTL_GPR64 && instance->values[0].reg != ZYDIS_REGISTER_RSP
                   ? PTL_ITEM_POP
                   : PTL_ITEM_OTHER;
    default: return PTL_ITEM_OTHER;
    }
}

static int64_t number_of(const ptl_instance* instance, ptl_item_kind kind) {
    const ptl_scheme* s = &instance->scheme;
    int64_t last = s->visible_count ? instance->values[s->visible_count - 1].number : 0;
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC: return 1;
    case ZYDIS_MNEMONIC_NEG:
    case ZYDIS_MNEMONIC_NOT: return -1;
    case ZYDIS_MNEMONIC_SHR:
    case ZYDIS_MNEMONIC_SAR:
    case ZYDIS_MNEMONIC_SHL: {
        unsigned last_operand = s->visible_count - 1u;
        if (s->operands[last_operand].has_constant) last = s->operands[last_operand].constant;
        return kind == PTL_ITEM_SCALE ? (int64_t)(UINT64_C(1) << (last & 63)) : last;
    }
    default: return last;
    }
}

static bool changes_each_time(unsigned mnemonic) {
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_RDTSC:
    case ZYDIS_MNEMONIC_RDTSCP:
    case ZYDIS_MNEMONIC_RDPMC:
    case ZYDIS_MNEMONIC_RDRAND:
    case ZYDIS_MNEMONIC_RDSEED:
    case ZYDIS_MNEMONIC_CPUID:
    case ZYDIS_MNEMONIC_SYSCALL: return true;
    default: return false;
    }
}

static bool copies_vector(const ptl_scheme* s) {
    if (s->visible_count != 2 || s->operands[0].kind != PTL_REGISTER || s->operands[1].kind != PTL_REGISTER)
        return false;
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_MOVAPS:
    case ZYDIS_MNEMONIC_MOVAPD:
    case ZYDIS_MNEMONIC_MOVUPS:
    case ZYDIS_MNEMONIC_MOVUPD:
    case ZYDIS_MNEMONIC_MOVDQA:
    case ZYDIS_MNEMONIC_MOVDQU: return true;
    default: return false;
    }
}

void ptl_x86_item_form(const ptl_instance* instance, ptl_item_form* f) {
    const ptl_scheme* s = &instance->scheme;
    ptl_item_kind kind = kind_of(instance);
    unsigned source = kind == PTL_ITEM_PUSH ? 0 : 1;
    f->kind = (uint8_t)kind;
    f->second = (uint8_t)source;
    f->narrow = s->operands[0].kind == PTL_REGISTER && s->operands[0].register_class == PTL_GPR32;
    f->by_number = s->visible_count <= source || s->operands[source].kind == PTL_IMMEDIATE;
    f->of_numbers = is_of_numbers(instance, kind);
    f->copies_vector = copies_vector(s);
    f->bits = s->visible_count > 1 ? (uint8_t)s->operands[1].width : 0;
    f->changes_each_time = changes_each_time(s->mnemonic);
    f->number = number_of(instance, kind);
}
