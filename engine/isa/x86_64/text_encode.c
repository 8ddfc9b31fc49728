#include "isa/x86_64/text_encode.h"

#include <stdio.h>
#include <string.h>

#include "isa/x86_64/text_request.h"

/* Sizes of memory operands, in bytes. No instruction has both one of the usual ones (nor 6 and 10) and one of
 * the others. */
static const uint16_t memory_sizes[] = {1, 2, 4, 8, 16, 32, 64, 6, 10, 14, 24, 28, 48, 94, 108, 512, 576, 0};
#define USUAL_SIZES 9
#define MEMORY_SIZES (sizeof memory_sizes / sizeof *memory_sizes)

static const char* size_name(unsigned bytes) {
    switch (bytes) {
    case 1: return "byte";
    case 2: return "word";
    case 4: return "dword";
    case 6: return "fword";
    case 8: return "qword";
    case 10: return "tbyte";
    case 16: return "xmmword";
    case 32: return "ymmword";
    case 64: return "zmmword";
    default: return NULL;
    }
}

bool ptl_takes_label(ZydisMnemonic mnemonic) {
    const char* name = ZydisMnemonicGetString(mnemonic);
    return name[0] == 'j' || strncmp(name, "loop", 4) == 0 || mnemonic == ZYDIS_MNEMONIC_CALL ||
           mnemonic == ZYDIS_MNEMONIC_XBEGIN;
}

bool ptl_is_short_only(ZydisMnemonic mnemonic) {
    return mnemonic == ZYDIS_MNEMONIC_JRCXZ || mnemonic == ZYDIS_MNEMONIC_JECXZ ||
           mnemonic == ZYDIS_MNEMONIC_LOOP || mnemonic == ZYDIS_MNEMONIC_LOOPE ||
           mnemonic == ZYDIS_MNEMONIC_LOOPNE;
}

static int memory_index(const ptl_statement* s) {
    for (unsigned i = 0; i < s->operand_count; i++) {
        if (s->operands[i].kind == PTL_TEXT_MEMORY) return (int)i;
    }
    return -1;
}

/* Bits of the first operand: what an immediate like 0xff is relative to. */
static unsigned operand_bits(const ptl_statement* s, uint16_t memory_size) {
    if (s->operand_count == 0) return 64;
    const ptl_text_operand* first = &s->operands[0];
    if (first->kind == PTL_TEXT_MEMORY) return memory_size * 8u;
    if (first->kind != PTL_TEXT_REGISTER) return 64;
    return ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, first->reg);
}

/* Zydis wants immediates as the processor sees them: `add al, 255` is add al, -1; but shifts and shuffles
 * take 0 to 255. Turns the number into the other reading of the same bits; false if there is none. */
static bool other_sign(const ptl_statement* s, ptl_text_operand* number, uint16_t memory_size) {
    unsigned bits = operand_bits(s, memory_size);
    if (number->negative) { /* `pshufd xmm0, xmm1, -1`; but ret and enter take 16 bits */
        if (s->mnemonic == ZYDIS_MNEMONIC_RET || s->mnemonic == ZYDIS_MNEMONIC_ENTER) return false;
        if (number->number == 0 || number->number > 128) return false;
        number->number = 256 - number->number;
        number->negative = false;
        return true;
    }
    if (bits == 0 || bits >= 64 || number->number >> bits != 0 || number->number >> (bits - 1) == 0)
        return false;
    number->number = (1ull << bits) - number->number;
    number->negative = true;
    return true;
}

/* What was encoded must decode to the same mnemonic in the same length: the encoder is not believed blindly.
 */
static bool is_sound(const ptl_statement* s, const uint8_t* code, size_t n) {
    ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, code, n, &instruction))) return false;
    return instruction.mnemonic == s->mnemonic && instruction.length == n;
}

static bool try_encode(const ptl_statement* s, const ptl_branch* branch, uint16_t memory_size, bool with_mask,
                       uint8_t* out, size_t* n) {
    ZydisEncoderRequest request;
    if (!ptl_build_request(s, branch, memory_size, with_mask, &request)) return false;
    *n = PTL_TEXT_CODE;
    return ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(&request, out, n)) && is_sound(s, out, *n);
}

/* Most EVEX instructions have a mask operand, but compares and conversions of scalars do not; where VEX and
 * EVEX both exist, VEX is shorter. */
static bool try_masks(const ptl_statement* s, const ptl_branch* branch, uint16_t memory_size, uint8_t* out,
                      size_t* n) {
    bool evex = ptl_needs_evex(s);
    if (try_encode(s, branch, memory_size, evex, out, n)) return true;
    if (s->mask != ZYDIS_REGISTER_NONE || s->zeroing || ZydisMnemonicGetString(s->mnemonic)[0] != 'v')
        return false;
    return try_encode(s, branch, memory_size, !evex, out, n);
}

