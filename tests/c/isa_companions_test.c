/* Companions: every instance leaves the x87 stack as it found it, whatever order instances stand in; and what
 * stands around leave and ret. The code that is made is decoded, and followed on a stack of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <Zydis/Zydis.h>

#include "base/rng.h"
#include "isa/catalogue.h"
#include "isa/companions.h"
#include "isa/sequence.h"
#include "isa/x86_64/x86_64.h"
#include "isa/x86_64/x87.h"

enum { REGISTERS = 8, INSTANCES = 40 };

static ptl_scheme scheme(const char* name) {
    ptl_scheme s;
    ptl_error e;
    if (ptl_scheme_from_name(name, &s, &e) != PTL_OK) fail_msg("no scheme %s", name);
    return s;
}

static ptl_policy policy_of_x87(void) {
    static const uint8_t registers[PTL_FILES][PTL_USES][2] = {
        [PTL_FILE_GPR] = {{1, 12}, {3, 6}, {0, 2}}, [PTL_FILE_X87] = {{1, 1}, {2, 3}, {4, 5}}};
    ptl_policy p = {.architecture = &ptl_x86_64, .memory_base = 14, .memory_bytes = 4096, .layout_count = 1};
    for (int use = 0; use < PTL_USES; use++) {
        for (int file = 0; file < PTL_FILES; file++) {
            p.sets[file][use].count = file == PTL_FILE_X87 && use == PTL_USE_READ ? 1 : 2;
            if (file != PTL_FILE_GPR && file != PTL_FILE_X87) p.sets[file][use].count = 0;
            memcpy(p.sets[file][use].numbers, registers[file][use], 2);
        }
        p.layouts[0].ranges[use] = (ptl_range){.first = 1024u * (unsigned)use, .bytes = 1024};
    }
    p.reserved[PTL_FILE_X87] = 1 | 1 << 7;
    p.reserved[PTL_FILE_GPR] = 1 << 4 | 1 << 14 | 1 << 15;
    return p;
}

/* The stack as the manual has it: which registers hold something, and which of these hold 1. */
typedef struct stack {
    unsigned top;
    bool full[REGISTERS], one[REGISTERS];
} stack;

static unsigned place(const stack* s, unsigned i) {
    return (s->top + i) % REGISTERS;
}

/* The place of a register operand, or REGISTERS. */
static unsigned operand_place(const stack* s, const ptl_instance* instance, unsigned k) {
    const ptl_operand* o = &instance->scheme.operands[k];
    unsigned number;
    if (o->kind != PTL_REGISTER || o->register_class != PTL_X87) return REGISTERS;
    unsigned r = o->fixed ? o->fixed : instance->values[k].reg;
    return ptl_register_place(&ptl_x86_64, r, &number) == PTL_FILE_X87 ? place(s, number) : REGISTERS;
}

static void push(stack* s, const char* name) {
    s->top = place(s, REGISTERS - 1);
    if (s->full[s->top]) fail_msg("%s pushes onto a full stack", name);
    s->full[s->top] = true;
}

static void pop(stack* s, const char* name) {
    if (!s->full[s->top]) fail_msg("%s pops from an empty stack", name);
    s->full[s->top] = false;
    s->top = place(s, 1);
}

/* Reads, operands that are written, then what moves. */
static void follow(stack* s, const ptl_instance* instance) {
    const ptl_scheme* scheme = &instance->scheme;
    ptl_x87_effect effect = ptl_scheme_x87_effect(scheme);
    bool frees = scheme->mnemonic == ZYDIS_MNEMONIC_FFREE;
    for (unsigned k = 0; k < scheme->operand_count; k++) {
        unsigned at = operand_place(s, instance, k);
        if (at == REGISTERS) continue;
        if (frees) s->full[at] = false;
        if (frees) continue;
        if (ptl_operand_reads(&scheme->operands[k]) && !s->full[at])
            fail_msg("%s reads a register that is empty", scheme->name);
        if (!ptl_operand_writes(&scheme->operands[k]) || (effect.pushes && !effect.updates_top)) continue;
        s->full[at] = true;
        s->one[at] = scheme->mnemonic == ZYDIS_MNEMONIC_FST || scheme->mnemonic == ZYDIS_MNEMONIC_FSTP
                         ? s->one[s->top]
                         : false;
    }
    for (unsigned i = 0; i < effect.pushes; i++) push(s, scheme->name);
    if (effect.pushes) s->one[s->top] = strcmp(scheme->name, "fld m64") == 0;
    for (unsigned i = 0; i < effect.pops; i++) pop(s, scheme->name);
}

