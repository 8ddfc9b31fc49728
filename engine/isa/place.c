#include "isa/place.h"

#include <stdio.h>
#include <string.h>

#include "isa/architecture.h"

const char* ptl_place_kind_name(ptl_place_kind kind) {
    static const char* const names[] = {"register", "memory", "base", "index", "flag"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

/* Hidden memory has an index in xlat alone; bndldx has one that is no part of the address; A64 tells by the
 * scheme. */
static bool has_index(const ptl_scheme* s, const ptl_operand* o) {
    const ptl_architecture* a = s->architecture;
    if (o->visibility == PTL_HIDDEN) return a->hidden_index && a->hidden_index(s);
    return !o->is_mib && (o->register_class || s->architecture->free_index);
}

bool ptl_base_moves(const ptl_scheme* s, const ptl_operand* o) {
    return s->architecture->move && s->architecture->move(s, o).moves;
}

static unsigned address_places(const ptl_scheme* s, unsigned k, ptl_place* out) {
    const ptl_operand* o = &s->operands[k];
    uint8_t base = s->architecture->address_class, index = o->register_class ? o->register_class : base;
    unsigned n = 0;
    if (o->is_moffs) return 0;
    out[n++] = (ptl_place){.kind = PTL_PLACE_BASE,
                           .operand = (uint8_t)k,
                           .register_class = base,
                           .input = true,
                           .output = ptl_base_moves(s, o)};
    if (has_index(s, o))
        out[n++] = (ptl_place){
            .kind = PTL_PLACE_INDEX, .operand = (uint8_t)k, .register_class = index, .input = true};
    return n;
}

static unsigned operand_places(const ptl_scheme* s, unsigned k, ptl_place* out) {
    const ptl_operand* o = &s->operands[k];
    ptl_place p = {.operand = (uint8_t)k, .output = ptl_operand_writes(o)};
    if (o->kind == PTL_ADDRESS) return address_places(s, k, out);
    if (o->kind == PTL_REGISTER) {
        if (ptl_file_of_class((ptl_register_class)o->register_class) == PTL_FILES) return 0;
        p.kind = PTL_PLACE_REGISTER;
        p.register_class = o->register_class;
        p.input = ptl_operand_waits(s, o);
    } else if (o->kind == PTL_MEMORY) {
        p.kind = PTL_PLACE_MEMORY;
        p.input = ptl_operand_reads(o);
    } else {
        return 0;
    }
    if (!p.input && !p.output) return 0;
    out[0] = p;
    return o->kind == PTL_MEMORY ? 1 + address_places(s, k, out + 1) : 1;
}

unsigned ptl_places(const ptl_scheme* s, ptl_place out[PTL_PLACES_MAX]) {
    unsigned n = 0;
    for (unsigned k = 0; k < s->operand_count; k++) n += operand_places(s, k, out + n);
    uint32_t read = ptl_scheme_flags_waited(s);
    for (uint32_t left = s->architecture->place_flags; left; left &= left - 1) {
        ptl_place p = {.kind = PTL_PLACE_FLAG, .flag = left & -left};
        p.input = (read & p.flag) != 0;
        p.output = (s->flags_written & p.flag) != 0;
        if (p.input || p.output) out[n++] = p;
    }
    return n;
}

void ptl_place_write(const ptl_architecture* architecture, const ptl_place* p, char text[PTL_PLACE_SIZE]) {
    if (p->kind == PTL_PLACE_FLAG) {
        snprintf(text, PTL_PLACE_SIZE, "%s", architecture->flags[__builtin_ctz(p->flag)]);
        return;
    }
    const char* part = p->kind == PTL_PLACE_BASE ? ".base" : p->kind == PTL_PLACE_INDEX ? ".index" : "";
    snprintf(text, PTL_PLACE_SIZE, "%u%s", p->operand + 1u, part);
}

ptl_status ptl_place_find(const ptl_scheme* s, const char* text, ptl_place* out, ptl_error* error) {
    ptl_place places[PTL_PLACES_MAX];
    unsigned n = ptl_places(s, places);
    for (unsigned i = 0; i < n; i++) {
        char name[PTL_PLACE_SIZE];
        ptl_place_write(s->architecture, &places[i], name);
        if (strcmp(name, text) != 0) continue;
        *out = places[i];
        return PTL_OK;
    }
    return ptl_fail(error, PTL_BAD_INPUT, s->name, "`portolan isa show` lists its operands",
                    "there is no place '%.20s'", text);
}
