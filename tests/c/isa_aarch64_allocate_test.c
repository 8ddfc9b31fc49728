/* A64: operands that Algorithm 3.1 chooses do not make instances wait for each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/accesses.h"
#include "isa/allocate.h"
#include "isa/architecture.h"
#include "isa/catalogue.h"

enum { MEMORY_BASE = 28, STORE_BASE = 25, LENGTH = 24 };

static void add_numbers(ptl_register_set* set, unsigned first, unsigned last) {
    for (unsigned number = first; number <= last; number++) set->numbers[set->count++] = (uint8_t)number;
}

/* As arch/aarch64/policy.lua has it. */
static ptl_policy make_policy(void) {
    ptl_policy p = {.architecture = &ptl_aarch64,
                    .memory_base = MEMORY_BASE,
                    .vector_index = 31,
                    .lend = true,
                    .memory_bytes = 4096,
                    .layout_count = 1};
    add_numbers(&p.sets[PTL_FILE_GPR][PTL_USE_READ], 0, 3);
    add_numbers(&p.sets[PTL_FILE_GPR][PTL_USE_WRITTEN], 4, 7);
    add_numbers(&p.sets[PTL_FILE_GPR][PTL_USE_UPDATED], 8, 17);
    add_numbers(&p.sets[PTL_FILE_VECTOR][PTL_USE_READ], 0, 3);
    add_numbers(&p.sets[PTL_FILE_VECTOR][PTL_USE_WRITTEN], 4, 11);
    add_numbers(&p.sets[PTL_FILE_VECTOR][PTL_USE_UPDATED], 12, 30);
    p.reserved[PTL_FILE_GPR] = UINT32_C(1) << 18 | UINT32_C(0x7F) << 25;
    p.reserved[PTL_FILE_VECTOR] = UINT32_C(1) << 31;
    p.layouts[0] = (ptl_layout){.name = "line", .ranges = {{0, 512, 0}, {2048, 512, 0}, {1024, 512, 0}}};
    return p;
}

static bool is_measurable(const ptl_scheme* s) {
    if (s->branch_type || ptl_scheme_updates_fixed(s)) return false;
    if (!strcmp(s->category, "SYSTEM") || !strcmp(s->category, "EXCEPTION")) return false;
    return !strstr(s->name, "[pc,") && !strstr(s->name, "]!") && !strstr(s->name, "], ");
}

static uint64_t next_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Registers that one instance writes and another one reads, by file. An instance may wait for an earlier one
 * of its own scheme in a register that it updates: chains of the updated set. */
static void check_independence(const ptl_instance* instances) {
    uint32_t read_only[PTL_FILES] = {0}, written[PTL_FILES] = {0};
    for (unsigned k = 0; k < LENGTH; k++) {
        ptl_accesses a;
        ptl_accesses_of(&instances[k], &a);
        for (unsigned file = 0; file < PTL_FILES; file++) {
            uint32_t updated = (a.read[file] | a.address[file]) & a.written[file];
            read_only[file] |= (a.read[file] | a.address[file]) & ~updated;
            written[file] |= a.written[file];
        }
    }
    for (unsigned file = 0; file < PTL_FILES; file++)
        if (read_only[file] & written[file])
            fail_msg("%s; %s; %s: registers %08x are read and written", instances[0].scheme.name,
                     instances[1].scheme.name, instances[2].scheme.name, read_only[file] & written[file]);
    assert_int_equal(
        written[PTL_FILE_GPR] & (1u << MEMORY_BASE | 1u << STORE_BASE | 1u << 18 | 1u << 27 | 1u << 31), 0);
    assert_int_equal(written[PTL_FILE_VECTOR] & 1u << 31, 0);
}

/* What is stored is never loaded: loads stay below 2048 bytes from x28, stores begin at x25. */
static void check_memory(const ptl_instance* instances) {
    for (unsigned k = 0; k < LENGTH; k++) {
        ptl_accesses a;
        ptl_accesses_of(&instances[k], &a);
        for (unsigned m = 0; m < a.memory_count; m++) {
            unsigned base = 0;
            assert_int_equal(ptl_register_place(&ptl_aarch64, a.memory[m].address.base, &base), PTL_FILE_GPR);
            assert_int_equal(base, a.memory[m].writes ? STORE_BASE : MEMORY_BASE);
            assert_true(a.memory[m].address.number >= 0);
            assert_true(a.memory[m].address.number + a.memory[m].bytes <= 2048);
        }
    }
}