static void check_rest(const stack* s, const char* name) {
    if (s->top != 0) fail_msg("after %s: the top is %u", name, s->top);
    for (unsigned i = 0; i < REGISTERS; i++)
        if (s->full[i] != (i != PTL_X87_EMPTY)) fail_msg("after %s: register %u", name, i);
    if (!s->one[0]) fail_msg("after %s: st0 is not 1", name);
}

/* Follows the code, instance by instance. */
static void follow_code(const ptl_instance* instances, size_t n, const ptl_policy* policy) {
    uint8_t* code = malloc(n * PTL_INSTANCE_SIZE);
    uint32_t offsets[INSTANCES + 1];
    size_t size, length;
    ptl_error e;
    assert_non_null(code);
    assert_int_equal(
        ptl_assemble_instances(instances, n, policy, code, n * PTL_INSTANCE_SIZE, &size, offsets, &e),
        PTL_OK);
    stack s = {.one = {true, true}};
    for (unsigned i = 0; i < REGISTERS; i++) s.full[i] = i != PTL_X87_EMPTY;
    for (size_t i = 0; i < n; i++) {
        for (size_t at = offsets[i]; at < offsets[i + 1]; at += length) {
            ptl_instance found;
            assert_int_equal(ptl_decode(&ptl_x86_64, code + at, offsets[i + 1] - at, &found, &length, &e),
                             PTL_OK);
            if (ptl_scheme_is_x87(&found.scheme)) follow(&s, &found);
        }
        check_rest(&s, instances[i].scheme.name);
    }
    free(code);
}

