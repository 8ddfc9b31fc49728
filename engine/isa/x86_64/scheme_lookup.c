/* From a name to its scheme without a catalogue: read the name as far as the encoder needs it, encode a
 * sample, decode it, and see whether the result bears the name. A test holds all names to that. */
#include <string.h>

#include "isa/x86_64/encoder_request.h"
#include "isa/x86_64/x86_64.h"

typedef struct reader {
    const char* at;
    ptl_operand_kind kind_of_m; /* of a plain m: an address, or memory of unknown size */
} reader;

static bool take(reader* r, const char* word) {
    size_t n = strlen(word);
    if (strncmp(r->at, word, n) != 0) return false;
    r->at += n;
    return true;
}

static bool take_number(reader* r, unsigned* out) {
    if (*r->at < '0' || *r->at > '9') return false;
    unsigned n = 0;
    for (; *r->at >= '0' && *r->at <= '9' && n < 100000; r->at++) n = 10 * n + (unsigned)(*r->at - '0');
    *out = n;
    return true;
}

static uint8_t read_prefixes(reader* r) {
    static const char* const words[8] = {"lock ", "rep ",     "repe ",     "repne ",
                                         "bnd ",  "notrack ", "xacquire ", "xrelease "};
    uint8_t prefixes = 0;
    for (unsigned k = 8; k-- > 0;)
        if (take(r, words[k])) prefixes |= (uint8_t)(1u << k);
    return prefixes;
}

/* Zydis numbers mnemonics in the order of their names (a test holds it to that). */
static ZydisMnemonic find_mnemonic(const char* name, size_t length) {
    unsigned low = 1, high = ZYDIS_MNEMONIC_MAX_VALUE + 1;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        const char* candidate = ZydisMnemonicGetString((ZydisMnemonic)middle);
        int order = strncmp(candidate, name, length);
        if (order == 0 && candidate[length]) order = 1;
        if (order == 0) return (ZydisMnemonic)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return ZYDIS_MNEMONIC_INVALID;
}

static bool read_mnemonic(reader* r, ptl_scheme* s) {
    size_t n = strcspn(r->at, " ");
    s->mnemonic = (uint16_t)find_mnemonic(r->at, n);
    r->at += n;
    return s->mnemonic != ZYDIS_MNEMONIC_INVALID;
}

static bool read_class(reader* r, ptl_operand* o) {
    size_t n = strcspn(r->at, ",+{[] ");
    for (unsigned c = PTL_NO_CLASS; c <= PTL_OTHER; c++) {
        const char* symbol = ptl_register_class_symbol((ptl_register_class)c);
        if (!symbol || strlen(symbol) != n || strncmp(symbol, r->at, n) != 0) continue;
        o->register_class = (uint8_t)c;
        r->at += n;
        return true;
    }
    return false;
}

static bool read_fixed(reader* r, ptl_operand* o) {
    size_t n = strcspn(r->at, ", ");
    for (unsigned k = 1; k <= ZYDIS_REGISTER_MAX_VALUE; k++) {
        const char* name = ZydisRegisterGetString((ZydisRegister)k);
        if (!name || strlen(name) != n || strncmp(name, r->at, n) != 0) continue;
        o->fixed = (uint16_t)k;
        o->visibility = PTL_IMPLICIT;
        r->at += n;
        return true;
    }
    return false;
}

static void read_broadcast(reader* r, ptl_operand* o) {
    static const char* const words[] = {"{1to2}", "{1to4}", "{1to8}",  "{1to16}", "{1to32}", "{1to64}",
                                        "{2to4}", "{2to8}", "{2to16}", "{4to8}",  "{4to16}", "{8to16}"};
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        if (take(r, words[k])) o->broadcast = (uint8_t)(ZYDIS_BROADCAST_MODE_1_TO_2 + k);
}

/* m64, m64{1to8}, m32[ymm], moffs8, mib192, m */
static bool read_memory(reader* r, ptl_operand* o) {
    o->kind = PTL_MEMORY;
    if (take(r, "moffs"))
        o->is_moffs = true;
    else if (take(r, "mib"))
        o->is_mib = true;
    else if (!take(r, "m"))
        return false;
    unsigned width = 0;
    if (take_number(r, &width)) {
        if (width > UINT16_MAX) return false;
        o->width = (uint16_t)width;
    } else
        o->kind = (uint8_t)r->kind_of_m;
    if (take(r, "[") && !(read_class(r, o) && take(r, "]"))) return false;
    read_broadcast(r, o);
    return strchr(", {", *r->at) != NULL;
}

/* imm8, rel32; an immediate of four bits is the free half of a byte that names a register. */
static bool read_number_in_code(reader* r, const char* word, ptl_operand_kind kind, ptl_operand* o) {
    reader start = *r;
    unsigned n;
    if (take(r, word) && take_number(r, &n) && (n == 4 || n == 8 || n == 16 || n == 32 || n == 64))
        return o->kind = (uint8_t)kind, o->width = (uint16_t)n, true;
    *r = start;
    return false;
}

