#include "isa/rename.h"

#include <string.h>

#include "isa/architecture.h"

typedef struct renaming {
    const ptl_architecture* architecture;
    uint32_t stays[PTL_FILES];     /* a bit per number */
    uint32_t addresses[PTL_FILES]; /* what they name */
    uint8_t to[PTL_FILES][32];
} renaming;

static void note(const renaming* r, unsigned name, uint32_t of_file[PTL_FILES]) {
    unsigned number;
    ptl_file file = name ? ptl_register_place(r->architecture, name, &number) : PTL_FILES;
    if (file != PTL_FILES) of_file[file] |= UINT32_C(1) << number;
}

static void keep_what_is_fixed(renaming* r, const ptl_instance* instance) {
    const ptl_scheme* s = &instance->scheme;
    if (r->architecture->hidden_index) note(r, r->architecture->hidden_index(s), r->stays);
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        const ptl_value* v = &instance->values[k];
        if (o->fixed) note(r, o->fixed, r->stays);
        if (r->architecture->stays(v->reg)) note(r, v->reg, r->stays);
        note(r, v->base, r->addresses);
        note(r, v->index, r->addresses);
        if (o->source_count > 1) r->stays[PTL_FILE_VECTOR] = UINT32_MAX;
    }
}

/* Turns the members of a group that may move. */
static void turn_group(renaming* r, const ptl_register_group* g, unsigned turn) {
    uint8_t list[32];
    unsigned n = 0;
    uint32_t unlike = g->members & r->addresses[g->file] ? g->unlike : 0;
    uint32_t members = g->members & ~(r->stays[g->file] | unlike);
    for (unsigned k = 0; k < ptl_file_size(r->architecture, g->file); k++)
        if (members & (UINT32_C(1) << k)) list[n++] = (uint8_t)k;
    unsigned by = turn * n / (PTL_RENAMINGS + 1);
    for (unsigned i = 0; i < n; i++) r->to[g->file][list[i]] = list[(i + by) % n];
}

static void choose(renaming* r, unsigned turn) {
    for (int file = 0; file < PTL_FILES; file++)
        for (unsigned k = 0; k < 32; k++) r->to[file][k] = (uint8_t)k;
    for (const ptl_register_group* g = r->architecture->groups; g->members; g++) turn_group(r, g, turn);
}

static uint16_t renamed(const renaming* r, uint16_t name) {
    unsigned number;
    const ptl_architecture* a = r->architecture;
    ptl_file file = name ? ptl_register_place(a, name, &number) : PTL_FILES;
    if (file == PTL_FILES || r->to[file][number] == number) return name;
    return ptl_register_in_class(a, a->register_class(name), r->to[file][number]);
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
        status = ptl_decode(r->architecture, code + at, size - at, &instance, &n, error);
        if (!status) keep_what_is_fixed(r, &instance);
    }
    return status;
}

ptl_status ptl_rename(const ptl_architecture* architecture, const uint8_t* code, size_t size, unsigned turn,
                      uint8_t* out, size_t capacity, size_t* written, ptl_error* error) {
    renaming r = {.architecture = architecture};
    ptl_status status = find_fixed(&r, code, size, error);
    choose(&r, turn);
    *written = 0;
    for (size_t at = 0, n, m; at < size && !status; at += n) {
        ptl_instance instance;
        uint8_t bytes[PTL_INSTRUCTION_MAX];
        status = ptl_decode(r.architecture, code + at, size - at, &instance, &n, error);
        if (!status) status = rename_one(&r, code + at, n, &instance, bytes, &m, error);
        if (status) break;
        if (m > capacity - *written)
            return ptl_fail(error, PTL_LIMIT, NULL, NULL, "the renamed code is too long");
        memcpy(out + *written, bytes, m);
        *written += m;
    }
    return status;
}
