/* What A64's instances read and write beyond what their operands tell, and what addresses are made of. */
#include "isa/aarch64/aarch64.h"
#include "isa/aarch64/lookup.h"

/* A write of w, b, h, s or d clears the rest of the register; what keeps a part of it reads it by the scheme.
 */
bool ptl_a64_keeps_old(const ptl_scheme* scheme, const ptl_operand* operand) {
    (void)scheme;
    (void)operand;
    return false;
}

static bool is_mnemonic(const ptl_scheme* s, const char* name) {
    const char* other = ptl_a64_mnemonics[s->mnemonic];
    while (*name && *name == *other) name++, other++;
    return *name == *other;
}

/* The flags as a system register: its number is an operand, so that the scheme tells nothing. */
static void add_flags_register(const ptl_instance* instance, ptl_accesses* out) {
    const int64_t nzcv = 0x5a10; /* op0 3, op1 3, CRn 4, CRm 2, op2 0 */
    const ptl_scheme* s = &instance->scheme;
    if (s->visible_count != 2) return;
    if (is_mnemonic(s, "mrs") && instance->values[1].number == nzcv) out->flags_read |= PTL_A64_FLAGS;
    if (is_mnemonic(s, "msr") && s->operands[1].kind == PTL_REGISTER && instance->values[0].number == nzcv)
        out->flags_written |= PTL_A64_FLAGS;
}

/* Addresses that are written back, and the flags as a system register. */
void ptl_a64_complete_accesses(const ptl_instance* instance, ptl_accesses* out) {
    const ptl_a64_form* f = ptl_a64_form_of_scheme(&instance->scheme);
    add_flags_register(instance, out);
    for (unsigned k = 0; k < f->operand_count; k++)
        if (f->operands[k].kind == PTL_A64_MEMORY && f->operands[k].writeback)
            ptl_accesses_add(instance->scheme.architecture, k, PTL_PART_BASE, instance->values[k].base, 1,
                             PTL_TOUCH_WRITTEN, out);
}

static bool is_zero_register(unsigned r) {
    return r == ptl_a64_register(PTL_A64_X, 31) || r == ptl_a64_register(PTL_A64_W, 31);
}

/* Sums with a number, of whole registers, whose result goes where the source was: operand 1 += number. */
static bool is_sum(const ptl_instance* instance) {
    const ptl_scheme* s = &instance->scheme;
    return s->visible_count >= 3 && s->operands[0].width == 64 && s->operands[2].kind == PTL_IMMEDIATE &&
           instance->values[0].reg == instance->values[1].reg;
}

static void take_sum(const ptl_instance* instance, ptl_item_kind kind, ptl_item_form* out) {
    const ptl_scheme* s = &instance->scheme;
    if (!is_sum(instance)) return;
    out->kind = (uint8_t)kind;
    out->by_number = true;
    out->number = instance->values[2].number;
    if (s->visible_count == 4) out->number <<= s->operands[3].constant; /* lsl 12 */
}

void ptl_a64_item_form(const ptl_instance* instance, ptl_item_form* out) {
    const ptl_scheme* s = &instance->scheme;
    const ptl_value* v = instance->values;
    out->kind = PTL_ITEM_OTHER;
    out->narrow = s->visible_count && s->operands[0].kind == PTL_REGISTER &&
                  (s->operands[0].register_class == PTL_W || s->operands[0].register_class == PTL_WSP);
    out->changes_each_time = is_mnemonic(s, "mrs");
    if (is_mnemonic(s, "add") || is_mnemonic(s, "adds")) take_sum(instance, PTL_ITEM_ADD, out);
    if (is_mnemonic(s, "sub") || is_mnemonic(s, "subs")) take_sum(instance, PTL_ITEM_SUBTRACT, out);
    if (is_mnemonic(s, "movz") && v[1].number == 0) out->kind = PTL_ITEM_ZERO;
    if (is_mnemonic(s, "orr") && s->visible_count == 3 && s->operands[0].register_class <= PTL_WSP &&
        s->operands[2].kind == PTL_REGISTER && is_zero_register(v[1].reg) && is_zero_register(v[2].reg))
        out->kind = PTL_ITEM_ZERO; /* mov x, xzr */
}
