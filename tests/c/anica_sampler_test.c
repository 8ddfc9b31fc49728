/* Drawn blocks: machine code of the schemes chosen, constraints satisfied, memory disjoint, and clear words
 * where nothing can be drawn (dissertation §8.1.5). */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <Zydis/Zydis.h>

#include "anica/sampler.h"
#include "isa/catalogue.h"
#include "isa/x86_64/x86_64.h"
#include "sampling_check.h"
#include "sampling_policy.h"

typedef struct fixture {
    ptl_policy policy;
    ptl_catalogue* catalogue;
    ptl_scheme* universe;
    uint32_t* all;
    size_t count;
    ptl_sampler* sampler;
} fixture;

static int setup(void** state) {
    fixture* f = calloc(1, sizeof *f);
    sampling_policy(&f->policy, 32);
    if (ptl_catalogue_new(&f->catalogue, &ptl_x86_64, PTL_X86_ALL, NULL) != PTL_OK) return -1;
    f->count = ptl_catalogue_count(f->catalogue);
    f->universe = calloc(f->count, sizeof *f->universe);
    f->all = calloc(f->count, sizeof *f->all);
    for (uint32_t i = 0; i < f->count; i++) {
        f->universe[i] = *ptl_catalogue_at(f->catalogue, i);
        f->all[i] = i;
    }
    if (ptl_sampler_new(&f->sampler, f->universe, NULL, f->count, &f->policy, NULL) != PTL_OK) return -1;
    *state = f;
    return 0;
}

static int teardown(void** state) {
    fixture* f = *state;
    ptl_sampler_free(f->sampler);
    ptl_catalogue_free(f->catalogue);
    free(f->universe);
    free(f->all);
    free(f);
    return 0;
}

static uint32_t named(const fixture* f, const char* name) {
    const ptl_scheme* s = ptl_catalogue_find(f->catalogue, name);
    if (!s) fail_msg("no scheme %s", name);
    for (uint32_t i = 0; i < f->count; i++)
        if (!strcmp(f->universe[i].name, name)) return i;
    return 0;
}

static void fail_block(const fixture* f, const ptl_block* b, const char* why) {
    for (unsigned i = 0; i < b->length; i++) print_message("  %s\n", f->universe[b->schemes[i]].name);
    fail_msg("%s", why);
}

static void check(const fixture* f, const ptl_block* b, const ptl_alias* aliases, size_t count) {
    const char* wrong = sampling_fault(f->universe, &f->policy, b, aliases, count);
    if (wrong) fail_block(f, b, wrong);
}

/* Blocks of any schemes. Constraints on an operand's copy of each: what random blocks look like. */
static void unconstrained_blocks_are_valid(void** state) {
    fixture* f = *state;
    ptl_rng rng = ptl_rng_seed(1);
    ptl_scheme_list lists[PTL_BLOCK_LENGTH_MAX];
    for (unsigned i = 0; i < PTL_BLOCK_LENGTH_MAX; i++) lists[i] = (ptl_scheme_list){f->all, f->count};
    for (unsigned round = 0; round < 5000; round++) {
        ptl_sample_request r = {.instructions = lists, .length = 1 + round % 6};
        ptl_block blocks[10];
        ptl_sample_figures figures;
        if (round % 100 == 0) r.length = PTL_BLOCK_LENGTH_MAX;
        assert_int_equal(ptl_sampler_draw(f->sampler, &r, &rng, 10, blocks, &figures, NULL), PTL_OK);
        assert_int_equal(figures.drawn, 10);
        for (unsigned i = 0; i < 10; i++) check(f, &blocks[i], NULL, 0);
    }
}

