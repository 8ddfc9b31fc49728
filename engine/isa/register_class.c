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
