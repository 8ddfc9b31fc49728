/* Which operands can alias, match and alias (dissertation §8.1.4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <Zydis/Zydis.h>

#include "anica/alias.h"
#include "isa/catalogue.h"
#include "isa/x86_64/x86_64.h"

static ptl_instance decoded(const char* bytes, size_t size) {
    ptl_instance i;
    size_t n;
    assert_int_equal(ptl_decode(&ptl_x86_64, (const uint8_t*)bytes, size, &i, &n, NULL), PTL_OK);
    assert_int_equal(n, size);
    return i;
}
#define DECODED(bytes) decoded(bytes, sizeof(bytes) - 1)

/* The first operand of this kind and visibility. */
static unsigned find(const ptl_instance* i, ptl_operand_kind kind, ptl_visibility visibility) {
    for (unsigned k = 0; k < i->scheme.operand_count; k++) {
        if (i->scheme.operands[k].kind == kind && i->scheme.operands[k].visibility == visibility) return k;
    }
    fail_msg("%s has no such operand", i->scheme.name);
    return 0;
}

static void registers_alias_by_file_and_number(void** state) {
    (void)state;
    ptl_instance add = DECODED("\x48\x01\xd8");      /* add rax, rbx */
    ptl_instance mov = DECODED("\x88\xc4");          /* mov ah, al */
    ptl_instance neg = DECODED("\xf6\xdf");          /* neg bh */
    ptl_instance vadd = DECODED("\xc5\xf5\x58\xd8"); /* vaddpd ymm3, ymm1, ymm0 */
    ptl_instance addps = DECODED("\x0f\x58\xdb");    /* addps xmm3, xmm3 */
    assert_true(ptl_operands_alias(&add, 0, &mov, 0));
    assert_true(ptl_operands_alias(&mov, 0, &mov, 1));
    assert_false(ptl_operands_alias(&add, 1, &mov, 0));
    assert_true(ptl_operands_alias(&add, 1, &neg, 0));
    assert_true(ptl_operands_alias(&vadd, 0, &addps, 1));
    assert_false(ptl_operands_alias(&vadd, 1, &addps, 1));
    assert_true(ptl_operands_alias(&addps, 0, &addps, 1));
    /* rbx and ymm3 have the same number, but not the same file */
    assert_false(ptl_operands_match(&add.scheme, 1, &vadd.scheme, 0));
    assert_false(ptl_operands_alias(&add, 1, &vadd, 0));
}

static void fixed_registers_take_part(void** state) {
    (void)state;
    ptl_instance shl = DECODED("\x48\xd3\xe1"); /* shl rcx, cl */
    ptl_instance mul = DECODED("\x48\xf7\xe1"); /* mul rcx: rax, rdx hidden */
    ptl_instance push = DECODED("\x51");        /* push rcx: rsp hidden */
    assert_true(ptl_operands_alias(&shl, 0, &shl, 1));
    assert_true(ptl_operands_alias(&shl, 1, &mul, 0));
    unsigned rax = find(&mul, PTL_REGISTER, PTL_HIDDEN);
    assert_false(ptl_operands_alias(&mul, rax, &shl, 1));
    assert_true(ptl_operands_match(&mul.scheme, rax, &push.scheme, find(&push, PTL_REGISTER, PTL_HIDDEN)));
    /* values that are not to choose need not be set */
    memset(&shl.values[1], 0, sizeof shl.values[1]);
    assert_true(ptl_operands_alias(&shl, 0, &shl, 1));
}