/* An abstract block between a random block and top: its constraints without some, more schemes for some. */
static void constrained_blocks_are_valid(void** state) {
    fixture* f = *state;
    ptl_rng rng = ptl_rng_seed(2);
    size_t drawn = 0, failed = 0;
    for (unsigned round = 0; round < 5000; round++) {
        sampling_abstract a;
        ptl_block blocks[10];
        ptl_sample_figures figures;
        sampling_abstract_random(&a, f->sampler, f->universe, f->all, f->count, 1 + round % 6, &rng);
        ptl_status status = ptl_sampler_draw(f->sampler, &a.request, &rng, 10, blocks, &figures, NULL);
        assert_true(status == PTL_OK || (status == PTL_UNSUPPORTED && figures.drawn == 0));
        for (size_t i = 0; i < figures.drawn; i++) {
            check(f, &blocks[i], a.aliases, a.request.alias_count);
            for (unsigned k = 0; k < blocks[i].length; k++)
                if (a.lists[k].count == 1) assert_int_equal(blocks[i].schemes[k], a.lists[k].schemes[0]);
        }
        drawn += figures.drawn;
        failed += figures.failed;
    }
    assert_true(drawn >= 49000);
    assert_true(failed < drawn / 100);
}

/* The block itself is represented: with its own schemes and all its constraints it can be drawn again. */
static void representations_can_be_drawn(void** state) {
    fixture* f = *state;
    ptl_rng rng = ptl_rng_seed(3);
    size_t failed = 0;
    for (unsigned round = 0; round < 5000; round++) {
        sampling_abstract a;
        ptl_block block;
        ptl_sample_figures figures;
        sampling_representation_random(&a, f->sampler, f->universe, f->all, f->count, 1 + round % 5, &rng);
        ptl_status status = ptl_sampler_draw(f->sampler, &a.request, &rng, 1, &block, &figures, NULL);
        if (status == PTL_OK)
            check(f, &block, a.aliases, a.request.alias_count);
        else
            failed++; /* colouring greedily can fail, mostly among mask registers */
    }
    assert_true(failed < 25);
}

static ptl_status draw(const fixture* f, const char* const* names, size_t length, const ptl_alias* aliases,
                       size_t alias_count, ptl_block* out, ptl_error* e) {
    uint32_t schemes[PTL_BLOCK_LENGTH_MAX];
    ptl_scheme_list lists[PTL_BLOCK_LENGTH_MAX];
    ptl_rng rng = ptl_rng_seed(4);
    ptl_sample_figures figures;
    for (size_t i = 0; i < length; i++) {
        schemes[i] = named(f, names[i]);
        lists[i] = (ptl_scheme_list){&schemes[i], 1};
    }
    ptl_sample_request r = {lists, length, aliases, alias_count, 20};
    return ptl_sampler_draw(f->sampler, &r, &rng, 1, out, &figures, e);
}

static void shifts_by_cl_cannot_have_other_counts(void** state) {
    fixture* f = *state;
    const char* names[] = {"shl r64, cl", "shr r64, cl"};
    ptl_alias differ = {{0, 1}, {1, 1}, PTL_MUST_NOT_ALIAS}, follow = {{0, 1}, {1, 0}, PTL_MUST_ALIAS};
    ptl_block b;
    ptl_error e;
    assert_int_equal(draw(f, names, 2, &differ, 1, &b, &e), PTL_UNSUPPORTED);
    assert_non_null(strstr(e.what, "must not alias"));
    assert_int_equal(draw(f, names, 2, &follow, 1, &b, &e), PTL_OK);
    check(f, &b, &follow, 1);
    assert_int_equal(b.values[1][0], 1); /* rcx */
}

static void other_schemes_are_tried(void** state) {
    fixture* f = *state;
    uint32_t schemes[] = {named(f, "shl r64, cl"), named(f, "add r64, r64")};
    ptl_scheme_list lists[] = {{schemes, 2}, {schemes, 1}};
    ptl_alias differ = {{0, 1}, {1, 1}, PTL_MUST_NOT_ALIAS};
    ptl_sample_request r = {lists, 2, &differ, 1, 0};
    ptl_rng rng = ptl_rng_seed(5);
    ptl_block b[100];
    ptl_sample_figures figures;
    assert_int_equal(ptl_sampler_draw(f->sampler, &r, &rng, 100, b, &figures, NULL), PTL_OK);
    assert_int_equal(figures.drawn, 100);
    assert_int_equal(figures.failed, 0);
    assert_true(figures.tries > 150 && figures.tries < 300); /* half of them fail */
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(b[i].schemes[0], schemes[1]);
        check(f, &b[i], &differ, 1);
    }
}

