/* Assembler text: what is understood, and what is said when it is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <Zydis/Zydis.h>

#include "isa/architecture.h"
#include "isa/parse.h"
#include "isa/x86_64/text_names.h"

typedef struct golden {
    const char* text;
    const char* hex;
} golden;

static const golden cases[] = {
    {"", ""},
    {"# nothing\n ; ;// at all", ""},
    {"add rax, rbx", "4801d8"},
    {"ADD RAX, RBX", "4801d8"},
    {"add rax, rbx; add rax, rbx # twice\n\tadd rax,rbx", "4801d84801d84801d8"},
    {"imul rcx, [rdx+8]", "480faf4a08"},
    {"add qword ptr [rax + 4*rcx - 0x10], 5", "48834488f005"},
    {"add qword ptr [4*rcx + rax - 10h], 5", "48834488f005"},
    {"add qword [rax + rcx*4 + -16], 0b101", "48834488f005"},
    {"mov rcx, [rip + 16]", "488b0d10000000"},
    {"mov rcx, gs:[rax]", "65488b08"},
    {"mov rcx, qword ptr [fs:rax]", "64488b08"},
    {"mov eax, [ebx]", "678b03"},
    {"lea rax, [rsp + rbx]", "488d041c"},
    {"lea rax, [rbx + rsp]", "488d041c"},
    {"lea rax, dword ptr [rbx]", "488d03"},
    {"add al, 255", "04ff"},
    {"add al, -1", "04ff"},
    {"add eax, 0xffffffff", "83c0ff"},
    {"add ax, 0xfff0", "6683c0f0"},
    {"imul ax, bx, 0xfff0", "666bc3f0"},
    {"and cl, 'a'", "80e161"},
    {"mov rax, 0x1122334455667788", "48b88877665544332211"},
    {"movabs rax, 0x1122334455667788", "48b88877665544332211"},
    {"shl rcx", "48d1e1"},
    {"sal rcx, 1", "48d1e1"},
    {"shl rcx, 255", "48c1e1ff"},
    {"shl rcx, cl", "48d3e1"},
    {"imul rcx, 3", "486bc903"},
    {"cmove eax, ebx", "0f44c3"},
    {"setae al", "0f93c0"},
    {"movsx rax, ecx", "4863c1"},
    {"cvtsi2sd xmm1, rax", "f2480f2ac8"},
    {"blendvps xmm1, xmm2, xmm0", "660f3814ca"},
    {"blendvps xmm1, xmm2", "660f3814ca"},
    {"cmpltps xmm1, xmm2", "0fc2ca01"},
    {"pshufd xmm1, xmm2, -1", "660f70caff"},
    {"vblendvps xmm0, xmm1, xmm2, xmm3", "c4e3714ac230"},
    {"vaddpd ymm1, ymm2, ymm3", "c5ed58cb"},
    {"vcmpneq_oqpd ymm1, ymm2, ymm3", "c5edc2cb0c"},
    {"vpcmpltd k2, zmm0, zmm1", "62f37d481fd101"},
    {"rep cmpsb byte ptr [rsi], byte ptr es:[rdi]", "f3a6"},
    {"clflush byte ptr [rax]", "0fae38"},
    {"vaddpd zmm1 {k1}{z}, zmm2, zmm3", "62f1edc958cb"},
    {"vaddpd zmm1{k1}, zmm2, qword ptr [rax]{1to8}", "62f1ed595808"},
    {"vaddpd zmm1, zmm2, [rax] {1to8}", "62f1ed585808"},
    {"vaddpd zmm1, zmm2, zmm3, {rn-sae}", "62f1ed1858cb"},
    {"vmaxpd zmm1, zmm2, zmm3 {sae}", "62f1ed585fcb"},
    {"vucomisd xmm0, xmm1 {sae}", "62f1fd182ec1"},
    {"vpaddd xmm16, xmm1, xmm2", "62e17508fec2"},
    {"vgatherdpd ymm0, [rax+xmm1*8], ymm2", "c4e2ed9204c8"},
    {"vgatherdpd ymm0, ymmword ptr [rax+xmm1*8], ymm2", "c4e2ed9204c8"},
    {"lock add dword ptr [rax], ecx", "f00108"},
    {"rep movsb", "f3a4"},
    {"rep movsb byte ptr [rdi], byte ptr [rsi]", "f3a4"},
    {"fadd st, st(1)", "d8c1"},
    {"fld tbyte ptr [rax]", "db28"},
    {"push [rax]; call [rax]", "ff30ff10"},
    {"push 1; ret", "6a01c3"},
    {"ret far", "cb"},
    {"jmp 5", "eb05"},
    {"jnz -5", "75fb"},
    {"jmp near 5", "e905000000"},
    {"loop: dec rax; jnz loop", "48ffc875fb"},
    {"jmp end; nop\nend:", "eb0190"},
    {"top: jmp near top", "e9fbffffff"},
    {"a: b: loop a; jrcxz b", "e2fee3fc"},
    {"call f; f: ret", "e800000000c3"},
};

static void to_hex(const ptl_code* code, char* out) {
    for (size_t i = 0; i < code->size; i++) sprintf(out + 2 * i, "%02x", code->bytes[i]);
    out[2 * code->size] = '\0';
}

static void golden_cases(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ptl_code code;
        ptl_error error = {0};
        char hex[200], line[700];
        if (ptl_assemble_text(&ptl_x86_64, cases[i].text, strlen(cases[i].text), &code, &error) != PTL_OK) {
            fail_msg("%s: %s", cases[i].text, ptl_error_line(&error, line, sizeof line));
        }
        to_hex(&code, hex);
        if (strcmp(hex, cases[i].hex) != 0)
            fail_msg("%s: %s instead of %s", cases[i].text, hex, cases[i].hex);
        assert_int_equal(code.offsets[code.count], code.size);
        ptl_code_free(&code);
    }
}

typedef struct wrong {
    const char* text;
    const char* said; /* part of the message */
} wrong;

