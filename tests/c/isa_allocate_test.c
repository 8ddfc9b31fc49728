/* Algorithm 3.1 on random lists of schemes: no false dependencies, least recently used, valid code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <Zydis/Zydis.h>

#include "base/rng.h"
#include "isa/catalogue.h"
#include "isa/sequence.h"
#include "isa/x86_64/x86_64.h"

#define LENGTH 120

typedef struct fixture {
    ptl_policy policy;
    ptl_catalogue* catalogue;
    const ptl_scheme** usable; /* those that can be allocated alone */
    size_t count;
} fixture;

static void set(ptl_policy* p, ptl_file file, ptl_use use, unsigned first, unsigned count) {
    ptl_register_set* s = &p->sets[file][use];
    for (unsigned i = 0; i < count; i++) s->numbers[s->count++] = (uint8_t)(first + i);
}

/* Like arch/x86_64/policy.lua in kind, but not the same: another one must work, too. */
static void make_policy(ptl_policy* p, bool lend) {
    memset(p, 0, sizeof *p);
    p->lend = lend;
    p->architecture = &ptl_x86_64;
    p->memory_base = 14;
    p->vector_index = 15;
    p->memory_bytes = 8192;
    p->reserved[PTL_FILE_GPR] = 1u << 4 | 1u << 14 | 1u << 15;
    p->reserved[PTL_FILE_VECTOR] = 1u << 15;
    set(p, PTL_FILE_GPR, PTL_USE_READ, 1, 1); /* rcx */
    set(p, PTL_FILE_GPR, PTL_USE_READ, 12, 2);
    set(p, PTL_FILE_GPR, PTL_USE_WRITTEN, 5, 3);
    set(p, PTL_FILE_GPR, PTL_USE_WRITTEN, 3, 1);
    set(p, PTL_FILE_GPR, PTL_USE_UPDATED, 8, 4);
    set(p, PTL_FILE_GPR, PTL_USE_UPDATED, 0, 1);
    set(p, PTL_FILE_GPR, PTL_USE_UPDATED, 2, 1);
    set(p, PTL_FILE_VECTOR, PTL_USE_READ, 0, 4);
    set(p, PTL_FILE_VECTOR, PTL_USE_WRITTEN, 4, 4);
    set(p, PTL_FILE_VECTOR, PTL_USE_UPDATED, 16, 16);
    set(p, PTL_FILE_VECTOR, PTL_USE_UPDATED, 8, 7);
    set(p, PTL_FILE_MASK, PTL_USE_READ, 1, 1);
    set(p, PTL_FILE_MASK, PTL_USE_WRITTEN, 2, 4);
    set(p, PTL_FILE_MASK, PTL_USE_UPDATED, 6, 2);
    set(p, PTL_FILE_MMX, PTL_USE_READ, 0, 2);
    set(p, PTL_FILE_MMX, PTL_USE_WRITTEN, 2, 2);
    set(p, PTL_FILE_MMX, PTL_USE_UPDATED, 4, 4);
    set(p, PTL_FILE_X87, PTL_USE_READ, 1, 1);
    set(p, PTL_FILE_X87, PTL_USE_WRITTEN, 2, 2);
    set(p, PTL_FILE_X87, PTL_USE_UPDATED, 4, 4);
    static const uint32_t strides[] = {0, 72, 64};
    for (uint32_t i = 0; i < 3; i++) {
        ptl_layout* layout = &p->layouts[p->layout_count++];
        snprintf(layout->name, sizeof layout->name, "stride%u", strides[i]);
        for (uint32_t use = 0; use < PTL_USES; use++)
            layout->ranges[use] = (ptl_range){2048 * use, 1280, strides[i]};
    }
    p->merging[ZYDIS_MNEMONIC_POPCNT / 8] |= 1u << ZYDIS_MNEMONIC_POPCNT % 8;
}

/* ---- what an instance touches ---- */

typedef struct touched {
    uint32_t registers[PTL_FILES][PTL_USES]; /* named by free operands */
    uint32_t fixed_written[PTL_FILES];       /* written, but not chosen */
    uint8_t memory[PTL_USES][8192];          /* bytes */
} touched;

static void touch_memory(const fixture* f, const ptl_operand* o, const ptl_value* v, ptl_use use,
                         touched* t) {
    uint32_t bytes = (o->width + 7u) / 8, aligned = 1;
    while (aligned < bytes && aligned < 64) aligned *= 2;
    assert_int_equal(v->base, ZYDIS_REGISTER_R14);
    assert_true(v->number >= 0 && (uint64_t)v->number + bytes <= f->policy.memory_bytes);
    assert_int_equal(v->number % aligned, 0);
    if (v->index) {
        unsigned number;
        assert_int_equal(ptl_register_place(&ptl_x86_64, v->index, &number), PTL_FILE_VECTOR);
        assert_int_equal(number, f->policy.vector_index);
    }
    if (o->kind == PTL_MEMORY) memset(t->memory[use] + v->number, 1, bytes);
}

