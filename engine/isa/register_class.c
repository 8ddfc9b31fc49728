#include "isa/scheme.h"

typedef struct class_names {
    const char* name;
    const char* symbol;
} class_names;

static const class_names names[PTL_CLASSES] = {
    [PTL_NO_CLASS] = {"none", NULL},     [PTL_GPR8] = {"gpr8", "r8"},       [PTL_GPR16] = {"gpr16", "r16"},
    [PTL_GPR32] = {"gpr32", "r32"},      [PTL_GPR64] = {"gpr64", "r64"},    [PTL_XMM] = {"xmm", "xmm"},
    [PTL_YMM] = {"ymm", "ymm"},          [PTL_ZMM] = {"zmm", "zmm"},        [PTL_MASK] = {"mask", "k"},
    [PTL_MMX] = {"mmx", "mm"},           [PTL_X87] = {"x87", "st"},         [PTL_TILE] = {"tile", "tmm"},
    [PTL_SEGMENT] = {"segment", "sreg"}, [PTL_CONTROL] = {"control", "cr"}, [PTL_DEBUG] = {"debug", "dr"},
    [PTL_BOUND] = {"bound", "bnd"},      [PTL_FLAGS] = {"flags", NULL},     [PTL_IP] = {"ip", NULL},
    [PTL_OTHER] = {"other", NULL},
};

const char* ptl_register_class_name(ptl_register_class c) {
    return (unsigned)c < PTL_CLASSES ? names[c].name : "?";
}

const char* ptl_register_class_symbol(ptl_register_class c) {
    return (unsigned)c < PTL_CLASSES ? names[c].symbol : NULL;
}

ptl_register_class ptl_register_class_of(ZydisRegister r) {
    switch (ZydisRegisterGetClass(r)) {
    case ZYDIS_REGCLASS_GPR8: return PTL_GPR8;
    case ZYDIS_REGCLASS_GPR16: return PTL_GPR16;
    case ZYDIS_REGCLASS_GPR32: return PTL_GPR32;
    case ZYDIS_REGCLASS_GPR64: return PTL_GPR64;
    case ZYDIS_REGCLASS_XMM: return PTL_XMM;
    case ZYDIS_REGCLASS_YMM: return PTL_YMM;
    case ZYDIS_REGCLASS_ZMM: return PTL_ZMM;
    case ZYDIS_REGCLASS_MASK: return PTL_MASK;
    case ZYDIS_REGCLASS_MMX: return PTL_MMX;
    case ZYDIS_REGCLASS_X87: return PTL_X87;
    case ZYDIS_REGCLASS_TMM: return PTL_TILE;
    case ZYDIS_REGCLASS_SEGMENT: return PTL_SEGMENT;
    case ZYDIS_REGCLASS_CONTROL: return PTL_CONTROL;
    case ZYDIS_REGCLASS_DEBUG: return PTL_DEBUG;
    case ZYDIS_REGCLASS_BOUND: return PTL_BOUND;
    case ZYDIS_REGCLASS_FLAGS: return PTL_FLAGS;
    case ZYDIS_REGCLASS_IP: return PTL_IP;
    default: return r == ZYDIS_REGISTER_NONE ? PTL_NO_CLASS : PTL_OTHER;
    }
}

static bool same_register(uint16_t a, uint16_t b) {
    return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, (ZydisRegister)a) ==
           ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, (ZydisRegister)b);
}

/* Flags count one by one, except where a write may not happen: then the old ones are read. */
static bool updates_flags(const ptl_scheme* s) {
    if (s->flags_read & s->flags_written) return true;
    for (unsigned k = 0; k < s->operand_count; k++)
        if (s->operands[k].register_class == PTL_FLAGS && (s->operands[k].access & PTL_COND_WRITE))
            return true;
    return false;
}

static bool is_fixed_register(const ptl_operand* o) {
    return o->kind == PTL_REGISTER && o->fixed && o->register_class != PTL_FLAGS;
}

bool ptl_scheme_updates_fixed(const ptl_scheme* s) {
    for (unsigned w = 0; w < s->operand_count; w++) {
        if (!is_fixed_register(&s->operands[w]) || !ptl_operand_writes(&s->operands[w])) continue;
        for (unsigned r = 0; r < s->operand_count; r++)
            if (is_fixed_register(&s->operands[r]) && ptl_operand_reads(&s->operands[r]) &&
                same_register(s->operands[w].fixed, s->operands[r].fixed))
                return true;
    }
    return updates_flags(s);
}
