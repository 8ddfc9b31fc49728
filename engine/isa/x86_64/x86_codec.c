#include <string.h>

#include "isa/x86_64/encoder_request.h"
#include "isa/x86_64/x86_64.h"
#include "isa/x86_64/x86_scheme.h"

/* ---- decoding */

static void take_value(const ZydisDecodedOperand* from, ptl_value* to) {
    switch (from->type) {
    case ZYDIS_OPERAND_TYPE_REGISTER: to->reg = (uint16_t)from->reg.value; break;
    case ZYDIS_OPERAND_TYPE_IMMEDIATE: to->number = from->imm.value.s; break;
    case ZYDIS_OPERAND_TYPE_MEMORY:
        to->base = (uint16_t)from->mem.base;
        to->index = (uint16_t)from->mem.index;
        to->scale = from->mem.index ? from->mem.scale : 0;
        to->number = from->mem.disp.has_displacement ? from->mem.disp.value : 0;
        if (from->mem.segment == ZYDIS_REGISTER_FS || from->mem.segment == ZYDIS_REGISTER_GS)
            to->segment = (uint16_t)from->mem.segment;
        break;
    default: break;
    }
}

static void take_values(const ZydisDecodedOperand* operands, ptl_instance* out) {
    memset(out->values, 0, sizeof out->values);
    unsigned from = 0;
    for (unsigned k = 0; k < out->scheme.visible_count; k++, from++) {
        if (k == out->scheme.unmasked_slot && k > 0) from++;
        take_value(&operands[from], &out->values[k]);
    }
}

ptl_status ptl_x86_decode(const uint8_t* bytes, size_t size, ptl_instance* out, size_t* n, ptl_error* error) {
    ZydisDecoder decoder;
    ZydisDecodedInstruction i;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZyanStatus status = ZydisDecoderDecodeFull(&decoder, bytes, size, &i, operands);
    if (status == ZYDIS_STATUS_NO_MORE_DATA)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "append the missing bytes",
                        "the last instruction is cut short");
    if (!ZYAN_SUCCESS(status))
        return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "the bytes are no instruction of 64-bit mode");
    if (!ptl_scheme_from_decoded(&i, operands, &out->scheme))
        return ptl_fail(error, PTL_UNSUPPORTED, ZydisMnemonicGetString(i.mnemonic),
                        "see docs/scheme-names.md", "this form of the instruction is no scheme");
    out->rounding = out->scheme.is_rounding ? (uint8_t)i.avx.rounding.mode : 0;
    take_values(operands, out);
    *n = i.length;
    return PTL_OK;
}

/* ---- encoding */

/* Of the opcodes of NOPs with two operands the encoder takes 0F 19, or 0F 0D for registers, which are only
 * reserved to be such; 0F 1F is what the manuals recommend and every core knows. NOPs with one operand are no
 * encodings of it (its reg field is the second operand): these are 0F 18, 1A and 1B only. */
static void recommend_nop(const ptl_scheme* s, uint8_t* code, size_t n) {
    if (s->mnemonic != ZYDIS_MNEMONIC_NOP) return;
    for (size_t i = 0; i + 1 < n; i++) {
        if (code[i] != 0x0F) continue;
        if (code[i + 1] == 0x19 || code[i + 1] == 0x0D) code[i + 1] = 0x1F;
        return;
    }
}

/* The encoder prefers short forms, so success is not enough: what came out must be what was asked for. */
static bool encode_checked(const ptl_instance* instance, uint8_t out[PTL_INSTRUCTION_MAX], size_t* n) {
    for (unsigned way = 0; way < PTL_ENCODER_REQUEST_WAYS; way++) {
        ZydisEncoderRequest request;
        if (!ptl_encoder_request_build(instance, ptl_encoder_request_encoding(&instance->scheme), way,
                                       &request))
            continue;
        uint8_t buffer[ZYDIS_MAX_INSTRUCTION_LENGTH];
        ZyanUSize length = sizeof buffer;
        ptl_instance back;
        size_t back_length;
        if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(&request, buffer, &length))) continue;
        recommend_nop(&instance->scheme, buffer, length);
        if (ptl_x86_decode(buffer, length, &back, &back_length, NULL)) continue;
        if (back_length != length || !ptl_instance_equal(instance, &back)) continue;
        memcpy(out, buffer, length);
        *n = length;
        return true;
    }
    return false;
}

ptl_status ptl_x86_encode(const ptl_instance* instance, uint8_t out[PTL_INSTRUCTION_MAX], size_t* n,
                          ptl_error* error) {
    if (encode_checked(instance, out, n)) return PTL_OK;
    ptl_instance sample;
    ptl_x86_sample(&instance->scheme, 0, &sample);
    if (!encode_checked(&sample, out, n))
        return ptl_fail(error, PTL_UNSUPPORTED, instance->scheme.name, NULL,
                        "the encoder does not know this form");
    return ptl_fail(error, PTL_BAD_INPUT, instance->scheme.name,
                    "mind that constants which fit a shorter form belong to another scheme",
                    "the operands do not fit the scheme");
}