static void touch(const fixture* f, const ptl_instance* instance, touched* t) {
    const ptl_scheme* s = &instance->scheme;
    for (unsigned i = 0; i < s->operand_count; i++) {
        const ptl_operand* o = &s->operands[i];
        ptl_use use = ptl_operand_use(s, o, &f->policy);
        unsigned number;
        if (o->kind == PTL_REGISTER && o->fixed) {
            ptl_file file = ptl_register_place(&ptl_x86_64, o->fixed, &number);
            if (file != PTL_FILES && ptl_operand_writes(o)) t->fixed_written[file] |= 1u << number;
        } else if (o->kind == PTL_REGISTER) {
            ptl_file file = ptl_register_place(&ptl_x86_64, instance->values[i].reg, &number);
            assert_int_not_equal(file, PTL_FILES);
            assert_false(f->policy.reserved[file] >> number & 1);
            assert_false(o->is_mask && number == 0);
            ZydisRegister r = (ZydisRegister)instance->values[i].reg;
            assert_false(r >= ZYDIS_REGISTER_AH && r <= ZYDIS_REGISTER_BH);
            for (unsigned k = 0; k < o->source_count; k++) t->registers[file][use] |= 1u << (number + k);
        } else if ((o->kind == PTL_MEMORY || o->kind == PTL_ADDRESS) && ptl_operand_is_free(o)) {
            touch_memory(f, o, &instance->values[i], use, t);
        }
    }
}

static void check_disjoint(const touched* t) {
    for (int file = 0; file < PTL_FILES; file++) {
        const uint32_t* r = t->registers[file];
        uint32_t fixed = t->fixed_written[file];
        assert_int_equal(r[PTL_USE_READ] & (r[PTL_USE_WRITTEN] | r[PTL_USE_UPDATED] | fixed), 0);
        assert_int_equal(r[PTL_USE_WRITTEN] & r[PTL_USE_UPDATED], 0);
        assert_int_equal(r[PTL_USE_UPDATED] & fixed, 0);
    }
    for (size_t i = 0; i < sizeof t->memory[0]; i++) {
        assert_true(t->memory[0][i] + t->memory[1][i] + t->memory[2][i] <= 1);
    }
}

/* ---- fixture ---- */

static int setup(void** state) {
    fixture* f = calloc(1, sizeof *f);
    make_policy(&f->policy, true);
    if (ptl_policy_check(&f->policy, NULL) != PTL_OK) return -1;
    if (ptl_catalogue_new(&f->catalogue, &ptl_x86_64, PTL_X86_ALL, NULL) != PTL_OK) return -1;
    f->usable = calloc(ptl_catalogue_count(f->catalogue), sizeof *f->usable);
    *state = f;
    return 0;
}

static int teardown(void** state) {
    fixture* f = *state;
    ptl_catalogue_free(f->catalogue);
    free(f->usable);
    free(f);
    return 0;
}

/* ---- tests ---- */

/* Alone and unrolled four times; what comes out decodes to the very same instances. */
static void every_scheme_is_allocated_or_refused(void** state) {
    fixture* f = *state;
    size_t refused = 0, not_encoded = 0, total = ptl_catalogue_count(f->catalogue);
    for (size_t i = 0; i < total; i++) {
        const ptl_scheme* scheme = ptl_catalogue_at(f->catalogue, i);
        const ptl_scheme* list[4] = {scheme, scheme, scheme, scheme};
        ptl_instance instances[4], again;
        uint8_t code[4 * PTL_INSTRUCTION_MAX];
        size_t size, n;
        uint32_t offsets[5];
        ptl_error error;
        ptl_status status = ptl_allocate(list, 4, &f->policy, (unsigned)(i % 3), instances, &error);
        if (status != PTL_OK) {
            assert_int_equal(status, PTL_UNSUPPORTED);
            refused++;
            continue;
        }
        f->usable[f->count++] = scheme;
        status = ptl_assemble_instances(instances, 4, NULL, code, sizeof code, &size, offsets, &error);
        if (status != PTL_OK) {
            char line[700];
            print_message("%s: %s\n", scheme->name, ptl_error_line(&error, line, sizeof line));
            f->count--;
            not_encoded++;
            continue;
        }
        for (unsigned k = 0; k < 4; k++) {
            assert_int_equal(
                ptl_decode(&ptl_x86_64, code + offsets[k], size - offsets[k], &again, &n, &error), PTL_OK);
            assert_int_equal(n, offsets[k + 1] - offsets[k]);
            if (!ptl_instance_equal(&again, &instances[k]))
                fail_msg("%s became %s", scheme->name, again.scheme.name);
        }
    }
    print_message("%zu of %zu schemes allocated, %zu refused, %zu not encoded\n", f->count, total, refused,
                  not_encoded);
    assert_true(f->count > 15000);
    assert_int_equal(not_encoded, 0);
}