static void hidden_memory_is_followed(void** state) {
    fixture* f = *state;
    const char* names[] = {"push r64", "mov r64, m64", "stosq"};
    const ptl_scheme *push = &f->universe[named(f, names[0])], *stos = &f->universe[named(f, names[2])];
    uint8_t pushed = 0, stored = 0;
    while (push->operands[pushed].kind != PTL_MEMORY) pushed++;
    while (stos->operands[stored].kind != PTL_MEMORY) stored++;
    ptl_alias same = {{0, pushed}, {1, 1}, PTL_MUST_ALIAS},
              differ = {{0, pushed}, {1, 1}, PTL_MUST_NOT_ALIAS};
    ptl_alias stack = {{0, pushed}, {2, stored}, PTL_MUST_ALIAS};
    ptl_block b;
    ptl_error e;
    assert_int_equal(draw(f, names, 3, &same, 1, &b, &e), PTL_OK);
    check(f, &b, &same, 1);
    assert_int_equal(b.values[1][1], PTL_AT_REGISTER + 4); /* [rsp] */
    assert_int_equal(draw(f, names, 3, &differ, 1, &b, &e), PTL_OK);
    check(f, &b, &differ, 1);
    assert_int_equal(draw(f, names, 3, &stack, 1, &b, &e), PTL_UNSUPPORTED); /* [rsp] is not [rdi] */
    assert_non_null(strstr(e.what, "one address"));
}

/* All bases that hidden memory has: rsp needs a SIB byte, rbp a displacement. */
static void every_hidden_base_can_be_written(void** state) {
    fixture* f = *state;
    uint32_t bases = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const ptl_scheme* s = &f->universe[i];
        if (!ptl_sampler_can_draw(f->sampler, i, NULL)) continue;
        for (uint8_t k = s->visible_count; k < s->operand_count; k++) {
            if (s->operands[k].kind != PTL_MEMORY || s->mnemonic == ZYDIS_MNEMONIC_XLAT) continue;
            const char* names[] = {s->name, "vaddps zmm, zmm, m512", "vaddps ymm, ymm, m256", "add m64, r64"};
            ptl_alias same[] = {{{0, k}, {1, 2}, PTL_MUST_ALIAS},
                                {{0, k}, {2, 2}, PTL_MUST_ALIAS},
                                {{0, k}, {3, 0}, PTL_MUST_ALIAS}};
            ptl_block b;
            assert_int_equal(draw(f, names, 4, same, 3, &b, NULL), PTL_OK);
            check(f, &b, same, 3);
            bases |= UINT32_C(1) << (b.values[1][2] - PTL_AT_REGISTER);
        }
    }
    assert_int_equal(bases & (1u << 4 | 1u << 5 | 1u << 7), 1u << 4 | 1u << 5 | 1u << 7); /* rsp, rbp, rdi */
}

static void contradictions_are_told(void** state) {
    fixture* f = *state;
    const char* names[] = {"add r64, r64", "add r64, r64", "mul r64", "push r64", "shl r64, cl"};
    ptl_block b;
    ptl_error e;
    ptl_alias both[] = {{{0, 0}, {1, 0}, PTL_MUST_ALIAS}, {{0, 0}, {1, 0}, PTL_MUST_NOT_ALIAS}};
    assert_int_equal(draw(f, names, 2, both, 2, &b, &e), PTL_UNSUPPORTED);
    assert_non_null(strstr(e.what, "no block could be drawn in 20 tries"));
    ptl_alias fixed = {{2, 1}, {4, 1}, PTL_MUST_ALIAS}; /* rax or rdx of mul, cl */
    assert_int_equal(draw(f, names, 5, &fixed, 1, &b, &e), PTL_UNSUPPORTED);
    assert_non_null(strstr(e.what, "fixed to different registers"));
    uint8_t rsp = 1; /* the stack pointer is reserved */
    while (f->universe[named(f, "push r64")].operands[rsp].kind != PTL_REGISTER) rsp++;
    ptl_alias stack = {{0, 0}, {3, rsp}, PTL_MUST_ALIAS};
    assert_int_equal(draw(f, names, 4, &stack, 1, &b, &e), PTL_UNSUPPORTED);
    assert_non_null(strstr(e.what, "reserved"));
    ptl_alias gone = {{0, 0}, {9, 9}, PTL_MUST_ALIAS}; /* no such operand: no constraint */
    assert_int_equal(draw(f, names, 4, &gone, 1, &b, &e), PTL_OK);
}

