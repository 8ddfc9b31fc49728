#include "anica/immediate.h"

#include <stdio.h>
#include <string.h>

#include "isa/allocate.h"

static const char* const names[PTL_IMMEDIATES] = {"", "0", "1", "small", "wide"};

static const char separator[] = " = ";

const char* ptl_immediate_name(ptl_immediate immediate) {
    return names[immediate];
}

int ptl_immediate_operand(const ptl_scheme* scheme) {
    for (int k = 0; k < scheme->visible_count; k++) {
        const ptl_operand* o = &scheme->operands[k];
        if (o->kind == PTL_IMMEDIATE && ptl_operand_is_free(o)) return k;
    }
    return -1;
}

static ptl_immediate kind_of(int64_t number, unsigned width) {
    if (number == 0) return PTL_IMMEDIATE_ZERO;
    if (number == 1) return PTL_IMMEDIATE_ONE;
    bool small = width <= 8 || (number >= INT8_MIN && number <= INT8_MAX);
    return small ? PTL_IMMEDIATE_SMALL : PTL_IMMEDIATE_WIDE;
}

/* Tells whether a value is encoded in more bytes than it needs, as programs have it here and there. */
static bool is_too_long(const ptl_instance* instance, unsigned width) {
    uint8_t bytes[PTL_INSTRUCTION_MAX];
    size_t n;
    return width > 8 && ptl_encode(instance, bytes, &n, NULL);
}

ptl_immediate ptl_immediate_of(const ptl_instance* instance) {
    int k = ptl_immediate_operand(&instance->scheme);
    if (k < 0) return PTL_IMMEDIATE_ANY;
    unsigned width = instance->scheme.operands[k].width;
    ptl_immediate kind = kind_of(instance->values[k].number, width);
    return kind != PTL_IMMEDIATE_WIDE && is_too_long(instance, width) ? PTL_IMMEDIATE_WIDE : kind;
}

/* A value that is neither 0, 1 nor wide: selectors of a few bits have room for 2 (ptl_operand_immediate).
 * Where the policy has 1, it is for predicates, of which there are few; 3 is one. */
static int64_t small_value(int64_t usual, unsigned width) {
    switch (kind_of(usual, width)) {
    case PTL_IMMEDIATE_SMALL: return usual;
    case PTL_IMMEDIATE_WIDE: return 43;
    default: return 3;
    }
}

void ptl_immediate_set(ptl_instance* instance, ptl_immediate immediate, const ptl_policy* policy) {
    int k = ptl_immediate_operand(&instance->scheme);
    if (k < 0 || immediate == PTL_IMMEDIATE_ANY) return;
    const ptl_operand* o = &instance->scheme.operands[k];
    int64_t usual = ptl_operand_immediate(&instance->scheme, o, policy),
            *number = &instance->values[k].number;
    if (immediate == PTL_IMMEDIATE_ZERO) *number = 0;
    if (immediate == PTL_IMMEDIATE_ONE) *number = 1;
    if (immediate == PTL_IMMEDIATE_SMALL) *number = small_value(usual, o->width);
    if (immediate == PTL_IMMEDIATE_WIDE) *number = usual;
}

unsigned ptl_immediate_kinds(const ptl_scheme* scheme, const ptl_policy* policy) {
    unsigned kinds = 0;
    if (ptl_immediate_operand(scheme) < 0) return 0;
    for (int kind = PTL_IMMEDIATE_ZERO; kind < PTL_IMMEDIATES; kind++) {
        ptl_instance instance;
        uint8_t bytes[PTL_INSTRUCTION_MAX];
        size_t n;
        ptl_instance_sample(scheme, 0, &instance);
        ptl_immediate_set(&instance, (ptl_immediate)kind, policy);
        bool is_of_it = ptl_immediate_of(&instance) == (ptl_immediate)kind;
        if (is_of_it && !ptl_encode(&instance, bytes, &n, NULL)) kinds |= 1u << kind;
    }
    return kinds;
}

bool ptl_variant_name(const char* scheme, ptl_immediate immediate, char out[PTL_NAME_SIZE]) {
    const char* between = immediate == PTL_IMMEDIATE_ANY ? "" : separator;
    int n = snprintf(out, PTL_NAME_SIZE, "%s%s%s", scheme, between, names[immediate]);
    return n > 0 && n < PTL_NAME_SIZE;
}

ptl_immediate ptl_variant_split(const char* name, char scheme[PTL_NAME_SIZE]) {
    const char* at = strstr(name, separator);
    size_t length = at ? (size_t)(at - name) : strlen(name);
    for (int kind = PTL_IMMEDIATE_ZERO; at && kind < PTL_IMMEDIATES; kind++) {
        if (strcmp(at + strlen(separator), names[kind]) != 0 || length >= PTL_NAME_SIZE) continue;
        memcpy(scheme, name, length);
        scheme[length] = 0;
        return (ptl_immediate)kind;
    }
    snprintf(scheme, PTL_NAME_SIZE, "%s", name);
    return PTL_IMMEDIATE_ANY;
}
