/* Lines of listings by Zydis, in Intel or AT&T syntax. */
#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"

bool ptl_x86_line(const uint8_t* bytes, size_t size, uint64_t address, bool att, ptl_line* out) {
    ZydisDecoder decoder;
    ZydisFormatter formatter;
    ZydisDecodedInstruction i;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisFormatterInit(&formatter, att ? ZYDIS_FORMATTER_STYLE_ATT : ZYDIS_FORMATTER_STYLE_INTEL);
    /* AT&T's text is for assemblers and other tools: what counts from rip stays an address of that kind. */
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL, att);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, &i, operands))) return false;
    if (!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &i, operands, i.operand_count_visible,
                                                      out->text, sizeof out->text, address, NULL)))
        return false;
    out->size = i.length;
    return true;
}
