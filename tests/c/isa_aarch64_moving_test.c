/* A64: bases that move by themselves come back, and stay where they may go (isa/moving.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/aarch64/aarch64.h"
#include "isa/allocate.h"
#include "isa/catalogue.h"
#include "isa/sequence.h"

enum { MOST = 240, LAYOUTS = 4 };

static void add_numbers(ptl_register_set* set, unsigned first, unsigned last) {
    for (unsigned number = first; number <= last; number++) set->numbers[set->count++] = (uint8_t)number;
}

/* As arch/aarch64/policy.lua has it. */
static ptl_policy make_policy(void) {
    ptl_policy p = {.architecture = &ptl_aarch64,
                    .memory_base = 28,
                    .vector_index = 31,
                    .lend = true,
                    .memory_bytes = 4096,
                    .layout_count = LAYOUTS};
    static const ptl_layout layouts[LAYOUTS] = {
        {"line", {{0, 64, 0}, {2048, 64, 0}, {1024, 64, 0}}},
        {"contiguous", {{0, 512, 0}, {2048, 512, 0}, {1024, 512, 0}}},
        {"stride80", {{0, 960, 80}, {2048, 960, 80}, {1024, 960, 80}}},
        {"stride64", {{0, 960, 64}, {2048, 960, 64}, {1024, 960, 64}}}};
    add_numbers(&p.sets[PTL_FILE_GPR][PTL_USE_READ], 0, 3);
    add_numbers(&p.sets[PTL_FILE_GPR][PTL_USE_WRITTEN], 4, 7);
    add_numbers(&p.sets[PTL_FILE_GPR][PTL_USE_UPDATED], 8, 17);
    add_numbers(&p.sets[PTL_FILE_GPR][PTL_USE_UPDATED], 19, 24);
    add_numbers(&p.sets[PTL_FILE_VECTOR][PTL_USE_READ], 0, 3);
    add_numbers(&p.sets[PTL_FILE_VECTOR][PTL_USE_WRITTEN], 4, 11);
    add_numbers(&p.sets[PTL_FILE_VECTOR][PTL_USE_UPDATED], 12, 30);
    p.reserved[PTL_FILE_GPR] = UINT32_C(1) << 18 | UINT32_C(0x7F) << 25;
    p.reserved[PTL_FILE_VECTOR] = UINT32_C(1) << 31;
    memcpy(p.layouts, layouts, sizeof layouts);
    return p;
}

/* A loop, and what its general registers hold: distances from the memory's base, or numbers. */
typedef struct loop {
    ptl_policy policy;
    ptl_instance instances[MOST];
    size_t n, ahead_size, behind_size;
    uint8_t ahead[PTL_SETUP_SIZE], behind[PTL_SETUP_SIZE];
    bool is_base[32];
    int64_t x[32];
} loop;

static void build(loop* l, const ptl_scheme* const* sequence, size_t n, unsigned layout) {
    ptl_error error = {0};
    ptl_status status = ptl_allocate(sequence, n, &l->policy, layout, l->instances, &error);
    if (status) fail_msg("%s: %s", error.where, error.what);
    l->n = n;
    assert_int_equal(ptl_setup_instances(l->instances, n, &l->policy, layout, l->ahead, sizeof l->ahead,
                                         &l->ahead_size, &error),
                     PTL_OK);
    assert_int_equal(ptl_restore_instances(l->instances, n, &l->policy, layout, l->behind, sizeof l->behind,
                                           &l->behind_size, &error),
                     PTL_OK);
}