static const wrong errors[] = {
    {"addd rax, rbx", "unknown mnemonic 'addd' (line 1, column 1); did you mean 'add'?"},
    {"nop\n  vaddpf ymm0, ymm1, ymm2",
     "unknown mnemonic 'vaddpf' (line 2, column 3); did you mean 'vaddpd'?"},
    {"zzzzzzzzzz", "unknown mnemonic 'zzzzzzzzzz' (line 1, column 1)"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa rax", "unknown mnemonic 'aaaaaaaaaaaaaaaaaaaaaaaa...'"},
    {"add rax, rxx", "unknown register 'rxx' (line 1, column 10)"},
    {"add rax, xmm32", "unknown register 'xmm32'"},
    {"add [rax], 1", "ambiguous (line 1, column 5); write byte ptr or word ptr or dword ptr or qword ptr"},
    {"movzx eax, [rbx]", "ambiguous (line 1, column 12); write byte ptr or word ptr [...]"},
    {"movaps xmm1, qword ptr [rax]", "no memory operand of this size (line 1, column 14); write xmmword ptr"},
    {"add rax, rbx, rcx", "'add' does not take these operands (line 1, column 1); forms: add r64, r64; "},
    {"vaddpd ymm0, ymm1", "; vaddpd ymm, ymm, ymm; "},
    {"add rax, 0xffffffff", "the number does not fit into 'add' with these operands (line 1, column 10)"},
    {"lock add rax, rcx", "'add' does not take this prefix"},
    {"aaa", "does not exist in 64-bit mode"},
    {"add rax,", "an operand is missing after ','"},
    {"add rax rbx", "unexpected 'rbx' (line 1, column 9)"},
    {"add rax, [rbx + al]", "'al' cannot be part of an address"},
    {"add rax, [rbx + 3*rcx]", "no such scale"},
    {"add rax, [rbx + rcx + rdx]", "too many registers in an address"},
    {"add rax, [rbx - rcx]", "a register is subtracted"},
    {"add rax, [rbx", "the statement ends"},
    {"add rax, qword ptr rbx", "a size belongs to a memory operand"},
    {"add rax, 12x", "'12x' is not a number"},
    {"add rax, 99999999999999999999", "is not a number"},
    {"add rax, 'a", "character constant"},
    {"add rax, rbx @", "unexpected character '@'"},
    {"add rax, \x01", "unexpected byte 0x01"},
    {"jmp nowhere", "unknown label or register 'nowhere' (line 1, column 5)"},
    {"a: nop; a: nop", "label 'a' is defined twice (line 1, column 9)"},
    {"vaddpd zmm1, zmm2 {k1}, zmm3", "a decoration is expected"},
    {"vaddpd zmm1, zmm2, zmm3 {rn}", "'-sae' is expected"},
    {"vpermil2ps xmm0, xmm1, xmm2, xmm3, 99", "the number does not fit"}, /* five operands */
    {"vpermil2ps zmm0 {k1}, xmm1, xmm2, xmm3, 2", "does not take these operands"},
    {"ret -1", "the number does not fit into 'ret'"},
    {"lock", "a mnemonic is expected"},
    {"nop nop nop", "unexpected 'nop' (line 1, column 9)"},
    {"add rax, 1, 2, 3, 4, 5, 6", "too many operands"},
};

static void every_error_is_one_line(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        ptl_code code;
        ptl_error error = {0};
        char line[700];
        assert_int_equal(
            ptl_assemble_text(&ptl_x86_64, errors[i].text, strlen(errors[i].text), &code, &error),
            PTL_BAD_INPUT);
        assert_null(code.bytes);
        ptl_error_line(&error, line, sizeof line);
        assert_null(strchr(line, '\n'));
        if (!strstr(line, errors[i].said))
            fail_msg("%s: said '%s' instead of '%s'", errors[i].text, line, errors[i].said);
    }
}

static void mnemonics_are_sorted(void** state) {
    (void)state;
    for (int m = ZYDIS_MNEMONIC_INVALID + 1; m <= ZYDIS_MNEMONIC_MAX_VALUE; m++) {
        const char* name = ZydisMnemonicGetString((ZydisMnemonic)m);
        if (m == ZYDIS_MNEMONIC_VPCMPLTD) continue; /* Knights Corner's; an alias here */
        assert_int_equal(ptl_mnemonic_by_name(name, strlen(name)).mnemonic, m);
    }
}

