/* Adds what Zydis does not say of what instructions read and write. */
#include <string.h>

#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"

uint16_t ptl_x86_hidden_index(const ptl_scheme* s) {
    return s->mnemonic == ZYDIS_MNEMONIC_XLAT ? ZYDIS_REGISTER_AL : ZYDIS_REGISTER_NONE;
}

bool ptl_x86_leaves_memory_alone(const ptl_scheme* s) {
    return strcmp(s->category, "WIDENOP") == 0;
}

bool ptl_x86_merges(ptl_register_class c) {
    return c == PTL_GPR8 || c == PTL_GPR16;
}

/* VEX and EVEX write 0 to what they do not name; so do movq, and loads of movss and movsd: of all 128 bits.
 */
static bool keeps_other_bits(const ptl_scheme* s, const ptl_operand* o) {
    if (o->register_class == PTL_XMM) return s->encoding == PTL_LEGACY && o->width < 128;
    return ptl_x86_merges((ptl_register_class)o->register_class);
}

/* Zydis says that these write always; they leave the register as it was if the source is 0. */
static bool may_write_nothing(const ptl_scheme* s) {
    return s->mnemonic == ZYDIS_MNEMONIC_BSF || s->mnemonic == ZYDIS_MNEMONIC_BSR;
}

bool ptl_x86_keeps_old(const ptl_scheme* s, const ptl_operand* o) {
    return keeps_other_bits(s, o) || may_write_nothing(s);
}

/* Strings are compared at registers that move on, which Zydis says of other string instructions alone. (cmpsd
 * is also the name of an instruction of SSE.) */
bool ptl_x86_moves_on(const ptl_scheme* s) {
    if (strcmp(s->category, "STRINGOP") != 0) return false;
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_CMPSB:
    case ZYDIS_MNEMONIC_CMPSW:
    case ZYDIS_MNEMONIC_CMPSD:
    case ZYDIS_MNEMONIC_CMPSQ:
    case ZYDIS_MNEMONIC_SCASB:
    case ZYDIS_MNEMONIC_SCASW:
    case ZYDIS_MNEMONIC_SCASD:
    case ZYDIS_MNEMONIC_SCASQ: return true;
    default: return false;
    }
}

/* A shift or rotation by an immediate 0: it leaves the flags as they were. */
static bool shifts_by_nothing(const ptl_instance* instance) {
    const ptl_scheme* s = &instance->scheme;
    bool shifts = strcmp(s->category, "SHIFT") == 0 || strcmp(s->category, "ROTATE") == 0;
    if (!shifts || !s->flags_written || s->visible_count == 0) return false;
    unsigned last = s->visible_count - 1u;
    unsigned mask = s->operands[0].width == 64 ? 63 : 31;
    return s->operands[last].kind == PTL_IMMEDIATE && !s->operands[last].has_constant &&
           ((uint64_t)instance->values[last].number & mask) == 0;
}

void ptl_x86_complete_accesses(const ptl_instance* instance, ptl_accesses* out) {
    const ptl_scheme* s = &instance->scheme;
    if (s->mnemonic == ZYDIS_MNEMONIC_VZEROALL)
        ptl_accesses_add(s->architecture, 0, PTL_PART_VALUE, ZYDIS_REGISTER_ZMM0, 16, PTL_TOUCH_WRITTEN, out);
    if (shifts_by_nothing(instance)) out->flags_written = 0;
    for (unsigned k = 0; ptl_x86_moves_on(s) && k < s->operand_count; k++) {
        if (s->operands[k].kind != PTL_MEMORY) continue;
        ptl_value address = ptl_operand_address(instance, k);
        unsigned uses = PTL_TOUCH_VALUE | PTL_TOUCH_WRITTEN;
        ptl_accesses_add(s->architecture, k, PTL_PART_BASE, address.base, 1, uses, out);
        ptl_accesses_add(s->architecture, k, PTL_PART_INDEX, address.index, 1, uses, out);
    }
}
