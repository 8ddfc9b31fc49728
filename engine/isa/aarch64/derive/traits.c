#include "isa/aarch64/derive/traits.h"

#include <string.h>

#include "isa/aarch64/groups.h"

static bool starts(const char* text, const char* with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char* text, const char* with) {
    size_t n = strlen(text), m = strlen(with);
    return n >= m && strcmp(text + n - m, with) == 0;
}

/* Is the word one of a list that is separated by spaces? */
static bool among(const char* word, const char* list) {
    size_t n = strlen(word);
    for (const char* at = strstr(list, word); at; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0)) return true;
    return false;
}

bool ptl_trait_is_load(const char* m) {
    return starts(m, "ld") || starts(m, "prf");
}

bool ptl_trait_is_store(const char* m) {
    return starts(m, "st");
}

bool ptl_trait_has_status(const char* m) {
    return starts(m, "stx") || starts(m, "stlx");
}

bool ptl_trait_has_no_result(const char* m) {
    return among(m, "ccmp ccmn fcmp fcmpe fccmp fccmpe cbz cbnz tbz tbnz br blr ret msr sys");
}

/* Results that go into the upper half of a register whose lower half stays. */
static bool fills_upper_half(const char* m) {
    return ends(m, "n2") && strcmp(m, "trn2") != 0;
}

bool ptl_trait_updates(const char* m, const ptl_a64_form* f) {
    if (among(
            m,
            "movk bfm ins bsl bit bif mla mls fmla fmls smlal smlal2 umlal umlal2 smlsl smlsl2 umlsl umlsl2 "
            "sqdmlal sqdmlal2 sqdmlsl sqdmlsl2 saba uaba sabal sabal2 uabal uabal2 sadalp uadalp ssra usra "
            "srsra "
            "ursra sli sri tbx suqadd usqadd aese aesd sha1c sha1m sha1p sha1su0 sha1su1 sha256h sha256h2 "
            "sha256su0 sha256su1"))
        return true;
    bool has_vector_immediate = f->operand_count >= 2 && f->operands[0].class == PTL_A64_V &&
                                f->operands[1].kind == PTL_A64_IMMEDIATE;
    return fills_upper_half(m) || (has_vector_immediate && among(m, "orr bic"));
}

/* ---- flags */

static void fill_flags(const char* m, ptl_a64_form* f) {
    if (among(m, "adc sbc adcs sbcs")) f->flags_read = PTL_A64_FLAG_C;
    if (among(m, "csel csinc csinv csneg ccmp ccmn fcsel fccmp fccmpe b.cond")) f->flags_read = PTL_A64_FLAGS;
    bool is_integer = f->operand_count > 0 && f->operands[0].class <= PTL_A64_WSP;
    if (among(m, "adds subs adcs sbcs ands bics ccmp ccmn fcmp fcmpe fccmp fccmpe") &&
        (is_integer || starts(m, "fc")))
        f->flags_written = PTL_A64_FLAGS;
}

/* ---- branches, categories, features */

static uint8_t branch_of(const char* m) {
    if (among(m, "b br")) return PTL_A64_JUMP;
    if (among(m, "b.cond cbz cbnz tbz tbnz")) return PTL_A64_JUMP_IF;
    if (among(m, "bl blr")) return PTL_A64_CALL;
    return among(m, "ret eret drps") ? PTL_A64_RETURN : PTL_A64_NO_BRANCH;
}

static bool is_vector_form(const ptl_a64_form* f) {
    for (unsigned k = 0; k < f->operand_count; k++)
        if (f->operands[k].kind == PTL_A64_REGISTER && f->operands[k].class >= PTL_A64_B) return true;
    return false;
}