static void too_many_neighbours_leave_nothing(void** state) {
    fixture* f = *state;
    const char* names[PTL_BLOCK_LENGTH_MAX];
    ptl_alias differ[PTL_BLOCK_LENGTH_MAX * PTL_BLOCK_LENGTH_MAX];
    size_t count = 0;
    for (unsigned i = 0; i < PTL_BLOCK_LENGTH_MAX; i++) {
        names[i] = "inc r64";
        for (unsigned j = i + 1; j < PTL_BLOCK_LENGTH_MAX; j++)
            differ[count++] = (ptl_alias){{(uint8_t)i, 0}, {(uint8_t)j, 0}, PTL_MUST_NOT_ALIAS};
    }
    ptl_block b;
    ptl_error e;
    assert_int_equal(draw(f, names, PTL_BLOCK_LENGTH_MAX, differ, count, &b, &e), PTL_UNSUPPORTED);
    assert_non_null(strstr(e.what, "leave no register"));
    for (unsigned i = 0; i < PTL_BLOCK_LENGTH_MAX; i++) names[i] = "inc m64"; /* as many slots there are */
    assert_int_equal(draw(f, names, PTL_BLOCK_LENGTH_MAX, differ, count, &b, &e), PTL_OK);
    check(f, &b, differ, count);
}

static void wrong_requests_are_refused(void** state) {
    fixture* f = *state;
    uint32_t add = named(f, "add r64, r64"), beyond = (uint32_t)f->count, segment = named(f, "mov sreg, r16");
    ptl_rng rng = ptl_rng_seed(6);
    ptl_block b;
    ptl_sample_figures figures;
    ptl_error e;
    ptl_scheme_list lists[2] = {{&add, 1}, {&add, 0}};
    ptl_sample_request r = {.instructions = lists, .length = 2};
    assert_int_equal(ptl_sampler_draw(f->sampler, &r, &rng, 1, &b, &figures, &e), PTL_BAD_INPUT);
    assert_non_null(strstr(e.what, "instruction 2"));
    lists[1] = (ptl_scheme_list){&beyond, 1};
    assert_int_equal(ptl_sampler_draw(f->sampler, &r, &rng, 1, &b, &figures, &e), PTL_BAD_INPUT);
    lists[1] = (ptl_scheme_list){&segment, 1};
    assert_int_equal(ptl_sampler_draw(f->sampler, &r, &rng, 1, &b, &figures, &e), PTL_UNSUPPORTED);
    assert_string_equal(e.where, "mov sreg, r16");
    r.length = 0;
    assert_int_equal(ptl_sampler_draw(f->sampler, &r, &rng, 1, &b, &figures, &e), PTL_BAD_INPUT);
    r.length = PTL_BLOCK_LENGTH_MAX + 1;
    assert_int_equal(ptl_sampler_draw(f->sampler, &r, &rng, 1, &b, &figures, &e), PTL_BAD_INPUT);
    const char* why;
    assert_false(ptl_sampler_can_draw(f->sampler, beyond, &why));
    assert_false(ptl_sampler_can_draw(f->sampler, segment, &why));
    assert_non_null(why);
    assert_true(ptl_sampler_can_draw(f->sampler, add, &why));
    assert_null(why);
}

static void schemes_that_cannot_be_drawn_are_passed_over(void** state) {
    fixture* f = *state;
    uint32_t schemes[1000], segment = named(f, "mov sreg, r16");
    for (unsigned i = 0; i < 1000; i++) schemes[i] = segment;
    schemes[700] = named(f, "add r64, r64");
    ptl_scheme_list list = {schemes, 1000};
    ptl_sample_request r = {.instructions = &list, .length = 1};
    ptl_rng rng = ptl_rng_seed(7);
    ptl_block b[20];
    ptl_sample_figures figures;
    assert_int_equal(ptl_sampler_draw(f->sampler, &r, &rng, 20, b, &figures, NULL), PTL_OK);
    for (unsigned i = 0; i < 20; i++) assert_int_equal(b[i].schemes[0], schemes[700]);
}

