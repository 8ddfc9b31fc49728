/* Chains of all schemes of x86-64 (chain_check.h). */

#include <Zydis/Zydis.h>

#include "chain_check.h"
#include "isa/x86_64/x86_64.h"
#include "sampling_policy.h"

/* ---- connectors: any place to a general register, and from there to any place ---- */

static bool is_legacy(const ptl_scheme* s) {
    return s->encoding == PTL_LEGACY;
}

/* NULL: there is none. */
static const connector* out_of(const ptl_scheme* s, const ptl_place* to) {
    static const connector sse = {"movq r64, xmm", "2", "1"}, vex = {"vmovq r64, xmm", "2", "1"},
                           mask = {"kmovq r64, k", "2", "1"}, mmx = {"movq r64, mm", "2", "1"},
                           load = {"mov r64, m64", "2", "1"}, move = {"mov r64, r64", "2", "1"};
    static const connector flags[] = {{"setb r8", "cf", "1"},
                                      {"setp r8", "pf", "1"},
                                      {"setz r8", "zf", "1"},
                                      {"sets r8", "sf", "1"},
                                      {"seto r8", "of", "1"}};
    static const uint32_t bits[] = {ZYDIS_CPUFLAG_CF, ZYDIS_CPUFLAG_PF, ZYDIS_CPUFLAG_ZF, ZYDIS_CPUFLAG_SF,
                                    ZYDIS_CPUFLAG_OF};
    if (to->kind == PTL_PLACE_MEMORY) return &load;
    for (int k = 0; k < 5; k++)
        if (to->kind == PTL_PLACE_FLAG && to->flag == bits[k]) return &flags[k];
    switch (ptl_file_of_class((ptl_register_class)to->register_class)) {
    case PTL_FILE_GPR: return &move;
    case PTL_FILE_VECTOR: return is_legacy(s) ? &sse : &vex;
    case PTL_FILE_MASK: return &mask;
    case PTL_FILE_MMX: return &mmx;
    default: return NULL;
    }
}

static const connector* into(const ptl_scheme* s, const ptl_place* from) {
    static const connector sse = {"movq xmm, r64", "2", "1"}, vex = {"vmovq xmm, r64", "2", "1"},
                           mask = {"kmovq k, r64", "2", "1"}, mmx = {"movq mm, r64", "2", "1"},
                           store = {"mov m64, r64", "2", "1"}, move = {"mov r64, r64", "2", "1"};
    static const connector flags[] = {{"add r64, r64", "1", "cf"}, {"add r64, r64", "1", "pf"},
                                      {"add r64, r64", "1", "zf"}, {"add r64, r64", "1", "sf"},
                                      {"add r64, r64", "1", "of"}, {"add r64, r64", "1", "af"}};
    static const uint32_t bits[] = {ZYDIS_CPUFLAG_CF, ZYDIS_CPUFLAG_PF, ZYDIS_CPUFLAG_ZF,
                                    ZYDIS_CPUFLAG_SF, ZYDIS_CPUFLAG_OF, ZYDIS_CPUFLAG_AF};
    if (from->kind == PTL_PLACE_MEMORY) return &store;
    for (int k = 0; k < 6; k++)
        if (from->kind == PTL_PLACE_FLAG && from->flag == bits[k]) return &flags[k];
    switch (ptl_file_of_class((ptl_register_class)from->register_class)) {
    case PTL_FILE_GPR: return &move;
    case PTL_FILE_VECTOR: return is_legacy(s) ? &sse : &vex;
    case PTL_FILE_MASK: return &mask;
    case PTL_FILE_MMX: return &mmx;
    default: return NULL;
    }
}

/* ---- tests ---- */

static int setup(void** state) {
    fixture* f = new_fixture();
    if (!f) return -1;
    sampling_policy(&f->policy, 15);
    f->architecture = &ptl_x86_64;
    f->out_of = out_of;
    f->into = into;
    *state = f;
    return f->chain.body ? 0 : -1;
}

static void legacy_schemes_wait_for_the_chain_alone(void** state) {
    fixture* f = *state;
    check_sets(f, PTL_X86_LEGACY, 1);
    assert_true(f->built > 2 * f->refused);
}

