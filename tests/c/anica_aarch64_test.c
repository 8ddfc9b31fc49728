/* Blocks of A64, drawn and taken apart again: every scheme that can be drawn, by its template and by the
 * encoder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/catalogue.h"
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

static void make_policy(ptl_policy* p) {
    sampling_policy(p, 15); /* for its layout */
    p->architecture = &ptl_aarch64;
    p->memory_base = 28;
    p->vector_index = 31;
    memset(p->sets, 0, sizeof p->sets);
    memset(p->reserved, 0, sizeof p->reserved);
    p->reserved[PTL_FILE_GPR] = 1u << 18 | 0xFE000000;
    p->reserved[PTL_FILE_VECTOR] = 1u << 31;
    policy_add(p, PTL_FILE_GPR, PTL_USE_READ, 0, 4);
    policy_add(p, PTL_FILE_GPR, PTL_USE_WRITTEN, 4, 4);
    policy_add(p, PTL_FILE_GPR, PTL_USE_UPDATED, 8, 10);
    policy_add(p, PTL_FILE_VECTOR, PTL_USE_READ, 0, 4);
    policy_add(p, PTL_FILE_VECTOR, PTL_USE_WRITTEN, 4, 8);
    policy_add(p, PTL_FILE_VECTOR, PTL_USE_UPDATED, 12, 19);
}

static int setup(void** state) {
    fixture* f = calloc(1, sizeof *f);
    if (!f) return -1;
    make_policy(&f->policy);
    if (ptl_catalogue_new(&f->catalogue, &ptl_aarch64, 3, NULL) != PTL_OK) return -1;
    f->count = ptl_catalogue_count(f->catalogue);
    f->universe = calloc(f->count, sizeof *f->universe);
    f->all = calloc(f->count, sizeof *f->all);
    if (!f->universe || !f->all) return -1;
    for (uint32_t i = 0; i < f->count; i++)
        f->universe[i] = *ptl_catalogue_at(f->catalogue, i), f->all[i] = i;
    if (ptl_sampler_new(&f->sampler, f->universe, NULL, f->count, &f->policy, NULL)) return -1;
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

/* Blocks of one instruction, which is to be right; as many as make every register likely. */
static void every_scheme_is_drawn(void** state) {
    enum { BLOCKS = 60 };
    static ptl_block blocks[BLOCKS];
    fixture* f = *state;
    ptl_rng rng = ptl_rng_seed(5);
    size_t drawable = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        ptl_scheme_list list = {&i, 1};
        ptl_sample_request r = {.instructions = &list, .length = 1};
        ptl_sample_figures figures;
        ptl_error e;
        if (!ptl_sampler_can_draw(f->sampler, i, NULL)) continue;
        if (ptl_sampler_draw(f->sampler, &r, &rng, BLOCKS, blocks, &figures, &e))
            fail_msg("%s: %s", f->universe[i].name, e.what);
        for (size_t k = 0; k < figures.drawn; k++) {
            const char* wrong = sampling_fault(f->universe, &f->policy, &blocks[k], NULL, 0);
            if (wrong) fail_msg("%s: %s", f->universe[i].name, wrong);
        }
        drawable++;
    }
    print_message("%zu of %zu schemes can be drawn\n", drawable, f->count);
    assert_true(drawable > f->count * 3 / 4); /* the others: bases that move, addresses of code */
}

/* The encoder makes the same code of the same values. */
static void templates_write_what_the_encoder_writes(void** state) {
    enum { BLOCKS = 50, ROUNDS = 400 };
    static ptl_block blocks[BLOCKS];
    fixture* f = *state;
    ptl_rng rng = ptl_rng_seed(7);
    ptl_scheme_list lists[6];
    for (unsigned i = 0; i < 6; i++) lists[i] = (ptl_scheme_list){f->all, f->count};
    for (unsigned round = 0; round < ROUNDS; round++) {
        ptl_sample_request r = {.instructions = lists, .length = 1 + round % 6};
        ptl_sample_figures figures;
        assert_int_equal(ptl_sampler_draw(f->sampler, &r, &rng, BLOCKS, blocks, &figures, NULL), PTL_OK);
        for (size_t k = 0; k < figures.drawn; k++) {
            const ptl_block* b = &blocks[k];
            for (size_t i = 0; i < b->length; i++) {
                ptl_instance instance;
                ptl_error e;
                uint8_t code[PTL_INSTRUCTION_MAX];
                size_t n;
                ptl_block_instance(f->sampler, b, i, &instance);
                if (ptl_encode(&instance, code, &n, &e)) fail_msg("%s: %s", e.where, e.what);
                assert_int_equal(n, 4);
                if (memcmp(code, b->bytes + 4 * i, 4) != 0) fail_msg("%s", instance.scheme.name);
            }
        }
    }
}

/* What must alias does, what must not does not: the representations of random blocks. */
static void constraints_are_kept(void** state) {
    static sampling_abstract abstract;
    static ptl_block blocks[20];
    fixture* f = *state;
    ptl_rng rng = ptl_rng_seed(6);
    size_t drawn = 0;
    for (unsigned round = 0; round < 300; round++) {
        ptl_sample_figures figures;
        sampling_representation_random(&abstract, f->sampler, f->universe, f->all, f->count, 1 + round % 5,
                                       &rng);
        if (ptl_sampler_draw(f->sampler, &abstract.request, &rng, 20, blocks, &figures, NULL)) continue;
        for (size_t k = 0; k < figures.drawn; k++) {
            const char* wrong = sampling_fault(f->universe, &f->policy, &blocks[k], abstract.request.aliases,
                                               abstract.request.alias_count);
            if (wrong) fail_msg("%s", wrong);
        }
        drawn += figures.drawn;
    }
    assert_true(drawn > 5000);
}

/* Two architectures in one universe, or a policy of the other one, are refused. */
static void architectures_are_not_mixed(void** state) {
    fixture* f = *state;
    ptl_sampler* s;
    ptl_error e;
    ptl_scheme schemes[2] = {f->universe[0]};
    assert_int_equal(ptl_scheme_from_name("add r64, r64", &schemes[1], NULL), PTL_OK);
    assert_int_equal(ptl_sampler_new(&s, schemes, NULL, 2, &f->policy, &e), PTL_BAD_INPUT);
    assert_non_null(strstr(e.what, "another architecture"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_is_drawn),
        cmocka_unit_test(templates_write_what_the_encoder_writes),
        cmocka_unit_test(constraints_are_kept),
        cmocka_unit_test(architectures_are_not_mixed),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
