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

/* Registers that follow each other, in Zydis' numbers and in the hardware's. ah to bh lie between bl and spl,
 * and are parts of rax to rbx. */
typedef struct run {
    uint16_t first;
    uint8_t count, file, number; /* the hardware's number of the first */
} run;

static const run runs[] = {
    {ZYDIS_REGISTER_RAX, 16, PTL_FILE_GPR, 0},     {ZYDIS_REGISTER_EAX, 16, PTL_FILE_GPR, 0},
    {ZYDIS_REGISTER_XMM0, 32, PTL_FILE_VECTOR, 0}, {ZYDIS_REGISTER_YMM0, 32, PTL_FILE_VECTOR, 0},
    {ZYDIS_REGISTER_ZMM0, 32, PTL_FILE_VECTOR, 0}, {ZYDIS_REGISTER_AX, 16, PTL_FILE_GPR, 0},
    {ZYDIS_REGISTER_AL, 4, PTL_FILE_GPR, 0},       {ZYDIS_REGISTER_AH, 4, PTL_FILE_GPR, 0},
    {ZYDIS_REGISTER_SPL, 12, PTL_FILE_GPR, 4},     {ZYDIS_REGISTER_K0, 8, PTL_FILE_MASK, 0},
    {ZYDIS_REGISTER_MM0, 8, PTL_FILE_MMX, 0},      {ZYDIS_REGISTER_ST0, 8, PTL_FILE_X87, 0},
};

ptl_file ptl_x86_register_place(unsigned r, unsigned* number) {
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        if (r - runs[k].first >= runs[k].count) continue;
        *number = r - runs[k].first + runs[k].number;
        return (ptl_file)runs[k].file;
    }
    return PTL_FILES;
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