static void vex_schemes_wait_for_the_chain_alone(void** state) {
    fixture* f = *state;
    check_sets(f, PTL_X86_VEX, 1);
    assert_true(f->built > 20 * f->refused);
}

static void evex_schemes_wait_for_the_chain_alone(void** state) {
    fixture* f = *state;
    check_sets(f, PTL_X86_EVEX, 8);
    assert_true(f->built > 20 * f->refused);
}

/* What cannot be told apart, or is lost at the end of the loop, is refused. */
static void what_cannot_be_cut_is_refused(void** state) {
    fixture* f = *state;
    static const connector mul[] = {{"mul r64", "1", "2"}, {"mov r64, r64", "2", "1"}};
    static const connector shl = {"shl r64, cl", "zf", "zf"}, adox = {"adox r64, r64", "of", "of"};
    static const connector adc = {"adc r64, r64", "cf", "cf"}, push = {"push r64", "2", "2"};
    static const connector mixed[] = {{"paddd xmm, xmm", "1", "1"}, {"vpaddd ymm, ymm, ymm", "2", "1"}};
    static const connector files[] = {{"paddd xmm, xmm", "1", "1"}, {"add r64, r64", "1", "1"}};
    assert_false(builds(f, mul, 1)); /* rax is both what is multiplied and the result */
    assert_true(builds(f, mul, 2));
    assert_false(builds(f, &shl, 1));
    assert_false(builds(f, &adox, 1)); /* the loop's counter writes it */
    assert_true(builds(f, &adc, 1));
    assert_false(builds(f, &push, 1));
    assert_false(builds(f, mixed, 2));
    f->mismatched = 0;
    assert_false(builds(f, files, 2));
    assert_int_equal(f->mismatched, 1);
}

/* Both sources of an idiom are the carrier, and so is its result. */
static void same_registers_are_the_carrier(void** state) {
    fixture* f = *state;
    static const connector c = {"xor r64, r64", "2", "1"}, v = {"vpxor ymm, ymm, ymm", "3", "1"};
    ptl_scheme scheme;
    ptl_link link = link_of(&c, &scheme);
    link.same = true;
    assert_int_equal(ptl_chain_build(&link, 1, 4, &f->policy, &f->chain, NULL), PTL_OK);
    for (size_t i = 0; i < f->chain.count; i++)
        assert_int_equal(f->chain.body[i].values[0].reg, f->chain.body[i].values[1].reg);
    link = link_of(&v, &scheme);
    link.same = true;
    assert_int_equal(ptl_chain_build(&link, 1, 4, &f->policy, &f->chain, NULL), PTL_OK);
    for (size_t i = 0; i < f->chain.count; i++) {
        const ptl_value* before = f->chain.body[(i + f->chain.count - 1) % f->chain.count].values;
        const ptl_value* v3 = f->chain.body[i].values;
        assert_int_equal(v3[1].reg, before[0].reg);
        assert_int_equal(v3[2].reg, before[0].reg);
    }
}

/* Nor is a register taken that the policy does not have. */
static void policies_with_too_few_registers_are_refused(void** state) {
    fixture* f = *state;
    static const connector divide = {"div r64", "2", "2"}, load = {"mov r64, m64", "2.base", "1"};
    const ptl_policy whole = f->policy;
    assert_true(builds(f, &divide, 1));
    assert_true(builds(f, &load, 1));
    for (int use = 0; use < PTL_USES; use++) f->policy.sets[PTL_FILE_GPR][use].count = 0;
    assert_false(builds(f, &divide, 1)); /* there is no divisor */
    f->policy.sets[PTL_FILE_GPR][PTL_USE_UPDATED].count = 1;
    assert_false(builds(f, &load, 1)); /* nothing holds 0 */
    f->policy = whole;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legacy_schemes_wait_for_the_chain_alone),
        cmocka_unit_test(vex_schemes_wait_for_the_chain_alone),
        cmocka_unit_test(evex_schemes_wait_for_the_chain_alone),
        cmocka_unit_test(what_cannot_be_cut_is_refused),
        cmocka_unit_test(same_registers_are_the_carrier),
        cmocka_unit_test(policies_with_too_few_registers_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, free_fixture);
}
