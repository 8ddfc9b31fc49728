#include <string.h>

#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"

static ptl_status init(ZydisFormatter* formatter) {
    static const struct {
        ZydisFormatterProperty property;
        ZyanUPointer value;
    } settings[] = {
        {ZYDIS_FORMATTER_PROP_FORCE_SIZE, ZYAN_TRUE},
        {ZYDIS_FORMATTER_PROP_ADDR_SIGNEDNESS, ZYDIS_SIGNEDNESS_SIGNED},
        {ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL, ZYAN_TRUE},
        {ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE},
        {ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED},
    };
    if (!ZYAN_SUCCESS(ZydisFormatterInit(formatter, ZYDIS_FORMATTER_STYLE_INTEL))) return PTL_INTERNAL;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (!ZYAN_SUCCESS(ZydisFormatterSetProperty(formatter, settings[i].property, settings[i].value))) {
            return PTL_INTERNAL;
        }
    }
    return PTL_OK;
}

/* The manuals and LLVM set rounding off by a comma, Zydis does not: zmm3 {rn-sae} becomes zmm3, {rn-sae}. */
static void add_comma(char out[PTL_TEXT_SIZE]) {
    static const char* const words[] = {" {sae}", " {rn-sae}", " {rd-sae}", " {ru-sae}", " {rz-sae}"};
    size_t length = strlen(out);
    for (size_t i = 0; i < sizeof words / sizeof *words && length + 1 < PTL_TEXT_SIZE; i++) {
        char* at = strstr(out, words[i]);
        if (!at) continue;
        memmove(at + 1, at, strlen(at) + 1);
        *at = ',';
        return;
    }
}

ptl_status ptl_x86_format(const uint8_t* bytes, size_t size, char out[PTL_TEXT_SIZE], ptl_error* error) {
    ZydisDecoder decoder;
    ZydisFormatter formatter;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, &instruction, operands))) {
        return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "these bytes are no instruction");
    }
    /* As if the next instruction were at address 0: then a branch's target is its distance. */
    ZyanU64 address = (ZyanU64)0 - instruction.length;
    if (init(&formatter) || !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(
                                &formatter, &instruction, operands, instruction.operand_count_visible, out,
                                PTL_TEXT_SIZE, address, NULL))) {
        return ptl_fail(error, PTL_INTERNAL, NULL, NULL, "an instruction could not be formatted");
    }
    add_comma(out);
    return PTL_OK;
}