static size_t check_random_list(fixture* f, ptl_rng* rng, touched* t) {
    const ptl_scheme *chosen[8], *sequence[LENGTH];
    ptl_instance instances[LENGTH], again;
    uint8_t code[LENGTH * PTL_INSTRUCTION_MAX];
    uint32_t offsets[LENGTH + 1];
    size_t kinds = 1 + ptl_rng_below(rng, 8), size, n;
    for (size_t i = 0; i < kinds; i++) chosen[i] = f->usable[ptl_rng_below(rng, f->count)];
    for (size_t i = 0; i < LENGTH; i++) sequence[i] = chosen[ptl_rng_below(rng, kinds)];
    ptl_error error;
    f->policy.lend = ptl_rng_below(rng, 2);
    ptl_status status =
        ptl_allocate(sequence, LENGTH, &f->policy, (unsigned)ptl_rng_below(rng, 3), instances, &error);
    if (status == PTL_UNSUPPORTED) return 1; /* fixed registers have used up a file */
    assert_int_equal(status, PTL_OK);
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < LENGTH; i++) touch(f, &instances[i], t);
    check_disjoint(t);
    assert_int_equal(
        ptl_assemble_instances(instances, LENGTH, NULL, code, sizeof code, &size, offsets, &error), PTL_OK);
    for (size_t i = 0; i < LENGTH; i++) {
        assert_int_equal(ptl_decode(&ptl_x86_64, code + offsets[i], size - offsets[i], &again, &n, &error),
                         PTL_OK);
        assert_true(ptl_instance_equal(&again, &instances[i]));
    }
    return 0;
}

static void random_lists_have_no_false_dependencies(void** state) {
    fixture* f = *state;
    touched* t = malloc(sizeof *t);
    size_t refused = 0, lists = 1500;
    assert_true(f->count > 0);
    for (size_t seed = 1; seed <= lists; seed++) {
        ptl_rng rng = ptl_rng_seed(seed);
        refused += check_random_list(f, &rng, t);
    }
    f->policy.lend = true;
    free(t);
    print_message("%zu random lists, %zu refused\n", lists, refused);
    assert_true(refused * 20 < lists);
}

static const ptl_scheme* scheme(fixture* f, const char* name) {
    const ptl_scheme* s = ptl_catalogue_find(f->catalogue, name);
    if (!s) fail_msg("no scheme '%s'", name);
    return s;
}

/* Of the registers seen so far the chosen one is the longest unused; none is reused while fresh ones are
 * left. */
static void the_least_recently_used_register_is_chosen(void** state) {
    fixture* f = *state;
    const ptl_scheme* list[60];
    ptl_instance instances[60];
    const ptl_scheme *add = scheme(f, "add r64, r64"), *shl = scheme(f, "shl r32, imm8");
    for (size_t i = 0; i < 60; i++) list[i] = i % 3 ? add : shl;
    assert_int_equal(ptl_allocate(list, 60, &f->policy, 0, instances, NULL), PTL_OK);
    int last[16], reused = 0;
    for (int r = 0; r < 16; r++) last[r] = -1;
    for (int i = 0; i < 60; i++) {
        unsigned number = 99;
        ptl_register_place(&ptl_x86_64, instances[i].values[0].reg, &number);
        assert_true(number < 16);
        reused |= last[number] >= 0;
        assert_int_equal(reused, last[number] >= 0);
        for (int r = 0; r < 16; r++) assert_true(last[r] < 0 || last[r] >= last[number] || !reused);
        last[number] = i;
    }
    assert_true(reused);
}

/* A shift by cl reads rcx: nothing may write it; a multiplication writes rdx and rax: nothing may read them.
 */
