/* Registers of A64 as numbers: 32 of each bank from 1 on, then sp, wsp and pc. */
#include <string.h>

#include "isa/aarch64/aarch64.h"
#include "isa/aarch64/words.h"

enum {
    BANK_X,
    BANK_W,
    BANK_B,
    BANK_H,
    BANK_S,
    BANK_D,
    BANK_Q,
    BANK_V,
    BANKS,
    SP = 1 + 32 * BANKS,
    WSP,
    PC,
    END
};

static const uint8_t class_of_bank[BANKS] = {PTL_A64_X, PTL_A64_W, PTL_A64_B, PTL_A64_H,
                                             PTL_A64_S, PTL_A64_D, PTL_A64_Q, PTL_A64_V};
static const uint8_t bank_of_class[PTL_A64_CLASSES] = {0,      BANK_X, BANK_W, BANK_X, BANK_W, BANK_B,
                                                       BANK_H, BANK_S, BANK_D, BANK_Q, BANK_V};
static const uint8_t scheme_class[PTL_A64_CLASSES] = {PTL_NO_CLASS, PTL_X, PTL_W, PTL_XSP, PTL_WSP, PTL_B,
                                                      PTL_H,        PTL_S, PTL_D, PTL_Q,   PTL_V};

unsigned ptl_a64_pc(void) {
    return PC;
}

uint16_t ptl_a64_register(unsigned class, unsigned number) {
    if (class == PTL_A64_NO_CLASS || class >= PTL_A64_CLASSES || number > 31) return 0;
    if (number == 31 && class == PTL_A64_XSP) return SP;
    if (number == 31 && class == PTL_A64_WSP) return WSP;
    return (uint16_t)(1 + 32 * bank_of_class[class] + number);
}

bool ptl_a64_register_in_word(unsigned class, unsigned r, unsigned* number) {
    *number = r >= SP ? 31 : (r - 1) % 32;
    return r != 0 && r == ptl_a64_register(class, *number);
}

const char* ptl_a64_register_name(unsigned r) {
    if (r == 0 || r >= END) return "";
    if (r >= SP) return r == SP ? "sp" : r == WSP ? "wsp" : "pc";
    return ptl_a64_register_text(class_of_bank[(r - 1) / 32], (r - 1) % 32);
}

unsigned ptl_a64_register_number(const char* name, size_t length) {
    char text[8] = {0};
    unsigned class, number;
    if (length >= sizeof text) return 0;
    for (size_t k = 0; k < length; k++)
        text[k] = name[k] >= 'A' && name[k] <= 'Z' ? (char)(name[k] + 32) : name[k];
    if (!strcmp(text, "pc")) return PC;
    return ptl_a64_read_register(text, &class, &number) ? ptl_a64_register(class, number) : 0;
}

ptl_register_class ptl_a64_scheme_class(unsigned class) {
    return class < PTL_A64_CLASSES ? (ptl_register_class)scheme_class[class] : PTL_NO_CLASS;
}

/* The ptl_a64_class that is a class of schemes; 0 if it is none of A64's. */
static unsigned form_class(unsigned of_scheme) {
    for (unsigned class = 1; class < PTL_A64_CLASSES; class ++)
        if (scheme_class[class] == of_scheme) return class;
    return PTL_A64_NO_CLASS;
}

ptl_register_class ptl_a64_register_class(unsigned r) {
    if (r == 0 || r >= END) return PTL_NO_CLASS;
    if (r >= SP) return r == SP ? PTL_XSP : r == WSP ? PTL_WSP : PTL_IP;
    return ptl_a64_scheme_class(class_of_bank[(r - 1) / 32]);
}

/* The zero register holds nothing and is in no file; sp is number 31. */
ptl_file ptl_a64_register_place(unsigned r, unsigned* number) {
    if (r == 0 || r >= PC) return PTL_FILES;
    *number = r >= SP ? 31 : (r - 1) % 32;
    if (r >= SP) return PTL_FILE_GPR;
    if ((r - 1) / 32 >= BANK_B) return PTL_FILE_VECTOR;
    return *number == 31 ? PTL_FILES : PTL_FILE_GPR;
}

uint16_t ptl_a64_register_in_class(ptl_register_class c, unsigned number) {
    unsigned class = form_class(c);
    if (class == PTL_A64_X && number == 31) class = PTL_A64_XSP;
    if (class == PTL_A64_W && number == 31) class = PTL_A64_WSP;
    return ptl_a64_register(class, number);
}

bool ptl_a64_stays(unsigned r) {
    return r >= SP;
}
