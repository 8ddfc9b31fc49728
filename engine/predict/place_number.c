#include "predict/place_number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char* name;
    uint32_t bit; /* ZYDIS_CPUFLAG_* */
} flags[] = {
    {"cf", ZYDIS_CPUFLAG_CF}, {"pf", ZYDIS_CPUFLAG_PF}, {"af", ZYDIS_CPUFLAG_AF}, {"zf", ZYDIS_CPUFLAG_ZF},
    {"sf", ZYDIS_CPUFLAG_SF}, {"df", ZYDIS_CPUFLAG_DF}, {"of", ZYDIS_CPUFLAG_OF},
};

enum { FLAGS = sizeof flags / sizeof *flags };

static const char* const parts[PTL_PARTS] = {"", ".base", ".index"};

static uint8_t flag_number(const char* text) {
    for (unsigned f = 0; f < FLAGS; f++)
        if (!strcmp(flags[f].name, text)) return ptl_place_of_flag((unsigned)__builtin_ctz(flags[f].bit));
    return PTL_NO_PLACE;
}

uint8_t ptl_place_number(const char* text) {
    if (*text < '1' || *text > '9') return flag_number(text);
    char* end;
    unsigned long operand = strtoul(text, &end, 10);
    if (operand > PTL_OPERANDS_MAX) return PTL_NO_PLACE;
    for (unsigned part = 0; part < PTL_PARTS; part++)
        if (!strcmp(end, parts[part]))
            return ptl_place_of_operand((unsigned)operand - 1, (ptl_operand_part)part);
    return PTL_NO_PLACE;
}

void ptl_place_text(uint8_t place, char text[PTL_PLACE_TEXT_SIZE]) {
    if (place < PTL_PLACE_FLAGS) {
        snprintf(text, PTL_PLACE_TEXT_SIZE, "%u%s", place / PTL_PARTS + 1u, parts[place % PTL_PARTS]);
        return;
    }
    const char* name = "?";
    for (unsigned f = 0; f < FLAGS; f++)
        if (place < PTL_NO_PLACE && flags[f].bit == UINT32_C(1) << (place - PTL_PLACE_FLAGS))
            name = flags[f].name;
    snprintf(text, PTL_PLACE_TEXT_SIZE, "%s", name);
}