static void fixed_registers_join_the_set_of_their_use(void** state) {
    fixture* f = *state;
    const ptl_scheme* list[30];
    ptl_instance instances[30];
    touched* t = calloc(1, sizeof *t);
    for (size_t i = 0; i < 30; i++) {
        list[i] = scheme(f, i % 3 == 0 ? "shl r64, cl" : i % 3 == 1 ? "rdtsc" : "xchg r64, r64");
    }
    assert_int_equal(ptl_allocate(list, 30, &f->policy, 0, instances, NULL), PTL_OK);
    for (size_t i = 0; i < 30; i++) touch(f, &instances[i], t);
    check_disjoint(t);
    uint32_t chosen = 0;
    for (int use = 0; use < PTL_USES; use++) chosen |= t->registers[PTL_FILE_GPR][use];
    assert_int_equal(chosen & (1u << 0 | 1u << 1 | 1u << 2),
                     0); /* rax, rcx, rdx: fixed, and all are updated */
    free(t);
}

static void partial_and_merging_writes_are_updates(void** state) {
    fixture* f = *state;
    static const struct {
        const char* name;
        ptl_use use;
    } expected[] = {
        {"mov r64, m64", PTL_USE_WRITTEN},    {"mov r32, m32", PTL_USE_WRITTEN},
        {"mov r16, m16", PTL_USE_UPDATED},    {"mov r8, m8", PTL_USE_UPDATED},
        {"setz r8", PTL_USE_UPDATED},         {"add r64, r64", PTL_USE_UPDATED},
        {"popcnt r64, r64", PTL_USE_UPDATED}, {"cmp r64, r64", PTL_USE_READ},
        {"cmovz r64, r64", PTL_USE_UPDATED},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const ptl_scheme* s = scheme(f, expected[i].name);
        assert_int_equal(ptl_operand_use(s, &s->operands[0], &f->policy), expected[i].use);
    }
}

static void experiments_are_spread_evenly(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        ptl_rng rng = ptl_rng_seed(seed);
        unsigned counts[6];
        size_t n = 1 + ptl_rng_below(&rng, 6), length = 0, seen[6] = {0};
        for (size_t i = 0; i < n; i++) length += counts[i] = 1 + (unsigned)ptl_rng_below(&rng, 9);
        size_t copies = ptl_experiment_copies(length, 80), total = copies * length;
        assert_true(total >= 40 && total <= 80 + length);
        uint16_t* order = malloc(total * sizeof *order);
        assert_int_equal(ptl_experiment_sequence(counts, n, copies, order, NULL), PTL_OK);
        for (size_t j = 0; j < total; j++) {
            seen[order[j]]++;
            for (size_t i = 0; i < n; i++) { /* never far from its share of the first j + 1 */
                double share = (double)(j + 1) * counts[i] / (double)length;
                assert_true(seen[i] < share + (double)n && seen[i] > share - (double)n);
            }
        }
        for (size_t i = 0; i < n; i++) assert_int_equal(seen[i], counts[i] * copies);
        free(order);
    }
}

static void wrong_policies_are_refused(void** state) {
    (void)state;
    ptl_policy p;
    make_policy(&p, true);
    p.sets[PTL_FILE_GPR][PTL_USE_READ].numbers[0] = 8; /* in the updated set, too */
    assert_int_equal(ptl_policy_check(&p, NULL), PTL_BAD_INPUT);
    make_policy(&p, true);
    p.sets[PTL_FILE_GPR][PTL_USE_READ].numbers[0] = 14; /* reserved */
    assert_int_equal(ptl_policy_check(&p, NULL), PTL_BAD_INPUT);
    make_policy(&p, true);
    p.sets[PTL_FILE_MASK][PTL_USE_READ].numbers[0] = 9;
    assert_int_equal(ptl_policy_check(&p, NULL), PTL_BAD_INPUT);
    make_policy(&p, true);
    p.layouts[1].ranges[1].first = 1024; /* into the read range */
    assert_int_equal(ptl_policy_check(&p, NULL), PTL_BAD_INPUT);
    make_policy(&p, true);
    p.layouts[2].ranges[2].bytes = 8192;
    assert_int_equal(ptl_policy_check(&p, NULL), PTL_BAD_INPUT);
    make_policy(&p, true);
    p.reserved[PTL_FILE_GPR] = 0;
    assert_int_equal(ptl_policy_check(&p, NULL), PTL_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_is_allocated_or_refused),
        cmocka_unit_test(random_lists_have_no_false_dependencies),
        cmocka_unit_test(the_least_recently_used_register_is_chosen),
        cmocka_unit_test(fixed_registers_join_the_set_of_their_use),
        cmocka_unit_test(partial_and_merging_writes_are_updates),
        cmocka_unit_test(experiments_are_spread_evenly),
        cmocka_unit_test(wrong_policies_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