/* Of add r64, r64 all 13 * 13 pairs of registers come up about equally often. */
static void registers_are_chosen_uniformly(void** state) {
    fixture* f = *state;
    enum { N = 169 * 200 };
    uint32_t add = named(f, "add r64, r64");
    ptl_scheme_list list = {&add, 1};
    ptl_sample_request r = {.instructions = &list, .length = 1};
    ptl_rng rng = ptl_rng_seed(8);
    ptl_block* b = calloc(N, sizeof *b);
    ptl_sample_figures figures;
    unsigned met[16][16] = {{0}}, pairs = 0;
    double chi = 0;
    assert_int_equal(ptl_sampler_draw(f->sampler, &r, &rng, N, b, &figures, NULL), PTL_OK);
    for (unsigned i = 0; i < N; i++) met[b[i].values[0][0]][b[i].values[0][1]]++;
    for (unsigned x = 0; x < 16; x++)
        for (unsigned y = 0; y < 16; y++)
            if (met[x][y]) pairs++, chi += (met[x][y] - 200.0) * (met[x][y] - 200.0) / 200;
    assert_int_equal(pairs, 169);
    assert_true(chi > 100 && chi < 250); /* 168 degrees of freedom: 168 +- 18 */
    free(b);
}

static void seeds_decide(void** state) {
    fixture* f = *state;
    ptl_scheme_list lists[] = {{f->all, f->count}, {f->all, f->count}, {f->all, f->count}};
    ptl_sample_request r = {.instructions = lists, .length = 3};
    ptl_sample_figures figures;
    ptl_block b[3];
    for (unsigned i = 0; i < 3; i++) {
        ptl_rng rng = ptl_rng_seed(i == 2 ? 10 : 9);
        assert_int_equal(ptl_sampler_draw(f->sampler, &r, &rng, 1, &b[i], &figures, NULL), PTL_OK);
    }
    assert_int_equal(b[0].size, b[1].size);
    assert_memory_equal(b[0].bytes, b[1].bytes, b[0].size);
    assert_false(b[0].size == b[2].size && !memcmp(b[0].bytes, b[2].bytes, b[0].size));
}

/* The encoder, asked for the same blocks: the same instructions. (But for xchg rax, rax, which it cannot
 * write: then the draw is repeated, and all others differ. None is among these.) */
static void the_encoder_draws_the_same_blocks(void** state) {
    fixture* f = *state;
    ptl_sampler* twin;
    assert_int_equal(ptl_sampler_new(&twin, f->universe, NULL, f->count, &f->policy, NULL), PTL_OK);
    ptl_sampler_use_encoder(twin);
    ptl_rng rng = ptl_rng_seed(11);
    for (unsigned round = 0; round < 300; round++) {
        sampling_abstract a;
        ptl_block ours[5], theirs[5];
        ptl_sample_figures figures, twins;
        ptl_instance x, y;
        sampling_abstract_random(&a, f->sampler, f->universe, f->all, f->count, 4, &rng);
        ptl_rng again = rng;
        ptl_sampler_draw(f->sampler, &a.request, &rng, 5, ours, &figures, NULL);
        ptl_sampler_draw(twin, &a.request, &again, 5, theirs, &twins, NULL);
        assert_int_equal(figures.drawn, twins.drawn);
        assert_int_equal(figures.tries, twins.tries);
        for (size_t i = 0; i < figures.drawn; i++) {
            check(f, &theirs[i], a.aliases, a.request.alias_count);
            assert_memory_equal(ours[i].schemes, theirs[i].schemes, 4 * sizeof *ours[i].schemes);
            for (unsigned k = 0; k < 4; k++) {
                ptl_block_instance(f->sampler, &ours[i], k, &x);
                ptl_block_instance(twin, &theirs[i], k, &y);
                assert_true(ptl_instance_equal(&x, &y));
            }
        }
    }
    ptl_sampler_free(twin);
}

