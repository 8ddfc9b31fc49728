#include "isa/aarch64/derive/emit_forms.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

static unsigned sort_mnemonics(const ptl_derivation* d, const char** list) {
    unsigned count = 0;
    for (unsigned k = 0; k < d->count; k++) list[k] = d->forms[k].mnemonic;
    qsort(list, d->count, sizeof *list, ptl_ascending_texts);
    for (unsigned k = 0; k < d->count; k++)
        if (k == 0 || strcmp(list[k], list[count - 1]) != 0) list[count++] = list[k];
    return count;
}

static unsigned number_of(const char* const* list, unsigned count, const char* mnemonic) {
    const char* const* found = bsearch(&mnemonic, list, count, sizeof *list, ptl_ascending_texts);
    return found ? (unsigned)(found - list) + 1 : 0;
}

static void emit_field(FILE* out, const ptl_a64_field* f) {
    if (f->coding == PTL_A64_NO_FIELD) {
        fputs("{0}", out);
        return;
    }
    fprintf(out, "{%u,%u,%d,%d,%d,%u,{", f->coding, f->piece_count, f->is_signed, f->bias, f->step, f->last);
    for (unsigned p = 0; p < f->piece_count; p++)
        fprintf(out, "{%u,%u},", f->pieces[p].first, f->pieces[p].count);
    fputs("}}", out);
}

static void emit_operand(FILE* out, const ptl_a64_operand* o) {
    fprintf(out, "{%u,%u,%u,%u,%u,%u,%d,%u,%u,%d,%d,%d,%d,{", o->kind, o->access, o->class, o->element_width,
            o->width, o->list, o->is_braced, o->modifier, o->writeback, o->is_literal, o->has_constant,
            o->has_amount, o->constant);
    for (unsigned part = 0; part < PTL_A64_PARTS; part++) {
        if (part) fputc(',', out);
        emit_field(out, &o->fields[part]);
    }
    fputs("}},", out);
}

static void emit_form(FILE* out, const ptl_a64_form* f, unsigned mnemonic) {
    fprintf(out, "{\"%s\",0x%08x,0x%08x,%u,%u,%u,%u,%u,%u,%u,{", f->name, f->mask, f->value, mnemonic,
            f->operand_count, f->branch, f->flags_read, f->flags_written, f->category, f->feature);
    if (f->operand_count == 0) fputs("{0}", out);
    for (unsigned k = 0; k < f->operand_count; k++) emit_operand(out, &f->operands[k]);
    fputs("}},\n", out);
}

/* Forms with more fixed bits first: add x, x, x before add x, x, x, lsl imm6. */
static int by_mask(const ptl_derivation* d, unsigned a, unsigned b) {
    return __builtin_popcount(d->forms[b].form.mask) - __builtin_popcount(d->forms[a].form.mask);
}

static unsigned fill_bucket(const ptl_derivation* d, uint32_t bucket, uint16_t* list) {
    unsigned count = 0;
    for (unsigned k = 0; k < d->count; k++) {
        const ptl_a64_form* f = &d->forms[k].form;
        if (((bucket << 21 ^ f->value) & f->mask & 0xFFE00000) != 0) continue;
        unsigned at = count++;
        while (at > 0 && by_mask(d, list[at - 1], k) > 0) {
            list[at] = list[at - 1];
            at--;
        }
        list[at] = (uint16_t)k;
    }
    return count;
}

static void emit_buckets(const ptl_derivation* d, uint16_t* list, uint32_t* begins, FILE* out) {
    uint32_t used = 0;
    fputs("const uint16_t ptl_a64_bucket_forms[] = {\n", out);
    for (uint32_t bucket = 0; bucket < PTL_A64_BUCKETS; bucket++) {
        unsigned count = fill_bucket(d, bucket, list);
        begins[bucket] = used;
        for (unsigned k = 0; k < count; k++) fprintf(out, "%u,%s", list[k], ++used % 32 ? "" : "\n");
    }
    fprintf(out, "};\nconst uint32_t ptl_a64_buckets[] = {\n");
    for (uint32_t bucket = 0; bucket < PTL_A64_BUCKETS; bucket++)
        fprintf(out, "%u,%s", begins[bucket], bucket % 16 == 15 ? "\n" : "");
    fprintf(out, "%u};\n", used);
}

bool ptl_emit(const ptl_derivation* d, FILE* out) {
    const char** mnemonics = calloc(d->count + 1, sizeof *mnemonics);
    uint16_t* list = calloc(d->count + 1, sizeof *list);
    uint32_t* begins = calloc(PTL_A64_BUCKETS, sizeof *begins);
    bool done = mnemonics && list && begins;
    if (done) {
        unsigned count = sort_mnemonics(d, mnemonics);
        fputs(
            "/* Made by isa/aarch64/derive from what Capstone decodes. */\n#include \"isa/aarch64/form.h\"\n",
            out);
        fputs("const ptl_a64_form ptl_a64_forms[] = {\n", out);
        for (unsigned k = 0; k < d->count; k++)
            emit_form(out, &d->forms[k].form, number_of(mnemonics, count, d->forms[k].mnemonic));
        fprintf(out, "};\nconst unsigned ptl_a64_form_count = %u;\n", d->count);
        fputs("const char* const ptl_a64_mnemonics[] = {\"\",\n", out);
        for (unsigned k = 0; k < count; k++) fprintf(out, "\"%s\",\n", mnemonics[k]);
        fprintf(out, "};\nconst unsigned ptl_a64_mnemonic_count = %u;\n", count + 1);
        emit_buckets(d, list, begins, out);
    }
    free(mnemonics);
    free(list);
    free(begins);
    return done && !ferror(out);
}