/* What leaves the whole machine in another state has no companions that take it back. */
static bool is_left_out(const ptl_scheme* s) {
    static const char* const names[] = {"fninit", "fnsave",  "frstor",  "fldenv", "fnstenv",
                                        "ffreep", "fincstp", "fdecstp", "fstpnce"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(s->name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

static size_t x87_schemes(const ptl_catalogue* all, const ptl_scheme** out, size_t most) {
    size_t n = 0;
    for (size_t i = 0; i < ptl_catalogue_count(all); i++) {
        const ptl_scheme* s = ptl_catalogue_at(all, i);
        if (ptl_scheme_is_x87(s) && !is_left_out(s) && n < most) out[n++] = s;
    }
    return n;
}

/* Forty instances of each scheme, then of random ones. */
static void test_stack(void** state) {
    (void)state;
    ptl_catalogue* all;
    ptl_error e;
    const ptl_scheme* list[200];
    assert_int_equal(ptl_catalogue_new(&all, &ptl_x86_64, PTL_X86_LEGACY, &e), PTL_OK);
    size_t n = x87_schemes(all, list, 200);
    assert_true(n > 110);
    ptl_policy policy = policy_of_x87();
    ptl_rng rng = ptl_rng_seed(1);
    for (size_t round = 0; round < 300; round++) {
        const ptl_scheme* sequence[INSTANCES];
        ptl_instance instances[INSTANCES];
        for (unsigned i = 0; i < INSTANCES; i++)
            sequence[i] = list[round < n ? round : ptl_rng_below(&rng, n)];
        if (ptl_allocate(sequence, INSTANCES, &policy, 0, instances, &e) != PTL_OK)
            fail_msg("round %zu: no operands", round);
        follow_code(instances, INSTANCES, &policy);
    }
    ptl_catalogue_free(all);
}

/* The code around an instance, decoded: names of schemes, in order. */
static void check_names(const char* name, const char* const* expected, size_t n) {
    ptl_scheme s = scheme(name);
    ptl_companions c = ptl_scheme_companions(&s);
    ptl_policy policy = policy_of_x87();
    uint8_t code[PTL_COMPANIONS_SIZE];
    assert_int_equal(c.count, n);
    size_t k = 0;
    for (int behind = 0; behind < 2; behind++) {
        size_t size = ptl_write_companions(&s, &policy, behind, code), length;
        for (size_t at = 0; at < size; at += length) {
            ptl_instance found;
            ptl_error e;
            assert_int_equal(ptl_decode(&ptl_x86_64, code + at, size - at, &found, &length, &e), PTL_OK);
            if (strncmp(found.scheme.name, "nop", 3) == 0) continue; /* what a jump skips */
            assert_true(k < n);
            assert_string_equal(found.scheme.name, expected[k]);
            assert_string_equal(c.schemes[k], expected[k]);
            k++;
        }
        if (!behind) assert_int_equal(k, c.ahead);
    }
    assert_int_equal(k, n);
}

static void test_code(void** state) {
    (void)state;
    static const char *const push[] = {"fstp st"}, *const pop[] = {"fld m64"};
    static const char *const result[] = {"fstp st", "fld m64"}, *const twice[] = {"fld m64", "fld m64"};
    static const char *const frame[] = {"mov r64, r64"}, *const call[] = {"call rel32", "jmp rel8"};
    check_names("fld m80", push, 1);
    check_names("fstp st", pop, 1);
    check_names("faddp st, st0", pop, 1);
    check_names("fsqrt", result, 2);
    check_names("fadd m64", result, 2);
    check_names("fcompp", twice, 2);
    check_names("fadd st, st0", NULL, 0);
    check_names("fst m64", NULL, 0);
    check_names("leave", frame, 1);
    check_names("ret", call, 2);
    check_names("ret imm16", NULL, 0); /* it takes arguments off the stack */
    check_names("add r64, r64", NULL, 0);
}

/* The code that runs ahead: numbers that instances read are valid, whatever else lies there. */
static void test_setup(void** state) {
    (void)state;
    ptl_scheme load = scheme("fld m80"), control = scheme("fldcw m16"), add = scheme("add r64, r64");
    const ptl_scheme* sequence[] = {&load, &control, &load};
    ptl_policy policy = policy_of_x87();
    ptl_instance instances[3];
    ptl_error e;
    uint8_t code[PTL_SETUP_SIZE];
    size_t size, length, words = 0;
    assert_int_equal(ptl_allocate(sequence, 3, &policy, 0, instances, &e), PTL_OK);
    assert_int_equal(ptl_x87_setup(instances, 3, &policy, 0, code, sizeof code, &size, &e), PTL_OK);
    for (size_t at = 0; at < size; at += length) {
        ptl_instance found;
        assert_int_equal(ptl_decode(&ptl_x86_64, code + at, size - at, &found, &length, &e), PTL_OK);
        if (strcmp(found.scheme.name, "mov m32, imm32") == 0 && found.values[1].number == 0x3fffbf80) words++;
        if (strcmp(found.scheme.name, "mov m16, imm16") == 0) {
            assert_int_equal(found.values[1].number, 0x37f);
            assert_int_equal(found.values[0].number, instances[1].values[0].number);
            words++;
        }
    }
    assert_int_equal(words, 3);
    assert_int_equal(ptl_x87_setup(instances, 3, &policy, 0, code, 40, &size, &e), PTL_LIMIT);
    sequence[0] = &add;
    assert_int_equal(ptl_allocate(sequence, 1, &policy, 0, instances, &e), PTL_OK);
    assert_int_equal(ptl_x87_setup(instances, 1, &policy, 0, code, 0, &size, &e), PTL_OK);
    assert_int_equal(size, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack), cmocka_unit_test(test_code),
                                       cmocka_unit_test(test_setup)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