/* Memory bases that need a SIB byte (r12) or a displacement (r13), no REX (rbx), other gather indices. */
static void other_policies_work(void** state) {
    fixture* f = *state;
    static const uint8_t bases[] = {12, 13, 3, 5, 8}, indices[] = {3, 12, 20, 15, 31};
    for (unsigned p = 0; p < sizeof bases; p++) {
        fixture other = *f;
        memset(other.policy.sets, 0, sizeof other.policy.sets);
        other.policy.memory_base = bases[p];
        other.policy.vector_index = indices[p];
        other.policy.memory_bytes = 2048;
        for (uint32_t use = 0; use < PTL_USES; use++)
            other.policy.layouts[0].ranges[use] = (ptl_range){512 * use, 512, 0};
        other.policy.reserved[PTL_FILE_GPR] = 1u << 4 | 1u << bases[p];
        other.policy.reserved[PTL_FILE_VECTOR] = 1u << indices[p];
        for (int file = 0; file < PTL_FILES; file++)
            for (unsigned n = file == PTL_FILE_X87; n < ptl_file_size(&ptl_x86_64, (ptl_file)file); n++)
                if (!(other.policy.reserved[file] >> n & 1))
                    policy_add(&other.policy, (ptl_file)file, PTL_USE_READ, n, 1);
        assert_int_equal(ptl_sampler_new(&other.sampler, f->universe, NULL, f->count, &other.policy, NULL),
                         PTL_OK);
        ptl_rng rng = ptl_rng_seed(p);
        for (unsigned round = 0; round < 400; round++) {
            sampling_abstract a;
            ptl_block blocks[5];
            ptl_sample_figures figures;
            sampling_abstract_random(&a, other.sampler, f->universe, f->all, f->count, 4, &rng);
            ptl_sampler_draw(other.sampler, &a.request, &rng, 5, blocks, &figures, NULL);
            for (size_t i = 0; i < figures.drawn; i++)
                check(&other, &blocks[i], a.aliases, a.request.alias_count);
        }
        ptl_sampler_free(other.sampler);
    }
}

typedef struct worker {
    const fixture* f;
    ptl_block blocks[200];
    ptl_sample_figures figures;
} worker;

static void* work(void* argument) {
    worker* w = argument;
    ptl_scheme_list lists[] = {{w->f->all, w->f->count}, {w->f->all, w->f->count}, {w->f->all, w->f->count}};
    ptl_alias differ = {{0, 0}, {1, 0}, PTL_MUST_NOT_ALIAS};
    ptl_sample_request r = {.instructions = lists, .length = 3, .aliases = &differ, .alias_count = 1};
    ptl_rng rng = ptl_rng_seed(12);
    ptl_sampler_draw(w->f->sampler, &r, &rng, 200, w->blocks, &w->figures, NULL);
    return NULL;
}

static void threads_share_a_sampler(void** state) {
    worker* w = calloc(2, sizeof *w);
    pthread_t threads[2];
    for (unsigned i = 0; i < 2; i++) {
        w[i].f = *state;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &w[i]), 0);
    }
    for (unsigned i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert_int_equal(w[0].figures.drawn, 200);
    assert_int_equal(w[1].figures.drawn, 200);
    for (unsigned i = 0; i < 200; i++) {
        assert_int_equal(w[0].blocks[i].size, w[1].blocks[i].size);
        assert_memory_equal(w[0].blocks[i].bytes, w[1].blocks[i].bytes, w[0].blocks[i].size);
    }
    free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unconstrained_blocks_are_valid),
        cmocka_unit_test(constrained_blocks_are_valid),
        cmocka_unit_test(representations_can_be_drawn),
        cmocka_unit_test(shifts_by_cl_cannot_have_other_counts),
        cmocka_unit_test(other_schemes_are_tried),
        cmocka_unit_test(hidden_memory_is_followed),
        cmocka_unit_test(every_hidden_base_can_be_written),
        cmocka_unit_test(contradictions_are_told),
        cmocka_unit_test(too_many_neighbours_leave_nothing),
        cmocka_unit_test(wrong_requests_are_refused),
        cmocka_unit_test(schemes_that_cannot_be_drawn_are_passed_over),
        cmocka_unit_test(registers_are_chosen_uniformly),
        cmocka_unit_test(seeds_decide),
        cmocka_unit_test(the_encoder_draws_the_same_blocks),
        cmocka_unit_test(other_policies_work),
        cmocka_unit_test(threads_share_a_sampler),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