static void random_sequences_are_independent(void** state) {
    (void)state;
    ptl_policy policy = make_policy();
    ptl_catalogue* c;
    ptl_error error = {0};
    uint64_t seed = 31;
    assert_int_equal(ptl_policy_check(&policy, &error), PTL_OK);
    assert_int_equal(ptl_catalogue_new(&c, &ptl_aarch64, 3, &error), PTL_OK);
    for (unsigned round = 0; round < 4000; round++) {
        const ptl_scheme* sequence[LENGTH];
        ptl_instance instances[LENGTH];
        const ptl_scheme* chosen[3];
        for (unsigned k = 0; k < 3; k++) do
                chosen[k] = ptl_catalogue_at(c, next_random(&seed) % ptl_catalogue_count(c));
            while (!is_measurable(chosen[k]));
        for (unsigned k = 0; k < LENGTH; k++) sequence[k] = chosen[k % 3];
        if (ptl_allocate(sequence, LENGTH, &policy, 0, instances, &error))
            fail_msg("%s; %s; %s: %s", chosen[0]->name, chosen[1]->name, chosen[2]->name, error.what);
        check_independence(instances);
        check_memory(instances);
        for (unsigned k = 0; k < LENGTH; k++) {
            uint8_t code[PTL_INSTRUCTION_MAX];
            ptl_instance back;
            size_t n;
            if (ptl_encode(&instances[k], code, &n, &error))
                fail_msg("%s: %s", instances[k].scheme.name, error.what);
            assert_int_equal(ptl_decode(&ptl_aarch64, code, n, &back, &n, &error), PTL_OK);
            assert_true(ptl_instance_equal(&instances[k], &back));
        }
    }
    ptl_catalogue_free(c);
}

/* A list takes all its registers: what is allocated next must not update the second one. */
static void instances_do_not_update_registers_of_the_lists_before(void** state) {
    (void)state;
    ptl_policy policy = make_policy();
    ptl_scheme schemes[2];
    ptl_instance instances[LENGTH];
    const ptl_scheme* sequence[LENGTH];
    ptl_error error = {0};
    assert_int_equal(ptl_scheme_from_name("ld2 {v.s, v.s}[imm], [x]", &schemes[0], &error), PTL_OK);
    assert_int_equal(ptl_scheme_from_name("fmla v.4s, v.4s, v.4s", &schemes[1], &error), PTL_OK);
    for (unsigned k = 0; k < LENGTH; k++) sequence[k] = &schemes[k % 2];
    assert_int_equal(ptl_allocate(sequence, LENGTH, &policy, 0, instances, &error), PTL_OK);
    for (unsigned k = 0; k < LENGTH; k++) {
        ptl_accesses a, before;
        ptl_accesses_of(&instances[k], &a);
        for (unsigned back = 1; back <= 4 && back <= k; back++) {
            ptl_accesses_of(&instances[k - back], &before);
            assert_int_equal(a.read[PTL_FILE_VECTOR] & before.written[PTL_FILE_VECTOR], 0);
        }
    }
}

static void addresses_in_the_code_are_not_allocated(void** state) {
    (void)state;
    ptl_policy policy = make_policy();
    ptl_error error = {0};
    ptl_scheme s;
    const ptl_scheme* sequence[1] = {&s};
    ptl_instance instance;
    assert_int_equal(ptl_scheme_from_name("ldr x, [pc, imm19]", &s, &error), PTL_OK);
    assert_int_equal(ptl_allocate(sequence, 1, &policy, 0, &instance, &error), PTL_UNSUPPORTED);
}