static bool read_operand(reader* r, ptl_operand* o) {
    unsigned n;
    o->source_count = 1;
    if (read_number_in_code(r, "imm", PTL_IMMEDIATE, o) || read_number_in_code(r, "rel", PTL_RELATIVE, o))
        return true;
    reader start = *r;
    if (take_number(r, &n) && n < 128)
        return o->kind = PTL_IMMEDIATE, o->has_constant = true, o->constant = (int8_t)n, true;
    *r = start;
    o->kind = PTL_REGISTER;
    if (read_class(r, o)) {
        if (take(r, "+") && take_number(r, &n)) {
            if (n >= UINT8_MAX) return false;
            o->source_count = (uint8_t)(n + 1);
        }
        return true;
    }
    *r = start;
    if (read_fixed(r, o)) return true;
    *r = start;
    return read_memory(r, o);
}

/* {k} and {z} stand behind the operand that they mask; the mask is an operand of its own. */
static bool read_mask(reader* r, ptl_scheme* s) {
    if (!take(r, "{k}")) return true;
    s->is_masked = true;
    s->is_zeroing = take(r, "{z}");
    if (s->visible_count == PTL_OPERANDS_MAX) return false;
    s->operands[s->visible_count++] =
        (ptl_operand){.kind = PTL_REGISTER, .register_class = PTL_MASK, .is_mask = true, .source_count = 1};
    return true;
}

static bool read_operands(reader* r, ptl_scheme* s) {
    if (!*r->at || !strncmp(r->at, " {", 2)) return true;
    if (!take(r, " ")) return false;
    do {
        if (s->visible_count == PTL_OPERANDS_MAX || !read_operand(r, &s->operands[s->visible_count]))
            return false;
        s->visible_count++;
        if (!read_mask(r, s)) return false;
    } while (take(r, ", "));
    return true;
}

static bool read_suffixes(reader* r, ptl_scheme* s) {
    unsigned n;
    s->is_rounding = take(r, " {er}");
    s->is_sae = take(r, " {sae}");
    if (take(r, " {o")) {
        if (!take_number(r, &n) || !take(r, "}")) return false;
        s->operand_width = (uint8_t)n;
    }
    take(r, " {evex}");
    return *r->at == 0;
}

/* EVEX schemes, and only they, show a zmm register or braces other than those of the operand size. */
static bool shows_evex(const char* name) {
    const char* brace = strchr(name, '{');
    return strstr(name, "zmm") || (brace && brace[1] != 'o');
}

/* Reads what the name tells: everything the encoder has to know but for the encoding itself. */
static bool read_name(const char* name, ptl_operand_kind kind_of_m, ptl_scheme* s) {
    reader r = {.at = name, .kind_of_m = kind_of_m};
    memset(s, 0, sizeof *s);
    s->prefixes = read_prefixes(&r);
    if (!read_mnemonic(&r, s)) return false;
    bool is_far = take(&r, " far");
    if (!read_operands(&r, s) || !read_suffixes(&r, s)) return false;
    bool is_evex = shows_evex(name);
    s->encoding = is_evex ? PTL_EVEX : *name == 'v' ? PTL_VEX : PTL_LEGACY;
    s->unmasked_slot = is_evex && !s->is_masked;
    s->branch_type = is_far ? ZYDIS_BRANCH_TYPE_FAR : ZYDIS_BRANCH_TYPE_NONE;
    return true;
}

static bool sample_has_name(const ptl_instance* sample, unsigned allowed, unsigned way, const char* name,
                            ptl_scheme* out) {
    ZydisEncoderRequest request;
    uint8_t bytes[ZYDIS_MAX_INSTRUCTION_LENGTH];
    ZyanUSize length = sizeof bytes;
    ptl_instance back;
    size_t n;
    if (!ptl_encoder_request_build(sample, allowed, way, &request)) return false;
    if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(&request, bytes, &length))) return false;
    if (ptl_x86_decode(bytes, length, &back, &n, NULL) || strcmp(back.scheme.name, name) != 0) return false;
    *out = back.scheme;
    return true;
}

/* Legacy, VEX, XOP, 3DNow! and EVEX samples have the same operands but for the registers above 15. */
static bool find_by_sample(const char* name, ptl_operand_kind kind_of_m, ptl_scheme* out) {
    ptl_instance sample;
    if (!read_name(name, kind_of_m, &sample.scheme)) return false;
    unsigned others = ZYDIS_ENCODABLE_ENCODING_LEGACY | ZYDIS_ENCODABLE_ENCODING_3DNOW |
                      ZYDIS_ENCODABLE_ENCODING_XOP | ZYDIS_ENCODABLE_ENCODING_VEX;
    unsigned allowed = sample.scheme.encoding == PTL_EVEX ? ZYDIS_ENCODABLE_ENCODING_EVEX : others;
    ptl_x86_sample(&sample.scheme, 0, &sample);
    for (unsigned way = 0; way < PTL_ENCODER_REQUEST_WAYS; way++)
        if (sample_has_name(&sample, allowed, way, name, out)) return true;
    return false;
}

bool ptl_x86_scheme_from_name(const char* name, ptl_scheme* out) {
    return find_by_sample(name, PTL_ADDRESS, out) || find_by_sample(name, PTL_MEMORY, out);
}
