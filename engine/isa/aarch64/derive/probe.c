#include "isa/aarch64/derive/probe.h"

#include <string.h>

bool ptl_probe_open(ptl_probe* p) {
    memset(p, 0, sizeof *p);
    if (cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &p->handle)) return false;
    cs_option(p->handle, CS_OPT_DETAIL, CS_OPT_ON);
    p->instruction = cs_malloc(p->handle);
    if (!p->instruction) cs_close(&p->handle);
    return p->instruction != NULL;
}

void ptl_probe_close(ptl_probe* p) {
    cs_free(p->instruction, 1);
    cs_close(&p->handle);
}

bool ptl_probe_decode(ptl_probe* p, uint32_t word) {
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                              (uint8_t)(word >> 24)};
    const uint8_t* at = bytes;
    size_t size = 4;
    uint64_t address = 0;
    p->asked++;
    return cs_disasm_iter(p->handle, &at, &size, &address, p->instruction);
}

/* Encodings that Capstone prints under another name, whatever their operands are. */
static const struct {
    uint32_t mask, value;
    const char* mnemonic;
} aliases[] = {
    {0x7FE0FC00, 0x1AC02000, "lslv"}, {0x7FE0FC00, 0x1AC02400, "lsrv"}, {0x7FE0FC00, 0x1AC02800, "asrv"},
    {0x7FE0FC00, 0x1AC02C00, "rorv"}, {0xBFFFFC00, 0x2E205800, "not"},  {0xBFE0FC00, 0x0E003C00, "umov"},
    {0xFFE0FC00, 0x5E000400, "dup"},  {0xFFE08400, 0x6E000400, "ins"},
};

bool ptl_probe_shape(ptl_probe* p, uint32_t word, ptl_shape* out) {
    if (!ptl_probe_decode(p, word) ||
        !ptl_shape_read(p->instruction->mnemonic, p->instruction->op_str, out, NULL))
        return false;
    for (size_t k = 0; k < sizeof aliases / sizeof *aliases; k++)
        if ((word & aliases[k].mask) == aliases[k].value) strcpy(out->mnemonic, aliases[k].mnemonic);
    return true;
}
