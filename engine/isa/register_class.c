#include "isa/scheme.h"

typedef struct class_names {
    const char* name;
    const char* symbol;
} class_names;

static const class_names names[PTL_CLASSES] = {
    [PTL_NO_CLASS] = {"none", NULL},
    [PTL_GPR8] = {"gpr8", "r8"},
    [PTL_GPR16] = {"gpr16", "r16"},
    [PTL_GPR32] = {"gpr32", "r32"},
    [PTL_GPR64] = {"gpr64", "r64"},
    [PTL_XMM] = {"xmm", "xmm"},
    [PTL_YMM] = {"ymm", "ymm"},
    [PTL_ZMM] = {"zmm", "zmm"},
    [PTL_MASK] = {"mask", "k"},
    [PTL_MMX] = {"mmx", "mm"},
    [PTL_X87] = {"x87", "st"},
    [PTL_TILE] = {"tile", "tmm"},
    [PTL_SEGMENT] = {"segment", "sreg"},
    [PTL_CONTROL] = {"control", "cr"},
    [PTL_DEBUG] = {"debug", "dr"},
    [PTL_BOUND] = {"bound", "bnd"},
    [PTL_FLAGS] = {"flags", NULL},
    [PTL_IP] = {"ip", NULL},
    [PTL_OTHER] = {"other", NULL},
    [PTL_X] = {"x", "x"},
    [PTL_W] = {"w", "w"},
    [PTL_XSP] = {"xsp", "xsp"},
    [PTL_WSP] = {"wsp", "wsp"},
    [PTL_B] = {"b", "b"},
    [PTL_H] = {"h", "h"},
    [PTL_S] = {"s", "s"},
    [PTL_D] = {"d", "d"},
    [PTL_Q] = {"q", "q"},
    [PTL_V] = {"v", "v"},
};

const char* ptl_register_class_name(ptl_register_class c) {
    return (unsigned)c < PTL_CLASSES ? names[c].name : "?";
}

const char* ptl_register_class_symbol(ptl_register_class c) {
    return (unsigned)c < PTL_CLASSES ? names[c].symbol : NULL;
}
