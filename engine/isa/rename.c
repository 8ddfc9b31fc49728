#include "isa/rename.h"

#include <string.h>

#include "isa/policy.h"

typedef struct renaming {
    uint32_t stays[PTL_FILES]; /* a bit per number */
    uint8_t to[PTL_FILES][32];
} renaming;

/* Registers that encodings treat alike, as bits of their numbers. sil and dil need a prefix that al does not.
 */
static const struct {
    ptl_file file;
    uint32_t members;
} groups[] = {
    {PTL_FILE_GPR, 0x000F},        {PTL_FILE_GPR, 0x00C0},        {PTL_FILE_GPR, 0x0F00},
    {PTL_FILE_VECTOR, 0x000000FF}, {PTL_FILE_VECTOR, 0x00007F00}, {PTL_FILE_VECTOR, 0x00FF0000},
    {PTL_FILE_VECTOR, 0xFF000000}, {PTL_FILE_MASK, 0xFE},         {PTL_FILE_MMX, 0xFF},
};

static void keep(renaming* r, ZydisRegister name) {
    unsigned number;
    ptl_file file = name ? ptl_register_place(name, &number) : PTL_FILES;
    if (file != PTL_FILES) r->stays[file] |= UINT32_C(1) << number;
}

static void keep_what_is_fixed(renaming* r, const ptl_instance* instance) {
    const ptl_scheme* s = &instance->scheme;
    if (s->mnemonic == ZYDIS_MNEMONIC_XLAT) keep(r, ZYDIS_REGISTER_RAX);
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (o->fixed) keep(r, (ZydisRegister)o->fixed);
        ZydisRegister named = (ZydisRegister)instance->values[k].reg;
        if (named >= ZYDIS_REGISTER_AH && named <= ZYDIS_REGISTER_BH) keep(r, named);
        if (o->source_count > 1) r->stays[PTL_FILE_VECTOR] = UINT32_MAX;
    }
}

/* Turns the members of a group that may move. */
static void turn_group(renaming* r, ptl_file file, uint32_t members, unsigned turn) {
    uint8_t list[32];
    unsigned n = 0;
    for (unsigned k = 0; k < ptl_file_size(file); k++)
        if (members & ~r->stays[file] & (UINT32_C(1) << k)) list[n++] = (uint8_t)k;
    for (unsigned i = 0; i < n; i++) r->to[file][list[i]] = list[(i + turn) % n];
}

static void choose(renaming* r, unsigned turn) {
    for (int file = 0; file < PTL_FILES; file++)
        for (unsigned k = 0; k < 32; k++) r->to[file][k] = (uint8_t)k;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        turn_group(r, groups[g].file, groups[g].members, turn);
}

static uint16_t renamed(const renaming* r, uint16_t name) {
    unsigned number;
    ZydisRegister old = (ZydisRegister)name;
    ptl_file file = name ? ptl_register_place(old, &number) : PTL_FILES;
    if (file == PTL_FILES || r->to[file][number] == number) return name;
    return (uint16_t)ptl_register_in_class(ptl_register_class_of(old), r->to[file][number]);
}

static void apply(const renaming* r, ptl_instance* instance) {
    for (unsigned k = 0; k < instance->scheme.visible_count; k++) {
        ptl_value* v = &instance->values[k];
        if (!instance->scheme.operands[k].fixed) v->reg = renamed(r, v->reg);
        v->base = renamed(r, v->base);
        v->index = renamed(r, v->index);
    }
}

/* An instruction of which nothing changes keeps its bytes, whatever way it is encoded. */
static ptl_status rename_one(const renaming* r, const uint8_t* code, size_t length, const ptl_instance* old,
                             uint8_t out[PTL_INSTRUCTION_MAX], size_t* n, ptl_error* error) {
    ptl_instance new = *old;
    apply(r, &new);
    if (!ptl_instance_equal(old, &new)) return ptl_encode(&new, out, n, error);
    memcpy(out, code, length);
    *n = length;
    return PTL_OK;
}

static ptl_status find_fixed(renaming* r, const uint8_t* code, size_t size, ptl_error* error) {
    ptl_instance instance;
    ptl_status status = PTL_OK;
    for (size_t at = 0, n; at < size && !status; at += n) {
        status = ptl_decode(code + at, size - at, &instance, &n, error);
        if (!status) keep_what_is_fixed(r, &instance);
    }
    return status;
}

ptl_status ptl_rename(const uint8_t* code, size_t size, unsigned turn, uint8_t* out, size_t capacity,
                      size_t* written, ptl_error* error) {
    renaming r = {0};
    ptl_status status = find_fixed(&r, code, size, error);
    choose(&r, turn);
    *written = 0;
    for (size_t at = 0, n, m; at < size && !status; at += n) {
        ptl_instance instance;
        uint8_t bytes[PTL_INSTRUCTION_MAX];
        status = ptl_decode(code + at, size - at, &instance, &n, error);
        if (!status) status = rename_one(&r, code + at, n, &instance, bytes, &m, error);
        if (status) break;
        if (m > capacity - *written)
            return ptl_fail(error, PTL_LIMIT, NULL, NULL, "the renamed code is too long");
        memcpy(out + *written, bytes, m);
        *written += m;
    }
    return status;
}