static void registers_have_their_names(void** state) {
    (void)state;
    for (int r = ZYDIS_REGISTER_NONE + 1; r <= ZYDIS_REGISTER_DR15; r++) {
        ZydisRegisterClass c = ZydisRegisterGetClass((ZydisRegister)r);
        if (c == ZYDIS_REGCLASS_FLAGS || c == ZYDIS_REGCLASS_TEST || c == ZYDIS_REGCLASS_TABLE) continue;
        if (c == ZYDIS_REGCLASS_INVALID || r == ZYDIS_REGISTER_IP) continue;
        const char* name = ZydisRegisterGetString((ZydisRegister)r);
        assert_int_equal(ptl_register_by_name(name, strlen(name)), r);
    }
    assert_int_equal(ptl_register_by_name("XMM09", 5), ZYDIS_REGISTER_NONE);
    assert_int_equal(ptl_register_by_name("k", 1), ZYDIS_REGISTER_NONE);
}

/* A jump over `bytes` of nops, forward and backward: short where it reaches, near elsewhere. */
static void branches_grow_when_they_must(void** state) {
    (void)state;
    for (size_t bytes = 120; bytes < 140; bytes++) {
        char* text = calloc(1, 64 + 5 * bytes);
        strcpy(text, "back: jmp forth\n");
        for (size_t i = 0; i < bytes; i++) strcat(text, "nop\n");
        strcat(text, "forth: jmp back");
        ptl_code code;
        assert_int_equal(ptl_assemble_text(&ptl_x86_64, text, strlen(text), &code, NULL), PTL_OK);
        size_t first = code.offsets[1], last = code.size - code.offsets[bytes + 1];
        assert_int_equal(first, bytes <= 127 ? 2 : 5);
        assert_int_equal(last, bytes + first + 2 <= 128 ? 2 : 5);
        ptl_code_free(&code);
        free(text);
    }
}

static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Repeats a statement up to this many bytes; returns the CPU time that assembling takes. */
static double time_of(const char* statement, size_t bytes, ptl_status expected) {
    size_t length = strlen(statement), used = 0;
    char* text = malloc(bytes);
    for (; used + length <= bytes; used += length) memcpy(text + used, statement, length);
    double start = seconds();
    ptl_code code;
    assert_int_equal(ptl_assemble_text(&ptl_x86_64, text, used, &code, NULL), expected);
    double taken = seconds() - start;
    ptl_code_free(&code);
    free(text);
    return taken;
}

/* 8 times the text in about 8 times the time, whatever it is: the slack is wide, a square would be 64. */
static void time_is_linear(void** state) {
    (void)state;
    static const char* const texts[] = {"nop\n", "jmp 1\n", "add rax, [rbx+rcx*8+4]; ", "\n", "#"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double small = time_of(texts[i], PTL_TEXT_MAX / 8, PTL_OK);
        double large = time_of(texts[i], PTL_TEXT_MAX, PTL_OK);
        print_message("1 MiB of '%.3s': %.3f s\n", texts[i], large);
        assert_true(large < 40 * small + 0.1);
    }
}

/* Every branch is just out of reach of the next, so that growing one makes the next grow. */
static void a_chain_of_growing_branches_is_linear(void** state) {
    (void)state;
    size_t n = 6000;
    char* text = malloc(n * 160);
    char* p = text;
    for (size_t i = 0; i < n;
         i++) { /* label i is 127 bytes behind branch i: in reach only while all are short */
        p += sprintf(p, "jmp l%zu\n", i);
        if (i >= 63) p += sprintf(p, "l%zu:\n", i - 63);
        if (i == 40) p += sprintf(p, "nop\n");
    }
    for (size_t i = n - 63; i < n; i++) p += sprintf(p, "l%zu:\n", i);
    ptl_code code;
    ptl_error error;
    assert_int_equal(ptl_assemble_text(&ptl_x86_64, text, (size_t)(p - text), &code, &error), PTL_OK);
    assert_int_equal(code.count, n + 1);
    ptl_code_free(&code);
    free(text);
}

static void too_much_text_is_refused(void** state) {
    (void)state;
    char* text = malloc(PTL_TEXT_MAX + 1);
    memset(text, ' ', PTL_TEXT_MAX + 1);
    ptl_code code;
    assert_int_equal(ptl_assemble_text(&ptl_x86_64, text, PTL_TEXT_MAX + 1, &code, NULL), PTL_LIMIT);
    assert_int_equal(ptl_assemble_text(&ptl_x86_64, text, PTL_TEXT_MAX, &code, NULL), PTL_OK);
    ptl_code_free(&code);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_cases),
        cmocka_unit_test(every_error_is_one_line),
        cmocka_unit_test(mnemonics_are_sorted),
        cmocka_unit_test(registers_have_their_names),
        cmocka_unit_test(branches_grow_when_they_must),
        cmocka_unit_test(time_is_linear),
        cmocka_unit_test(a_chain_of_growing_branches_is_linear),
        cmocka_unit_test(too_much_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