/* Executes sums of the memory's base with a number, and moves of numbers. */
static void execute(loop* l, const uint8_t* code, size_t size, bool is_ahead) {
    for (size_t at = 0; at < size; at += 4) {
        ptl_instance i;
        ptl_error error;
        size_t n;
        unsigned r = 0;
        assert_int_equal(ptl_decode(&ptl_aarch64, code + at, size - at, &i, &n, &error), PTL_OK);
        ptl_register_place(&ptl_aarch64, i.values[0].reg, &r);
        if (strcmp(i.scheme.name, "add xsp, xsp, imm12") == 0) {
            assert_true(is_ahead || l->is_base[r]);
            l->is_base[r] = true;
            l->x[r] = i.values[2].number;
        } else {
            assert_true(is_ahead);
            bool negative = strncmp(i.scheme.name, "movn", 4) == 0;
            assert_true(negative || strncmp(i.scheme.name, "movz", 4) == 0);
            l->x[r] = negative ? ~i.values[1].number : i.values[1].number;
        }
    }
}

static int64_t amount_of(const loop* l, const ptl_instance* i, const ptl_move* m) {
    unsigned r = 0;
    if (m->bytes) return m->bytes;
    if (i->scheme.operands[m->amount].kind != PTL_REGISTER) return i->values[m->amount].number;
    ptl_register_place(&ptl_aarch64, i->values[m->amount].reg, &r);
    return l->x[r];
}

/* One instance: what it accesses is where loads, or stores, may go; bases are named by moving addresses
 * alone.
 */
static void step(loop* l, const ptl_instance* i) {
    uint32_t own = 0, bases = 0;
    ptl_accesses a;
    for (unsigned r = 0; r < 32; r++) bases |= (uint32_t)l->is_base[r] << r;
    for (unsigned k = 0; k < i->scheme.visible_count; k++) {
        const ptl_operand* o = &i->scheme.operands[k];
        ptl_move m = o->kind == PTL_MEMORY ? ptl_a64_move(&i->scheme, o) : (ptl_move){0};
        unsigned base = 0;
        if (!m.moves) continue;
        ptl_register_place(&ptl_aarch64, i->values[k].base, &base);
        assert_true(l->is_base[base]);
        int64_t amount = amount_of(l, i, &m), at = l->x[base] + (m.ahead ? amount : 0);
        int64_t first = ptl_operand_writes(o) ? 2048 : 0;
        assert_true(at >= first && at + o->width / 8 <= first + 2048);
        l->x[base] += amount;
        own |= 1u << base;
    }
    ptl_accesses_of(i, &a);
    uint32_t named = a.read[0] | a.written[0] | a.address[0];
    if (named & bases & ~own) fail_msg("%s names a base of others", i->scheme.name);
}

static void run(loop* l) {
    int64_t start[32];
    memset(l->is_base, 0, sizeof l->is_base);
    memset(l->x, 0, sizeof l->x);
    execute(l, l->ahead, l->ahead_size, true);
    memcpy(start, l->x, sizeof start);
    for (unsigned round = 0; round < 3; round++) {
        for (size_t i = 0; i < l->n; i++) step(l, &l->instances[i]);
        execute(l, l->behind, l->behind_size, false);
        assert_memory_equal(l->x, start, sizeof start);
    }
}

static void build_from(loop* l, const char* const* names, size_t count, size_t n, unsigned layout) {
    ptl_scheme schemes[4];
    const ptl_scheme* sequence[MOST];
    for (size_t k = 0; k < count; k++)
        assert_int_equal(ptl_scheme_from_name(names[k], &schemes[k], NULL), PTL_OK);
    for (size_t k = 0; k < n; k++) sequence[k] = &schemes[k % count];
    build(l, sequence, n, layout);
    run(l);
}

static bool is_measurable(const ptl_scheme* s) {
    if (s->branch_type || strstr(s->name, "[pc,")) return false;
    return strcmp(s->category, "SYSTEM") && strcmp(s->category, "EXCEPTION");
}