/* As written, and with the immediate's sign read the other way. */
static bool try_signs(const ptl_statement* s, const ptl_branch* branch, uint16_t memory_size, uint8_t* out,
                      size_t* n) {
    if (try_masks(s, branch, memory_size, out, n)) return true;
    ptl_statement other = *s;
    for (unsigned i = 0; i < s->operand_count; i++) {
        if (s->operands[i].kind != PTL_TEXT_NUMBER || !other_sign(s, &other.operands[i], memory_size))
            continue;
        return try_masks(&other, branch, memory_size, out, n);
    }
    return false;
}

/* Assemblers take these as 64 bit unless told otherwise. */
static bool is_64_by_default(ZydisMnemonic m) {
    return m == ZYDIS_MNEMONIC_PUSH || m == ZYDIS_MNEMONIC_POP || m == ZYDIS_MNEMONIC_CALL ||
           m == ZYDIS_MNEMONIC_JMP;
}

/* All sizes that fit, as a bit set over memory_sizes; the shortest code is in out, *alike says whether all
 * sizes gave the same. */
static unsigned fitting_sizes(const ptl_statement* s, uint8_t* out, size_t* n, bool* alike) {
    unsigned fitting = 0;
    *alike = true;
    *n = PTL_TEXT_CODE + 1;
    for (size_t i = 0; i < MEMORY_SIZES && (i < USUAL_SIZES || !fitting); i++) {
        uint8_t code[PTL_TEXT_CODE];
        size_t length;
        if (!try_signs(s, NULL, memory_sizes[i], code, &length)) continue;
        if (fitting && (length != *n || memcmp(code, out, length) != 0)) *alike = false;
        fitting |= 1u << i;
        if (length >= *n) continue;
        memcpy(out, code, length);
        *n = length;
    }
    return fitting;
}

/* Any size may be stated: of a cache line, of what is not accessed at all. (And of a gather: one element or
 * the whole vector.) */
static bool is_loose(ZydisMnemonic m) {
    return m == ZYDIS_MNEMONIC_LEA || m == ZYDIS_MNEMONIC_CLFLUSH || m == ZYDIS_MNEMONIC_CLFLUSHOPT ||
           m == ZYDIS_MNEMONIC_CLWB || m == ZYDIS_MNEMONIC_CLDEMOTE || m == ZYDIS_MNEMONIC_PREFETCH ||
           m == ZYDIS_MNEMONIC_PREFETCHW || m == ZYDIS_MNEMONIC_PREFETCHNTA ||
           m == ZYDIS_MNEMONIC_PREFETCHT0 || m == ZYDIS_MNEMONIC_PREFETCHT1 ||
           m == ZYDIS_MNEMONIC_PREFETCHT2 || m == ZYDIS_MNEMONIC_PREFETCHWT1;
}

typedef enum outcome { ENCODED, REFUSED, AMBIGUOUS, WRONG_SIZE } outcome;

static bool can_be_stated(unsigned fitting) {
    for (size_t i = 0; i < MEMORY_SIZES; i++) {
        if ((fitting >> i & 1) && size_name(memory_sizes[i])) return true;
    }
    return false;
}

/* *fitting: for the message of the last two. */
static outcome try_sizes(const ptl_statement* s, const ptl_branch* branch, uint8_t* out, size_t* n,
                         unsigned* fitting) {
    int at = memory_index(s);
    if (at < 0) return try_signs(s, branch, 0, out, n) ? ENCODED : REFUSED;
    const ptl_text_operand* memory = &s->operands[at];
    uint16_t size = memory->size;
    if (size == 0 && is_64_by_default(s->mnemonic)) size = 8;
    if (size && try_signs(s, branch, size, out, n)) return ENCODED;
    bool alike;
    *fitting = fitting_sizes(s, out, n, &alike);
    if (*fitting == 0) return REFUSED;
    /* sizes that have no keyword cannot be stated: fnsave is then the shorter one */
    if (memory->size == 0) return alike || !can_be_stated(*fitting) ? ENCODED : AMBIGUOUS;
    return alike && (ptl_is_vector_register(memory->index) || is_loose(s->mnemonic)) ? ENCODED : WRONG_SIZE;
}