static void memory_aliases_if_it_looks_the_same(void** state) {
    (void)state;
    ptl_instance load = DECODED("\x49\x8b\x46\x08");                  /* mov rax, [r14+8] */
    ptl_instance wide = DECODED("\xc4\xc1\x7c\x10\x46\x08");          /* vmovups ymm0, [r14+8] */
    ptl_instance next = DECODED("\x49\x8b\x46\x10");                  /* mov rax, [r14+16] */
    ptl_instance long_form = DECODED("\x49\x8b\x86\x08\x00\x00\x00"); /* with a displacement of 32 bits */
    ptl_instance other = DECODED("\x65\x49\x8b\x46\x08");             /* mov rax, gs:[r14+8] */
    ptl_instance scaled = DECODED("\x4b\x8b\x44\x2e\x08");            /* mov rax, [r14+r13+8] */
    ptl_instance twice = DECODED("\x4b\x8b\x44\x6e\x08");             /* mov rax, [r14+2*r13+8] */
    ptl_instance lea = DECODED("\x49\x8d\x46\x08");                   /* lea rax, [r14+8] */
    assert_true(ptl_operands_alias(&load, 1, &wide, 1));
    assert_true(ptl_operands_alias(&load, 1, &long_form, 1));
    assert_false(ptl_operands_alias(&load, 1, &next, 1));
    assert_false(ptl_operands_alias(&load, 1, &other, 1));
    assert_false(ptl_operands_alias(&load, 1, &scaled, 1));
    assert_false(ptl_operands_alias(&scaled, 1, &twice, 1));
    assert_false(ptl_operand_can_alias(&lea.scheme, 1));
    assert_false(ptl_operands_alias(&lea, 1, &load, 1));
    assert_false(ptl_operands_match(&load.scheme, 0, &load.scheme, 1));
}

static void hidden_memory_takes_part(void** state) {
    (void)state;
    ptl_instance push = DECODED("\x51");                  /* push rcx */
    ptl_instance pop = DECODED("\x58");                   /* pop rax */
    ptl_instance load = DECODED("\x48\x8b\x04\x24");      /* mov rax, [rsp] */
    ptl_instance above = DECODED("\x48\x8b\x44\x24\x08"); /* mov rax, [rsp+8] */
    ptl_instance xlat = DECODED("\xd7");
    ptl_instance table = DECODED("\x48\x8b\x03");             /* mov rax, [rbx] */
    ptl_instance store = DECODED("\x66\x0f\x38\xf8\x4b\x40"); /* movdir64b rcx, [rbx+64] */
    ptl_instance at_rcx = DECODED("\x48\x8b\x01");            /* mov rax, [rcx] */
    unsigned pushed = find(&push, PTL_MEMORY, PTL_HIDDEN), popped = find(&pop, PTL_MEMORY, PTL_HIDDEN);
    assert_true(ptl_operands_alias(&push, pushed, &pop, popped));
    assert_true(ptl_operands_alias(&push, pushed, &load, 1));
    assert_false(ptl_operands_alias(&push, pushed, &above, 1));
    unsigned looked_up = find(&xlat, PTL_MEMORY, PTL_HIDDEN), stored = find(&store, PTL_MEMORY, PTL_HIDDEN);
    assert_false(ptl_operands_alias(&xlat, looked_up, &table, 1)); /* it is [rbx+al] */
    assert_true(ptl_operands_alias(&xlat, looked_up, &xlat, looked_up));
    assert_true(ptl_operands_alias(&store, stored, &at_rcx, 1));
    assert_false(ptl_operands_alias(&store, stored, &table, 1));
}

/* Of every scheme there is: who can alias, and every operand that can aliases with itself. */
static void every_scheme_is_understood(void** state) {
    (void)state;
    ptl_catalogue* c;
    size_t count[PTL_SPACES + 1] = {0};
    assert_int_equal(ptl_catalogue_new(&c, &ptl_x86_64, PTL_X86_ALL, NULL), PTL_OK);
    for (size_t s = 0; s < ptl_catalogue_count(c); s++) {
        ptl_instance i;
        ptl_instance_sample(ptl_catalogue_at(c, s), 0, &i);
        for (unsigned k = 0; k < i.scheme.operand_count; k++) {
            ptl_alias_space space = ptl_operand_space(&i.scheme, k);
            count[space]++;
            assert_int_equal(ptl_operand_can_alias(&i.scheme, k), space != PTL_SPACE_NONE);
            assert_int_equal(ptl_operands_alias(&i, k, &i, k), space != PTL_SPACE_NONE);
            if (i.scheme.operands[k].kind == PTL_IMMEDIATE || i.scheme.operands[k].kind == PTL_RELATIVE)
                assert_int_equal(space, PTL_SPACE_NONE);
            if (i.scheme.operands[k].register_class == PTL_FLAGS) assert_int_equal(space, PTL_SPACE_NONE);
        }
        assert_false(ptl_operand_can_alias(&i.scheme, i.scheme.operand_count));
    }
    for (unsigned space = 0; space <= PTL_SPACES; space++) assert_true(count[space] > 100);
    ptl_catalogue_free(c);
}