static uint64_t next_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Any scheme whose base moves, with up to three others of any kind, in loops of any length. */
static void bases_come_back(void** state) {
    loop* l = *state;
    ptl_catalogue* c;
    uint64_t seed = 5;
    size_t moving = 0;
    assert_int_equal(ptl_catalogue_new(&c, &ptl_aarch64, 3, NULL), PTL_OK);
    for (size_t i = 0; i < ptl_catalogue_count(c); i++) {
        const ptl_scheme *sequence[MOST], *chosen[4] = {ptl_catalogue_at(c, i)};
        if (!ptl_scheme_moves_bases(chosen[0]) || !is_measurable(chosen[0])) continue;
        moving++;
        for (unsigned k = 1; k < 4; k++) do
                chosen[k] = ptl_catalogue_at(c, next_random(&seed) % ptl_catalogue_count(c));
            while (!is_measurable(chosen[k]));
        size_t of = 1 + i % 4, n = of + next_random(&seed) % (MOST - of);
        for (size_t k = 0; k < n; k++) sequence[k] = chosen[k % of];
        build(l, sequence, n, (unsigned)(i % LAYOUTS));
        run(l);
    }
    assert_true(moving > 400);
    ptl_catalogue_free(c);
}

/* Amounts that can be chosen go forth and back; of those that are fixed the end takes a few bases back. */
static void few_instructions_take_bases_back(void** state) {
    static const char* const chosen[] = {"ldr x, [x], imm9", "stp q, q, [x, imm7]!"};
    static const char* const by_register[] = {"ld1 {v.16b, v.16b, v.16b, v.16b}, [x], x"};
    static const char* const fixed[] = {"ld1 {v.4s}, [x], 16", "st4 {v.16b, v.16b, v.16b, v.16b}, [x], 64"};
    static const char* const rare[] = {"ldr x, [x], imm9", "add x, x, x", "add x, x, x", "add x, x, x"};
    static const size_t lengths[] = {6, 38, 39, 40, 80, 199, 200};
    loop* l = *state;
    for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        build_from(l, chosen, 2, lengths[k], 0);
        assert_true(lengths[k] == 39 || lengths[k] == 199 || lengths[k] < 39 || l->behind_size == 0);
        build_from(l, by_register, 1, lengths[k], 1);
        build_from(l, fixed, 2, lengths[k], 2);
        assert_true(l->behind_size <= 4 * 16);
        build_from(l, rare, 4, lengths[k], 3);
    }
    build_from(l, fixed, 1, 200, 0);
    assert_int_equal(l->behind_size, 4 * 6);
    build_from(l, by_register, 1, 200, 0);
    assert_int_equal(l->behind_size, 0);
}

/* What would get past the memory is refused: amounts that schemes fix, in a long body. */
static void no_base_leaves_memory(void** state) {
    static const char* const names[] = {"st4 {v.16b, v.16b, v.16b, v.16b}, [x], 64",
                                        "ld4 {v.16b, v.16b, v.16b, v.16b}, [x], 64"};
    enum { LONG = 1000 };
    const ptl_scheme* sequence[LONG];
    loop* l = *state;
    ptl_instance* instances = calloc(LONG, sizeof *instances);
    assert_non_null(instances);
    for (unsigned k = 0; k < 2; k++) {
        ptl_scheme scheme;
        ptl_error error = {0};
        size_t size = 1;
        assert_int_equal(ptl_scheme_from_name(names[k], &scheme, NULL), PTL_OK);
        for (size_t i = 0; i < LONG; i++) sequence[i] = &scheme;
        assert_int_equal(ptl_allocate(sequence, LONG, &l->policy, 0, instances, &error), PTL_OK);
        assert_int_equal(
            ptl_setup_instances(instances, LONG, &l->policy, 0, l->ahead, sizeof l->ahead, &size, &error),
            PTL_LIMIT);
        assert_int_equal(size, 0);
        assert_non_null(strstr(error.what, "leave the 4096 bytes of memory"));
    }
    free(instances);
}

static int setup(void** state) {
    loop* l = calloc(1, sizeof *l);
    if (!l) return -1;
    l->policy = make_policy();
    *state = l;
    return 0;
}

static int teardown(void** state) {
    free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bases_come_back),
        cmocka_unit_test(few_instructions_take_bases_back),
        cmocka_unit_test(no_base_leaves_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
