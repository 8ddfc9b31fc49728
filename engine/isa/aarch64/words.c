#include "isa/aarch64/words.h"

#include <string.h>

/* Names of the 32 registers of a class, number 31 last: sp or the zero register where there is one. */
#define ROW(l, last)                                                                                         \
    {                                                                                                        \
        l "0", l "1", l "2", l "3", l "4", l "5", l "6", l "7", l "8", l "9", l "10", l "11", l "12",        \
            l "13", l "14", l "15", l "16", l "17", l "18", l "19", l "20", l "21", l "22", l "23", l "24",  \
            l "25", l "26", l "27", l "28", l "29", l "30", last                                             \
    }

static const char* const registers[PTL_A64_CLASSES][32] = {
    [PTL_A64_X] = ROW("x", "xzr"),   [PTL_A64_W] = ROW("w", "wzr"), [PTL_A64_XSP] = ROW("x", "sp"),
    [PTL_A64_WSP] = ROW("w", "wsp"), [PTL_A64_B] = ROW("b", "b31"), [PTL_A64_H] = ROW("h", "h31"),
    [PTL_A64_S] = ROW("s", "s31"),   [PTL_A64_D] = ROW("d", "d31"), [PTL_A64_Q] = ROW("q", "q31"),
    [PTL_A64_V] = ROW("v", "v31"),
};

static const char* const classes[PTL_A64_CLASSES] = {"",  "x", "w", "xsp", "wsp", "b",
                                                     "h", "s", "d", "q",   "v"};

const char* ptl_a64_register_text(unsigned class, unsigned number) {
    return class < PTL_A64_CLASSES && number < 32 ? registers[class][number] : NULL;
}

const char* ptl_a64_class_text(unsigned class) {
    return class < PTL_A64_CLASSES ? classes[class] : "";
}

static bool read_digits(const char* text, unsigned* number) {
    if (text[0] < '0' || text[0] > '9') return false;
    unsigned n = (unsigned)(text[0] - '0');
    if (text[1]) {
        if (n == 0 || text[1] < '0' || text[1] > '9' || text[2]) return false;
        n = n * 10 + (unsigned)(text[1] - '0');
    }
    *number = n;
    return n < 32;
}

bool ptl_a64_read_register(const char* text, unsigned* class, unsigned* number) {
    static const struct {
        const char* text;
        uint8_t class, number;
    } special[] = {{"sp", PTL_A64_XSP, 31}, {"wsp", PTL_A64_WSP, 31}, {"xzr", PTL_A64_X, 31},
                   {"wzr", PTL_A64_W, 31},  {"lr", PTL_A64_X, 30},    {"fp", PTL_A64_X, 29}};
    static const char letters[] = "xwbhsdqv";
    static const uint8_t of_letter[] = {PTL_A64_X, PTL_A64_W, PTL_A64_B, PTL_A64_H,
                                        PTL_A64_S, PTL_A64_D, PTL_A64_Q, PTL_A64_V};
    for (unsigned k = 0; k < sizeof special / sizeof *special; k++) {
        if (strcmp(text, special[k].text) != 0) continue;
        *class = special[k].class;
        *number = special[k].number;
        return true;
    }
    const char* letter = *text ? strchr(letters, *text) : NULL;
    if (!letter || !read_digits(text + 1, number)) return false;
    *class = of_letter[letter - letters];
    return *number < 31 || (*class != PTL_A64_X && *class != PTL_A64_W);
}

unsigned ptl_a64_element_bits(char letter) {
    switch (letter) {
    case 'b': return 8;
    case 'h': return 16;
    case 's': return 32;
    case 'd': return 64;
    case 'q': return 128;
    default: return 0;
    }
}

char ptl_a64_element_letter(unsigned bits) {
    return bits == 8 ? 'b' : bits == 16 ? 'h' : bits == 32 ? 's' : bits == 64 ? 'd' : 'q';
}

static int find(const char* const* list, unsigned count, const char* text) {
    for (unsigned k = 0; k < count; k++)
        if (list[k] && !strcmp(list[k], text)) return (int)k;
    return -1;
}

static const char* const modifiers[] = {NULL,   "lsl",  "lsr",  "asr",  "ror",  "msl",  "uxtb",
                                        "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"};

unsigned ptl_a64_find_modifier(const char* text) {
    int k = find(modifiers, sizeof modifiers / sizeof *modifiers, text);
    return k < 0 ? 0 : (unsigned)k;
}

const char* ptl_a64_modifier_text(unsigned modifier) {
    return modifier < sizeof modifiers / sizeof *modifiers && modifier ? modifiers[modifier] : "";
}

static const char* const conditions[16] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                           "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"};

int ptl_a64_find_condition(const char* text) {
    if (!strcmp(text, "hs")) return 2;
    if (!strcmp(text, "lo")) return 3;
    return find(conditions, 16, text);
}

const char* ptl_a64_condition_text(unsigned number) {
    return conditions[number & 15];
}

static const char* const prefetches[32] = {
    "pldl1keep", "pldl1strm", "pldl2keep", "pldl2strm", "pldl3keep", "pldl3strm", NULL, NULL,
    "plil1keep", "plil1strm", "plil2keep", "plil2strm", "plil3keep", "plil3strm", NULL, NULL,
    "pstl1keep", "pstl1strm", "pstl2keep", "pstl2strm", "pstl3keep", "pstl3strm"};

int ptl_a64_find_prefetch(const char* text) {
    return find(prefetches, 32, text);
}

const char* ptl_a64_prefetch_text(unsigned number) {
    return number < 32 ? prefetches[number] : NULL;
}
