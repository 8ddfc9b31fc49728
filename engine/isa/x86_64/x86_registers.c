#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"

ptl_register_class ptl_x86_register_class(unsigned r) {
    switch (ZydisRegisterGetClass((ZydisRegister)r)) {
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

ptl_file ptl_x86_register_place(unsigned name, unsigned* number) {
    ZydisRegister r = (ZydisRegister)name;
    ptl_file file = ptl_file_of_class(ptl_x86_register_class(r));
    if (file == PTL_FILES) return PTL_FILES;
    int id = ZydisRegisterGetId(r);
    if (file == PTL_FILE_GPR) { /* ah and its like have numbers of their own: ask for rax */
        id = ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r));
    }
    *number = (unsigned)id;
    return id < 0 ? PTL_FILES : file;
}

static ZydisRegister first_of_class(ptl_register_class c) {
    switch (c) {
    case PTL_GPR16: return ZYDIS_REGISTER_AX;
    case PTL_GPR32: return ZYDIS_REGISTER_EAX;
    case PTL_GPR64: return ZYDIS_REGISTER_RAX;
    case PTL_XMM: return ZYDIS_REGISTER_XMM0;
    case PTL_YMM: return ZYDIS_REGISTER_YMM0;
    case PTL_ZMM: return ZYDIS_REGISTER_ZMM0;
    case PTL_MASK: return ZYDIS_REGISTER_K0;
    case PTL_MMX: return ZYDIS_REGISTER_MM0;
    case PTL_X87: return ZYDIS_REGISTER_ST0;
    default: return ZYDIS_REGISTER_NONE;
    }
}

uint16_t ptl_x86_register_in_class(ptl_register_class c, unsigned number) {
    if (c == PTL_GPR8) /* ah to bh lie between bl and spl */
        return (uint16_t)(number < 4 ? ZYDIS_REGISTER_AL + number : ZYDIS_REGISTER_SPL + (number - 4));
    ZydisRegister first = first_of_class(c);
    return (uint16_t)(first == ZYDIS_REGISTER_NONE ? first : first + number);
}

const char* ptl_x86_register_name(unsigned r) {
    return ZydisRegisterGetString((ZydisRegister)r);
}

bool ptl_x86_stays(unsigned r) {
    return r >= ZYDIS_REGISTER_AH && r <= ZYDIS_REGISTER_BH;
}
