#include "isa/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <capstone/capstone.h>

#include "isa/architecture.h"

struct ptl_listing {
    csh handle;
    cs_insn* instruction;
    const ptl_architecture* architecture;
};

ptl_status ptl_listing_new(ptl_listing** out, const ptl_architecture* architecture, ptl_error* error) {
    *out = NULL;
    ptl_listing* l = calloc(1, sizeof *l);
    if (!l) return ptl_no_memory(error, "for a disassembler");
    l->architecture = architecture;
    cs_err status = cs_open((cs_arch)architecture->capstone_architecture,
                            (cs_mode)architecture->capstone_mode, &l->handle);
    if (status == CS_ERR_OK) l->instruction = cs_malloc(l->handle);
    if (!l->instruction) {
        ptl_listing_free(l);
        return ptl_fail(error, PTL_UNSUPPORTED, "Capstone", NULL, "no disassembler: %s",
                        status == CS_ERR_OK ? "no memory" : cs_strerror(status));
    }
    cs_option(l->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_INTEL);
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

static bool own_line(const ptl_listing* l, bool other_syntax, const uint8_t* bytes, size_t size,
                     uint64_t address, ptl_line* out) {
    return l->architecture->line && l->architecture->line(bytes, size, address, other_syntax, out);
}

/* One byte, or one word where instructions are words. */
static void no_instruction(const ptl_listing* l, const uint8_t* bytes, size_t size, ptl_line* out) {
    uint32_t word;
    out->size = 1;
    if (l->architecture->instruction_step != sizeof word || size < sizeof word) {
        snprintf(out->text, sizeof out->text, ".byte 0x%02x", bytes[0]);
        return;
    }
    memcpy(&word, bytes, sizeof word);
    snprintf(out->text, sizeof out->text, ".inst 0x%08x", (unsigned)word);
    out->size = sizeof word;
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
    } else if (!own_line(l, false, bytes, size, address, out)) {
        no_instruction(l, bytes, size, out);
    }
}

void ptl_listing_att_line(ptl_listing* l, const uint8_t* bytes, size_t size, uint64_t address,
                          ptl_line* out) {
    memset(out, 0, sizeof *out);
    if (!own_line(l, true, bytes, size, address, out)) no_instruction(l, bytes, size, out);
}

ptl_opinion ptl_listing_check(ptl_listing* l, const ptl_scheme* scheme, const uint8_t* bytes, size_t size,
                              ptl_line* theirs) {
    ptl_listing_line(l, bytes, size, 0, theirs);
    if (!*theirs->mnemonic) return PTL_UNKNOWN_TO_THEM;
    if (theirs->size != size) return PTL_OTHER_LENGTH;
    return strcmp(theirs->mnemonic, scheme->architecture->mnemonic_name(scheme->mnemonic))
               ? PTL_OTHER_MNEMONIC
               : PTL_SAME;
}