static uint8_t feature_of(const ptl_derived* d) {
    const char* m = d->mnemonic;
    if (starts(m, "aes")) return PTL_A64_FEATURE_AES;
    if (starts(m, "sha1")) return PTL_A64_FEATURE_SHA1;
    if (starts(m, "sha256")) return PTL_A64_FEATURE_SHA2;
    if (starts(m, "pmull") && d->form.operands[0].element_width == 128) return PTL_A64_FEATURE_PMULL;
    if (starts(m, "crc32")) return PTL_A64_FEATURE_CRC;
    if ((d->word & 0x0E000000) ==
        0x0E000000) /* opcodes of scalars with point have bits 28 set, 30 and 10 pairs */
        return (d->word & 0x5F000000) == 0x1E000000 || (d->word & 0x5F000000) == 0x1F000000
                   ? PTL_A64_FEATURE_FP
                   : PTL_A64_FEATURE_SIMD;
    if ((starts(m, "ld") || starts(m, "st")) && is_vector_form(&d->form))
        return d->form.operands[0].is_braced ? PTL_A64_FEATURE_SIMD : PTL_A64_FEATURE_FP;
    return PTL_A64_FEATURE_BASE;
}

static uint8_t category_of(const ptl_derived* d) {
    const char* m = d->mnemonic;
    if (ptl_trait_is_store(m)) return PTL_A64_CATEGORY_STORE;
    if (starts(m, "prf")) return PTL_A64_CATEGORY_PREFETCH;
    if (ptl_trait_is_load(m)) return PTL_A64_CATEGORY_LOAD;
    if (d->form.branch) return PTL_A64_CATEGORY_BRANCH;
    if ((d->word & 0xFF000000) == 0xD4000000) return PTL_A64_CATEGORY_EXCEPTION;
    if ((d->word & 0xFF000000) == 0xD5000000) return PTL_A64_CATEGORY_SYSTEM;
    switch (d->form.feature) {
    case PTL_A64_FEATURE_FP: return PTL_A64_CATEGORY_FP;
    case PTL_A64_FEATURE_SIMD: return PTL_A64_CATEGORY_SIMD;
    case PTL_A64_FEATURE_AES:
    case PTL_A64_FEATURE_SHA1:
    case PTL_A64_FEATURE_SHA2:
    case PTL_A64_FEATURE_PMULL: return PTL_A64_CATEGORY_CRYPTO;
    default: return PTL_A64_CATEGORY_INTEGER;
    }
}

/* ---- the width of memory */

static unsigned class_bits(const ptl_a64_operand* o) {
    static const uint8_t bits[PTL_A64_CLASSES] = {0, 64, 32, 64, 32, 8, 16, 32, 64, 128, 0};
    return o->class == PTL_A64_V ? (o->width ? o->width : o->element_width) : bits[o->class];
}

/* Bits of one transferred register, where the mnemonic tells them: ldrb, ldrsh, ldpsw. */
static unsigned told_bits(const char* m) {
    if (starts(m, "prf")) return 8;
    if (ends(m, "sw")) return 32;
    return ends(m, "b") ? 8 : ends(m, "h") ? 16 : 0;
}

static unsigned memory_bits(const ptl_derived* d) {
    unsigned bits = 0, told = told_bits(d->mnemonic);
    for (unsigned k = ptl_trait_has_status(d->mnemonic); k < d->form.operand_count; k++) {
        const ptl_a64_operand* o = &d->form.operands[k];
        if (o->kind == PTL_A64_MEMORY) break;
        if (o->kind != PTL_A64_REGISTER) continue;
        bool replicates =
            starts(d->mnemonic, "ld") && ends(d->mnemonic, "r") && o->is_braced; /* ld1r: one element */
        bits += o->list * (told ? told : replicates ? o->element_width : class_bits(o));
    }
    return bits ? bits : told;
}

void ptl_trait_fill(ptl_derived* d) {
    ptl_a64_form* f = &d->form;
    fill_flags(d->mnemonic, f);
    f->branch = branch_of(d->mnemonic);
    f->feature = feature_of(d);
    f->category = category_of(d);
    for (unsigned k = 0; k < f->operand_count; k++) {
        ptl_a64_operand* o = &f->operands[k];
        if (o->kind == PTL_A64_MEMORY) o->width = (uint16_t)memory_bits(d);
        if (o->kind == PTL_A64_REGISTER) o->width = (uint16_t)class_bits(o);
    }
}
