#include "isa/place.h"

#include <stdio.h>
#include <string.h>

#include "isa/accesses.h"

static const struct {
    const char* name;
    uint32_t bit;
} flags[] = {
    {"cf", ZYDIS_CPUFLAG_CF}, {"pf", ZYDIS_CPUFLAG_PF}, {"af", ZYDIS_CPUFLAG_AF}, {"zf", ZYDIS_CPUFLAG_ZF},
    {"sf", ZYDIS_CPUFLAG_SF}, {"df", ZYDIS_CPUFLAG_DF}, {"of", ZYDIS_CPUFLAG_OF},
};

enum { FLAGS = sizeof flags / sizeof *flags };

const char* ptl_place_kind_name(ptl_place_kind kind) {
    static const char* const names[] = {"register", "memory", "base", "index", "flag"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

/* Hidden memory has an index in xlat alone; bndldx has one that is no part of the address. */
static bool has_index(const ptl_scheme* s, const ptl_operand* o) {
    if (o->visibility == PTL_HIDDEN) return s->mnemonic == ZYDIS_MNEMONIC_XLAT;
    return !o->is_mib;
}

static unsigned address_places(const ptl_scheme* s, unsigned k, ptl_place* out) {
    const ptl_operand* o = &s->operands[k];
    uint8_t index = (uint8_t)(o->register_class ? o->register_class : PTL_GPR64);
    unsigned n = 0;
    if (o->is_moffs) return 0;
    out[n++] = (ptl_place){
        .kind = PTL_PLACE_BASE, .operand = (uint8_t)k, .register_class = PTL_GPR64, .input = true};
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
    for (unsigned f = 0; f < FLAGS; f++) {
        ptl_place p = {.kind = PTL_PLACE_FLAG, .flag = flags[f].bit};
        p.input = (read & p.flag) != 0;
        p.output = (s->flags_written & p.flag) != 0;
        if (p.input || p.output) out[n++] = p;
    }
    return n;
}

void ptl_place_write(const ptl_place* p, char text[PTL_PLACE_SIZE]) {
    for (unsigned f = 0; f < FLAGS; f++) {
        if (p->kind == PTL_PLACE_FLAG && flags[f].bit == p->flag)
            snprintf(text, PTL_PLACE_SIZE, "%s", flags[f].name);
    }
    if (p->kind == PTL_PLACE_FLAG) return;
    const char* part = p->kind == PTL_PLACE_BASE ? ".base" : p->kind == PTL_PLACE_INDEX ? ".index" : "";
    snprintf(text, PTL_PLACE_SIZE, "%u%s", p->operand + 1u, part);
}

ptl_status ptl_place_find(const ptl_scheme* s, const char* text, ptl_place* out, ptl_error* error) {
    ptl_place places[PTL_PLACES_MAX];
    unsigned n = ptl_places(s, places);
    for (unsigned i = 0; i < n; i++) {
        char name[PTL_PLACE_SIZE];
        ptl_place_write(&places[i], name);
        if (strcmp(name, text) != 0) continue;
        *out = places[i];
        return PTL_OK;
    }
    return ptl_fail(error, PTL_BAD_INPUT, s->name, "`portolan isa show` lists its operands",
                    "there is no place '%.20s'", text);
}
