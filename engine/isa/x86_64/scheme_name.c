/* Names of schemes; docs/scheme-names.md is the grammar. */
#include <string.h>

#include "isa/x86_64/x86_scheme.h"

typedef struct writer {
    char* out;
    size_t used, size;
    bool full;
} writer;

static void put(writer* w, const char* s) {
    size_t n = strlen(s);
    if (w->used + n >= w->size) {
        w->full = true;
        return;
    }
    memcpy(w->out + w->used, s, n + 1);
    w->used += n;
}

static void put_number(writer* w, unsigned n) {
    char digits[12];
    size_t at = sizeof digits;
    digits[--at] = 0;
    do digits[--at] = (char)('0' + n % 10), n /= 10;
    while (n);
    put(w, digits + at);
}

static void put_register(writer* w, const ptl_operand* o) {
    const char* symbol = ptl_register_class_symbol((ptl_register_class)o->register_class);
    put(w, o->fixed || !symbol ? ZydisRegisterGetString((ZydisRegister)o->fixed) : symbol);
    if (o->source_count > 1) put(w, "+"), put_number(w, o->source_count - 1u);
}

static const char* broadcast_text(unsigned mode) {
    static const char* const texts[] = {"",        "{1to2}",  "{1to4}", "{1to8}", "{1to16}",
                                        "{1to32}", "{1to64}", "{2to4}", "{2to8}", "{2to16}",
                                        "{4to8}",  "{4to16}", "{8to16}"};
    return mode < sizeof texts / sizeof *texts ? texts[mode] : "{?}";
}

static void put_memory(writer* w, const ptl_operand* o) {
    put(w, o->is_moffs ? "moffs" : o->is_mib ? "mib" : "m");
    if (o->width) put_number(w, o->width);
    if (o->register_class)
        put(w, "["), put(w, ptl_register_class_symbol((ptl_register_class)o->register_class)), put(w, "]");
    if (o->broadcast) put(w, broadcast_text(o->broadcast));
}

static void put_operand(writer* w, const ptl_operand* o) {
    switch ((ptl_operand_kind)o->kind) {
    case PTL_REGISTER: put_register(w, o); break;
    case PTL_MEMORY: put_memory(w, o); break;
    case PTL_ADDRESS: put(w, "m"); break;
    case PTL_RELATIVE: put(w, "rel"), put_number(w, o->width); break;
    case PTL_IMMEDIATE:
        if (o->has_constant)
            put_number(w, (unsigned)o->constant);
        else
            put(w, "imm"), put_number(w, o->width);
        break;
    }
}

static void put_prefixes(writer* w, unsigned prefixes) {
    static const char* const texts[8] = {"lock ", "rep ",     "repe ",     "repne ",
                                         "bnd ",  "notrack ", "xacquire ", "xrelease "};
    for (unsigned k = 8; k-- > 0;)
        if (prefixes & (1u << k)) put(w, texts[k]);
}

/* An EVEX scheme must not look like the VEX scheme of the same mnemonic: what shows neither braces nor a zmm
 * register says so. (A rule on the text alone, so that a name can be read without knowing which other schemes
 * exist.) */
static bool needs_evex_mark(const ptl_scheme* s) {
    return s->encoding == PTL_EVEX && !strchr(s->name, '{') && !strstr(s->name, "zmm");
}

bool ptl_scheme_write_name(ptl_scheme* s) {
    writer w = {.out = s->name, .size = sizeof s->name};
    put_prefixes(&w, s->prefixes);
    put(&w, ZydisMnemonicGetString((ZydisMnemonic)s->mnemonic));
    if (s->branch_type == ZYDIS_BRANCH_TYPE_FAR) put(&w, " far");
    const char* separator = " ";
    for (unsigned k = 0; k < s->visible_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (o->is_mask) {
            put(&w, s->is_zeroing ? "{k}{z}" : "{k}");
            continue;
        }
        put(&w, separator);
        put_operand(&w, o);
        separator = ", ";
    }
    if (s->is_rounding) put(&w, " {er}");
    if (s->is_sae) put(&w, " {sae}");
    if (s->operand_width) put(&w, " {o"), put_number(&w, s->operand_width), put(&w, "}");
    if (needs_evex_mark(s)) put(&w, " {evex}");
    return !w.full;
}