static void written_back_bases_are_written(void** state) {
    (void)state;
    ptl_scheme s;
    ptl_instance i;
    ptl_accesses a;
    ptl_error error = {0};
    assert_int_equal(ptl_scheme_from_name("ldr x, [x], imm9", &s, &error), PTL_OK);
    ptl_instance_sample(&s, 0, &i);
    ptl_accesses_of(&i, &a);
    assert_true(a.written[PTL_FILE_GPR] >> MEMORY_BASE & 1);
    assert_true(a.address[PTL_FILE_GPR] >> MEMORY_BASE & 1);
}

static void the_flags_are_a_system_register_too(void** state) {
    (void)state;
    static const struct {
        uint32_t word, read, written;
    } cases[] = {{0xd51b4201, 0, 15}, /* msr nzcv, x1 */
                 {0xd53b4201, 15, 0}, /* mrs x1, nzcv */
                 {0xd51b4401, 0, 0},  /* msr fpcr, x1 */
                 {0xd53b4401, 0, 0}};
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint8_t code[4];
        for (unsigned b = 0; b < 4; b++) code[b] = (uint8_t)(cases[k].word >> 8 * b);
        ptl_instance instance;
        ptl_accesses a;
        size_t n;
        ptl_error error = {0};
        assert_int_equal(ptl_decode(&ptl_aarch64, code, 4, &instance, &n, &error), PTL_OK);
        ptl_accesses_of(&instance, &a);
        assert_int_equal(a.flags_read, cases[k].read);
        assert_int_equal(a.flags_written, cases[k].written);
    }
}

static void a_breaker_is_a_move_or_a_comparison_of_constants(void** state) {
    (void)state;
    ptl_policy policy = make_policy();
    ptl_scheme s;
    ptl_error error = {0};
    uint8_t code[PTL_AHEAD_SIZE];
    char text[PTL_TEXT_SIZE];
    assert_int_equal(ptl_scheme_from_name("b.cond rel19", &s, &error), PTL_OK);
    assert_int_equal(ptl_write_breakers(&s, &policy, code), 4);
    assert_int_equal(ptl_format_instruction(&ptl_aarch64, code, 4, text, &error), PTL_OK);
    assert_string_equal(text, "subs xzr, xzr, xzr");
    assert_int_equal(ptl_scheme_from_name("add x, x, x", &s, &error), PTL_OK);
    assert_int_equal(ptl_write_breakers(&s, &policy, code), 0);
}

/* What reads and writes flags has a comparison ahead of it, whose uops are known and taken off. */
static void updates_of_flags_are_cut_by_a_companion(void** state) {
    (void)state;
    static const char* const names[] = {"adcs x, x, x", "ccmp w, imm5, imm4, cond",
                                        "fccmpe d, d, imm4, cond"};
    ptl_policy policy = make_policy();
    ptl_error error = {0};
    for (unsigned k = 0; k < 3; k++) {
        ptl_scheme s;
        uint8_t code[PTL_COMPANIONS_SIZE];
        char text[PTL_TEXT_SIZE];
        assert_int_equal(ptl_scheme_from_name(names[k], &s, &error), PTL_OK);
        assert_int_equal(ptl_write_breakers(&s, &policy, code), 0);
        assert_int_equal(ptl_scheme_companions(&s).ahead, 1);
        assert_string_equal(ptl_scheme_companions(&s).schemes[0], "subs x, x, x");
        assert_int_equal(ptl_write_companions(&s, &policy, true, code), 0);
        assert_int_equal(ptl_write_companions(&s, &policy, false, code), 4);
        assert_int_equal(ptl_format_instruction(&ptl_aarch64, code, 4, text, &error), PTL_OK);
        assert_string_equal(text, "subs xzr, x28, x25");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences_are_independent),
        cmocka_unit_test(instances_do_not_update_registers_of_the_lists_before),
        cmocka_unit_test(addresses_in_the_code_are_not_allocated),
        cmocka_unit_test(written_back_bases_are_written),
        cmocka_unit_test(the_flags_are_a_system_register_too),
        cmocka_unit_test(a_breaker_is_a_move_or_a_comparison_of_constants),
        cmocka_unit_test(updates_of_flags_are_cut_by_a_companion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
