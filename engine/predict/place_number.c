#include "predict/place_number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const parts[PTL_PARTS] = {"", ".base", ".index"};

static uint8_t flag_number(const ptl_architecture* architecture, const char* text) {
    for (uint32_t left = architecture->place_flags; left; left &= left - 1) {
        unsigned bit = (unsigned)__builtin_ctz(left);
        if (!strcmp(architecture->flags[bit], text)) return ptl_place_of_flag(bit);
    }
    return PTL_NO_PLACE;
}

uint8_t ptl_place_number(const ptl_architecture* architecture, const char* text) {
    if (*text < '1' || *text > '9') return flag_number(architecture, text);
    char* end;
    unsigned long operand = strtoul(text, &end, 10);
    if (operand > PTL_OPERANDS_MAX) return PTL_NO_PLACE;
    for (unsigned part = 0; part < PTL_PARTS; part++)
        if (!strcmp(end, parts[part]))
            return ptl_place_of_operand((unsigned)operand - 1, (ptl_operand_part)part);
    return PTL_NO_PLACE;
}

void ptl_place_text(const ptl_architecture* architecture, uint8_t place, char text[PTL_PLACE_TEXT_SIZE]) {
    if (place < PTL_PLACE_FLAGS) {
        snprintf(text, PTL_PLACE_TEXT_SIZE, "%u%s", place / PTL_PARTS + 1u, parts[place % PTL_PARTS]);
        return;
    }
    bool is_flag = place < PTL_NO_PLACE && (architecture->place_flags >> (place - PTL_PLACE_FLAGS) & 1);
    snprintf(text, PTL_PLACE_TEXT_SIZE, "%s", is_flag ? architecture->flags[place - PTL_PLACE_FLAGS] : "?");
}