/* Operands that other assemblers write and Zydis implies, or the reverse. True if *s was changed. */
static bool other_shape(ptl_statement* s) {
    ptl_text_operand* o = s->operands;
    unsigned n = s->operand_count;
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_SHL:
    case ZYDIS_MNEMONIC_SHR:
    case ZYDIS_MNEMONIC_SAR:
    case ZYDIS_MNEMONIC_ROL:
    case ZYDIS_MNEMONIC_ROR:
    case ZYDIS_MNEMONIC_RCL:
    case ZYDIS_MNEMONIC_RCR: /* shl rax */
        if (n != 1) return false;
        o[s->operand_count++] = (ptl_text_operand){.kind = PTL_TEXT_NUMBER, .start = s->start, .number = 1};
        return true;
    case ZYDIS_MNEMONIC_IMUL: /* imul rax, 10 */
        if (n != 2 || o[1].kind != PTL_TEXT_NUMBER) return false;
        o[2] = o[1];
        o[1] = o[0];
        s->operand_count = 3;
        return true;
    case ZYDIS_MNEMONIC_MOVSX: /* movsx rax, ecx */ s->mnemonic = ZYDIS_MNEMONIC_MOVSXD; return true;
    case ZYDIS_MNEMONIC_XCHG: /* xchg rcx, [rax] */
        if (n != 2 || o[1].kind != PTL_TEXT_MEMORY) return false;
        o[2] = o[0], o[0] = o[1], o[1] = o[2];
        return true;
    default: break;
    }
    if (n == 3 && o[2].reg == ZYDIS_REGISTER_XMM0) return s->operand_count = 2, 1; /* blendvps a, b, xmm0 */
    bool is_string = n >= 1 && n <= 2 && (o[0].kind == PTL_TEXT_MEMORY || o[n - 1].kind == PTL_TEXT_MEMORY);
    for (unsigned i = 0; i < n; i++) {
        ZydisRegister base = o[i].base;
        is_string &= o[i].kind != PTL_TEXT_MEMORY || base == ZYDIS_REGISTER_RSI || base == ZYDIS_REGISTER_RDI;
    }
    return is_string ? s->operand_count = 0, 1 : 0; /* movsb byte ptr [rdi], byte ptr [rsi] */
}

/* Would it be encoded with other prefixes, or with another number? Then that is what is wrong. */
static ptl_status explain_refusal(ptl_lexer* lexer, const ptl_statement* s) {
    const char* name = ZydisMnemonicGetString(s->mnemonic);
    uint8_t code[PTL_TEXT_CODE];
    size_t n;
    unsigned ignored;
    ptl_statement other = *s;
    other.prefixes = 0;
    if (s->prefixes && try_sizes(&other, NULL, code, &n, &ignored) != REFUSED) {
        return ptl_lexer_fail(lexer, s->start, "remove the prefix; lock needs a memory destination",
                              "'%s' does not take this prefix with these operands", name);
    }
    for (unsigned i = 0; i < s->operand_count; i++) {
        if (s->operands[i].kind != PTL_TEXT_NUMBER) continue;
        other = *s;
        other.operands[i].number = 1;
        other.operands[i].negative = false;
        if (try_sizes(&other, NULL, code, &n, &ignored) == REFUSED) continue;
        return ptl_lexer_fail(lexer, s->operands[i].start, "use a smaller number",
                              "the number does not fit into '%s' with these operands", name);
    }
    char forms[160], mend[190] = "it does not exist in 64-bit mode";
    ptl_describe_forms(s->mnemonic, s->operand_count, forms, sizeof forms);
    if (forms[0]) snprintf(mend, sizeof mend, "forms: %s", forms);
    return ptl_lexer_fail(lexer, s->start, mend, "'%s' does not take these operands", name);
}

static ptl_status explain(ptl_lexer* lexer, const ptl_statement* s, outcome why, unsigned fitting) {
    const char* name = ZydisMnemonicGetString(s->mnemonic);
    char forms[160], mend[190];
    if (why == REFUSED) return explain_refusal(lexer, s);
    size_t used = 0;
    forms[0] = '\0';
    for (size_t i = 0; i < MEMORY_SIZES; i++) {
        if (!(fitting >> i & 1) || !size_name(memory_sizes[i])) continue;
        used += (size_t)snprintf(forms + used, sizeof forms - used, "%s%s ptr", used ? " or " : "",
                                 size_name(memory_sizes[i]));
    }
    snprintf(mend, sizeof mend, "write %s [...]", forms);
    const char* at = s->operands[memory_index(s)].start;
    if (why == WRONG_SIZE)
        return ptl_lexer_fail(lexer, at, mend, "'%s' has no memory operand of this size", name);
    return ptl_lexer_fail(lexer, at, mend, "the size of the memory operand is ambiguous");
}

static ptl_status check_labels(ptl_lexer* lexer, const ptl_statement* s) {
    for (unsigned i = 0; i < s->operand_count; i++) {
        const ptl_text_operand* o = &s->operands[i];
        if (o->kind != PTL_TEXT_LABEL || (ptl_takes_label(s->mnemonic) && s->operand_count == 1)) continue;
        char shown[32];
        return ptl_lexer_fail(lexer, o->label, "write registers like rax, r8d, cl, xmm1, k1",
                              "unknown register '%s'", ptl_token_show(o->label, o->label_length, shown));
    }
    return PTL_OK;
}

ptl_status ptl_encode_statement(ptl_lexer* lexer, const ptl_statement* statement, const ptl_branch* branch,
                                uint8_t out[PTL_TEXT_CODE], size_t* n) {
    ptl_status status = check_labels(lexer, statement);
    if (status) return status;
    unsigned fitting = 0;
    outcome result = try_sizes(statement, branch, out, n, &fitting);
    if (result == ENCODED) return PTL_OK;
    ptl_statement other = *statement;
    unsigned ignored;
    if (result != AMBIGUOUS && other_shape(&other) &&
        try_sizes(&other, branch, out, n, &ignored) == ENCODED) {
        return PTL_OK;
    }
    return explain(lexer, statement, result, fitting);
}
