/* Lists which operands a mnemonic takes, found by asking the encoder: for messages. */
#include <stdio.h>
#include <string.h>

#include "isa/x86_64/text_encode.h"

typedef struct sample {
    const char* name;
    ZydisOperandType type;
    ZydisRegister reg;
    uint16_t size; /* of memory */
} sample;

/* The most usual kinds of operands; ambiguous immediates and rare classes are left out. */
static const sample samples[] = {
    {"r64", ZYDIS_OPERAND_TYPE_REGISTER, ZYDIS_REGISTER_RBX, 0},
    {"r32", ZYDIS_OPERAND_TYPE_REGISTER, ZYDIS_REGISTER_EBX, 0},
    {"m64", ZYDIS_OPERAND_TYPE_MEMORY, ZYDIS_REGISTER_NONE, 8},
    {"imm", ZYDIS_OPERAND_TYPE_IMMEDIATE, ZYDIS_REGISTER_NONE, 0},
    {"cl", ZYDIS_OPERAND_TYPE_REGISTER, ZYDIS_REGISTER_CL, 0},
    {"xmm", ZYDIS_OPERAND_TYPE_REGISTER, ZYDIS_REGISTER_XMM3, 0},
    {"m128", ZYDIS_OPERAND_TYPE_MEMORY, ZYDIS_REGISTER_NONE, 16},
    {"ymm", ZYDIS_OPERAND_TYPE_REGISTER, ZYDIS_REGISTER_YMM3, 0},
    {"m256", ZYDIS_OPERAND_TYPE_MEMORY, ZYDIS_REGISTER_NONE, 32},
    {"zmm", ZYDIS_OPERAND_TYPE_REGISTER, ZYDIS_REGISTER_ZMM3, 0},
    {"k", ZYDIS_OPERAND_TYPE_REGISTER, ZYDIS_REGISTER_K3, 0},
    {"m32", ZYDIS_OPERAND_TYPE_MEMORY, ZYDIS_REGISTER_NONE, 4},
    {"r16", ZYDIS_OPERAND_TYPE_REGISTER, ZYDIS_REGISTER_BX, 0},
    {"r8", ZYDIS_OPERAND_TYPE_REGISTER, ZYDIS_REGISTER_BL, 0},
    {"m16", ZYDIS_OPERAND_TYPE_MEMORY, ZYDIS_REGISTER_NONE, 2},
    {"m8", ZYDIS_OPERAND_TYPE_MEMORY, ZYDIS_REGISTER_NONE, 1},
};
#define SAMPLES (sizeof samples / sizeof *samples)

static void set(ZydisEncoderOperand* operand, const sample* s) {
    operand->type = s->type;
    operand->reg.value = s->reg;
    if (s->type == ZYDIS_OPERAND_TYPE_MEMORY) operand->mem.base = ZYDIS_REGISTER_RBX;
    operand->mem.size = s->size;
    operand->imm.u = s->type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? 1 : 0;
}

/* Does the encoder take samples code[0..n)? */
static bool is_form(ZydisMnemonic mnemonic, const size_t* code, unsigned n, bool with_mask) {
    ZydisEncoderRequest r;
    memset(&r, 0, sizeof r);
    r.machine_mode = ZYDIS_MACHINE_MODE_LONG_64;
    r.allowed_encodings =
        ZYDIS_ENCODABLE_ENCODING_LEGACY | ZYDIS_ENCODABLE_ENCODING_VEX | ZYDIS_ENCODABLE_ENCODING_EVEX;
    r.mnemonic = mnemonic;
    for (unsigned i = 0; i < n; i++) {
        set(&r.operands[r.operand_count++], &samples[code[i]]);
        if (i > 0 || !with_mask) continue;
        r.operands[r.operand_count].type = ZYDIS_OPERAND_TYPE_REGISTER;
        r.operands[r.operand_count++].reg.value = ZYDIS_REGISTER_K0;
    }
    uint8_t out[PTL_TEXT_CODE];
    ZyanUSize length = sizeof out;
    return ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(&r, out, &length));
}

static size_t append_form(ZydisMnemonic mnemonic, const size_t* code, unsigned n, char* out, size_t used,
                          size_t size) {
    char form[80];
    size_t length =
        (size_t)snprintf(form, sizeof form, "%s%s", used ? "; " : "", ZydisMnemonicGetString(mnemonic));
    for (unsigned i = 0; i < n; i++) {
        length += (size_t)snprintf(form + length, sizeof form - length, "%s%s", i ? ", " : " ",
                                   samples[code[i]].name);
    }
    if (used + length + 6 > size) return used;
    memcpy(out + used, form, length + 1);
    return used + length;
}

static size_t forms_of(ZydisMnemonic mnemonic, unsigned n, char* out, size_t size) {
    size_t used = 0, total = 1;
    for (unsigned i = 0; i < n; i++) total *= SAMPLES;
    for (size_t number = 0; number < total && used < size / 2; number++) {
        size_t code[3] = {0}, rest = number;
        for (unsigned i = n; i-- > 0; rest /= SAMPLES) code[i] = rest % SAMPLES;
        if (is_form(mnemonic, code, n, 0) || (n > 0 && is_form(mnemonic, code, n, 1))) {
            used = append_form(mnemonic, code, n, out, used, size);
        }
    }
    return used;
}

const char* ptl_describe_forms(ZydisMnemonic mnemonic, unsigned operand_count, char* out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    if (operand_count <= 3) used = forms_of(mnemonic, operand_count, out, size);
    for (unsigned n = 0; n <= 3 && used == 0; n++) {
        if (n != operand_count) used = forms_of(mnemonic, n, out, size);
    }
    return out;
}
