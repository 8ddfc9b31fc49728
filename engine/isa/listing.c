#include "isa/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <capstone/capstone.h>

struct ptl_listing {
    csh handle;
    cs_insn* instruction;
    ZydisDecoder decoder;
    ZydisFormatter formatter;
    ZydisFormatter att;
};

ptl_status ptl_listing_new(ptl_listing** out, ptl_error* error) {
    *out = NULL;
    ptl_listing* l = calloc(1, sizeof *l);
    if (!l) return ptl_no_memory(error, "for a disassembler");
    cs_err status = cs_open(CS_ARCH_X86, CS_MODE_64, &l->handle);
    if (status == CS_ERR_OK) l->instruction = cs_malloc(l->handle);
    if (!l->instruction) {
        ptl_listing_free(l);
        return ptl_fail(error, PTL_UNSUPPORTED, "Capstone", NULL, "no disassembler: %s",
                        status == CS_ERR_OK ? "no memory" : cs_strerror(status));
    }
    cs_option(l->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_INTEL);
    ZydisDecoderInit(&l->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisFormatterInit(&l->formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterInit(&l->att, ZYDIS_FORMATTER_STYLE_ATT);
    *out = l;
    return PTL_OK;
}

void ptl_listing_free(ptl_listing* l) {
    if (!l) return;
    if (l->instruction) cs_free(l->instruction, 1);
    if (l->handle) cs_close(&l->handle);
    free(l);
}

/* Capstone 4 writes prefixes into the mnemonic: "lock add". */
static const char* without_prefixes(const char* mnemonic) {
    const char* space = strrchr(mnemonic, ' ');
    return space ? space + 1 : mnemonic;
}

static bool line_by_zydis(const ptl_listing* l, const ZydisFormatter* formatter, const uint8_t* bytes,
                          size_t size, uint64_t address, ptl_line* out) {
    ZydisDecodedInstruction i;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&l->decoder, bytes, size, &i, operands))) return false;
    if (!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(formatter, &i, operands, i.operand_count_visible,
                                                      out->text, sizeof out->text, address, NULL)))
        return false;
    out->size = i.length;
    return true;
}

static void no_instruction(const uint8_t* bytes, ptl_line* out) {
    snprintf(out->text, sizeof out->text, ".byte 0x%02x", bytes[0]);
    out->size = 1;
}

void ptl_listing_line(ptl_listing* l, const uint8_t* bytes, size_t size, uint64_t address, ptl_line* out) {
    memset(out, 0, sizeof *out);
    const uint8_t* code = bytes;
    size_t left = size;
    if (cs_disasm_iter(l->handle, &code, &left, &address, l->instruction)) {
        const cs_insn* i = l->instruction;
        snprintf(out->mnemonic, sizeof out->mnemonic, "%s", without_prefixes(i->mnemonic));
        snprintf(out->text, sizeof out->text, "%s%s%s", i->mnemonic, *i->op_str ? " " : "", i->op_str);
        out->size = i->size;
    } else if (!line_by_zydis(l, &l->formatter, bytes, size, address, out)) {
        no_instruction(bytes, out);
    }
}

void ptl_listing_att_line(ptl_listing* l, const uint8_t* bytes, size_t size, uint64_t address,
                          ptl_line* out) {
    memset(out, 0, sizeof *out);
    if (!line_by_zydis(l, &l->att, bytes, size, address, out)) no_instruction(bytes, out);
}

ptl_opinion ptl_listing_check(ptl_listing* l, const ptl_scheme* scheme, const uint8_t* bytes, size_t size,
                              ptl_line* theirs) {
    ptl_listing_line(l, bytes, size, 0, theirs);
    if (!*theirs->mnemonic) return PTL_UNKNOWN_TO_THEM;
    if (theirs->size != size) return PTL_OTHER_LENGTH;
    return strcmp(theirs->mnemonic, ZydisMnemonicGetString(scheme->mnemonic)) ? PTL_OTHER_MNEMONIC : PTL_SAME;
}