/* Every hidden address has one base and nothing else, as the decoder sees it; but for
 * xlat, whose index al the decoder does not tell. */
static void hidden_addresses_are_those_of_the_decoder(void** state) {
    (void)state;
    ptl_catalogue* c;
    size_t met = 0;
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    assert_int_equal(ptl_catalogue_new(&c, &ptl_x86_64, PTL_X86_ALL, NULL), PTL_OK);
    for (size_t s = 0; s < ptl_catalogue_count(c); s++) {
        ptl_instance i;
        uint8_t bytes[PTL_INSTRUCTION_MAX];
        size_t n;
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        ptl_instance_sample(ptl_catalogue_at(c, s), 0, &i);
        assert_int_equal(ptl_encode(&i, bytes, &n, NULL), PTL_OK);
        assert_true(ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, n, &instruction, operands)));
        unsigned shift = i.scheme.unmasked_slot ? 1 : 0; /* the k0 that is no operand */
        for (unsigned k = i.scheme.visible_count; k < i.scheme.operand_count; k++) {
            const ZydisDecodedOperand* o = &operands[k + shift];
            if (i.scheme.operands[k].kind != PTL_MEMORY || i.scheme.mnemonic == ZYDIS_MNEMONIC_XLAT) continue;
            ptl_value v = ptl_operand_address(&i, k);
            assert_int_equal(o->type, ZYDIS_OPERAND_TYPE_MEMORY);
            if (v.base != o->mem.base || v.index != o->mem.index || v.number != o->mem.disp.value)
                fail_msg("%s: operand %u", i.scheme.name, k);
            met++;
        }
    }
    assert_true(met > 50);
    ptl_catalogue_free(c);
}

static void constraints_without_matching_operands_hold(void** state) {
    (void)state;
    ptl_instance block[] = {DECODED("\x48\x01\xd8"),
                            DECODED("\x48\x01\xc8")}; /* add rax, rbx; add rax, rcx */
    ptl_alias must = {{0, 0}, {1, 0}, PTL_MUST_ALIAS}, must_not = {{0, 1}, {1, 1}, PTL_MUST_NOT_ALIAS};
    assert_true(ptl_alias_holds(&must, block, 2));
    assert_true(ptl_alias_holds(&must_not, block, 2));
    must.kind = PTL_MUST_NOT_ALIAS;
    must_not.kind = PTL_MUST_ALIAS;
    assert_false(ptl_alias_holds(&must, block, 2));
    assert_false(ptl_alias_holds(&must_not, block, 2));
    ptl_alias beyond = {{0, 0}, {2, 0}, PTL_MUST_ALIAS}, absent = {{0, 0}, {1, 7}, PTL_MUST_ALIAS};
    assert_true(ptl_alias_holds(&beyond, block, 2));
    assert_true(ptl_alias_holds(&absent, block, 2));
    ptl_alias flags = {{0, 0}, {1, 2}, PTL_MUST_ALIAS};
    assert_int_equal(block[1].scheme.operands[2].register_class, PTL_FLAGS);
    assert_true(ptl_alias_holds(&flags, block, 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_alias_by_file_and_number),
        cmocka_unit_test(fixed_registers_take_part),
        cmocka_unit_test(memory_aliases_if_it_looks_the_same),
        cmocka_unit_test(hidden_memory_takes_part),
        cmocka_unit_test(every_scheme_is_understood),
        cmocka_unit_test(hidden_addresses_are_those_of_the_decoder),
        cmocka_unit_test(constraints_without_matching_operands_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
