/* Chains of all schemes of A64 (chain_check.h). */
#include "chain_check.h"
#include "isa/aarch64/aarch64.h"

static void add(ptl_policy* p, ptl_file file, ptl_use use, unsigned first, unsigned count) {
    ptl_register_set* s = &p->sets[file][use];
    for (unsigned i = 0; i < count; i++) s->numbers[s->count++] = (uint8_t)(first + i);
}

/* Like arch/aarch64/policy.lua. */
static void make_policy(ptl_policy* p) {
    memset(p, 0, sizeof *p);
    p->architecture = &ptl_aarch64;
    p->memory_base = 28;
    p->memory_bytes = 4096;
    p->vector_index = 31;
    add(p, PTL_FILE_GPR, PTL_USE_READ, 0, 4);
    add(p, PTL_FILE_GPR, PTL_USE_WRITTEN, 4, 4);
    add(p, PTL_FILE_GPR, PTL_USE_UPDATED, 8, 10);
    add(p, PTL_FILE_VECTOR, PTL_USE_READ, 0, 4);
    add(p, PTL_FILE_VECTOR, PTL_USE_WRITTEN, 4, 8);
    add(p, PTL_FILE_VECTOR, PTL_USE_UPDATED, 12, 19);
}

static const connector* out_of(const ptl_scheme* s, const ptl_place* to) {
    static const connector vector = {"umov x, v.d[imm]", "2", "1"}, load = {"ldr x, [x, imm12]", "2", "1"},
                           move = {"orr x, x, x", "2", "1"};
    static const connector flags[] = {{"csel x, x, x, cond", "n", "1"},
                                      {"csel x, x, x, cond", "z", "1"},
                                      {"adc x, x, x", "c", "1"},
                                      {"csel x, x, x, cond", "v", "1"}};
    (void)s;
    if (to->kind == PTL_PLACE_MEMORY) return &load;
    if (to->kind == PTL_PLACE_FLAG) return &flags[__builtin_ctz(to->flag)];
    return ptl_file_of_class((ptl_register_class)to->register_class) == PTL_FILE_VECTOR ? &vector : &move;
}

static const connector* into(const ptl_scheme* s, const ptl_place* from) {
    static const connector vector = {"dup v.2d, x", "2", "1"}, store = {"str x, [x, imm12]", "1", "2"},
                           move = {"orr x, x, x", "2", "1"};
    static const connector flags[] = {{"adds x, x, x", "2", "n"},
                                      {"adds x, x, x", "2", "z"},
                                      {"adds x, x, x", "2", "c"},
                                      {"adds x, x, x", "2", "v"}};
    (void)s;
    if (from->kind == PTL_PLACE_MEMORY) return &store;
    if (from->kind == PTL_PLACE_FLAG) return &flags[__builtin_ctz(from->flag)];
    return ptl_file_of_class((ptl_register_class)from->register_class) == PTL_FILE_VECTOR ? &vector : &move;
}

static int setup(void** state) {
    fixture* f = new_fixture();
    if (!f) return -1;
    make_policy(&f->policy);
    f->architecture = &ptl_aarch64;
    f->second_base = ptl_a64_register(PTL_A64_X, PTL_A64_STORE_BASE);
    f->out_of = out_of;
    f->into = into;
    *state = f;
    return f->chain.body ? 0 : -1;
}

static void schemes_wait_for_the_chain_alone(void** state) {
    fixture* f = *state;
    check_sets(f, 3, 1);
    assert_true(f->built > 2 * f->refused);
}

/* What is read of flags beside the carrier is overwritten, or comes along from the link before. */
static void flags_are_cut(void** state) {
    static const connector adcs[] = {{"adcs x, x, x", "2", "1"}}, carry[] = {{"adcs x, x, x", "c", "c"}};
    static const connector select[] = {{"adds x, x, x", "2", "z"}, {"csel x, x, x, cond", "z", "1"}};
    static const connector other[] = {{"csel x, x, x, cond", "z", "1"}, {"rmif x, imm6, imm4", "1", "z"}};
    fixture* f = *state;
    assert_true(builds(f, adcs, 1));
    assert_true(builds(f, carry, 1));
    assert_true(builds(f, select, 2));
    assert_false(f->chain.together[1]); /* all flags are one register */
    if (ptl_scheme_from_name(other[1].scheme, &(ptl_scheme){0}, NULL)) return; /* older Capstone */
    assert_true(builds(f, other, 2));
}

#define TO_BASE                                                                                              \
    {"and x, x, x", "2", "1"}, {                                                                             \
        "orr x, x, x", "2", "1"                                                                              \
    }

/* An index has no cell of zeros; a base that moves leads the chain away from its memory. */
static void addresses_that_cannot_be_said_are_refused(void** state) {
    static const connector index[] = {{"ldr x, [x, x, lsl imm]", "2.index", "1"}},
                           moved[] = {{"ldr x, [x], imm9", "2.base", "2.base"}},
                           stored[] = {{"str x, [x], imm9", "1", "2.base"}, TO_BASE};
    fixture* f = *state;
    assert_false(builds(f, index, 1));
    assert_false(builds(f, moved, 1));
    assert_false(builds(f, stored, 3));
}

/* From bases and indices to what is loaded; from bases that move to what they become. */
static void addresses_lead_to_results(void** state) {
    static const connector base[] = {{"ldr x, [x, imm12]", "2.base", "1"}},
                           plain[] = {{"ldar x, [x]", "2.base", "1"}},
                           post[] = {{"ldr x, [x], imm9", "2.base", "1"}},
                           ahead[] = {{"ldr x, [x, imm9]!", "2.base", "1"}},
                           index[] = {{"ldr x, [x, x, lsl imm]", "2.index", "1"}, {"and x, x, x", "2", "1"}},
                           anew[] = {{"ldr w, [x, imm12]", "2.base", "1"}, TO_BASE},
                           moved[] = {{"ldp x, x, [x, imm7]!", "3.base", "3.base"}, TO_BASE},
                           fixed[] = {{"ld1 {v.4s}, [x], 16", "2.base", "2.base"}, TO_BASE},
                           amount[] = {{"ld1 {v.4s}, [x], x", "3", "2.base"}, {"and x, x, x", "2", "1"}},
                           stored[] = {{"str x, [x], imm9", "1", "2"}, {"ldr x, [x, imm9]!", "2", "1"}};
    fixture* f = *state;
    assert_true(builds(f, base, 1));
    assert_true(builds(f, plain, 1));
    assert_true(builds(f, post, 1));
    assert_true(builds(f, ahead, 1));
    assert_true(builds(f, index, 2));
    assert_true(builds(f, anew, 3));
    assert_true(builds(f, moved, 3));
    assert_true(builds(f, fixed, 3));
    assert_true(builds(f, amount, 2));
    assert_true(builds(f, stored, 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_wait_for_the_chain_alone),
        cmocka_unit_test(flags_are_cut),
        cmocka_unit_test(addresses_that_cannot_be_said_are_refused),
        cmocka_unit_test(addresses_lead_to_results),
    };
    return cmocka_run_group_tests(tests, setup, free_fixture);
}
