/* Chains on the x87 stack (chain_check.h): every instruction leaves it as deep as it was, and all pairs of
 * places have a chain. */

#include <Zydis/Zydis.h>

#include "chain_check.h"
#include "isa/x86_64/x86_64.h"
#include "isa/x86_64/x87.h"
#include "sampling_policy.h"

static const connector connectors[] = {
    {"fxch st", "1", "2"},        {"fst st", "2", "1"},          {"fst m64", "2", "1"},
    {"fld m64", "1", "2"},        {"fst m32", "2", "1"},         {"fild m32", "1", "2"},
    {"fist m16", "2", "1"},       {"fild m16", "1", "2"},        {"fstp m80", "2", "1"},
    {"fld m80", "1", "2"},        {"fcomi st0, st", "1", "cf"},  {"fcmovb st0, st", "cf", "1"},
    {"fcomi st0, st", "1", "zf"}, {"fcmove st0, st", "zf", "1"}, {"fcomi st0, st", "1", "pf"},
    {"fcmovu st0, st", "pf", "1"}};
#define READ_FLAGS (ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_ZF) /* by conditional moves */
enum { CONNECTORS = sizeof connectors / sizeof *connectors };

static int setup(void** state) {
    fixture* f = new_fixture();
    if (!f) return -1;
    sampling_policy(&f->policy, 15);
    f->architecture = &ptl_x86_64;
    *state = f;
    return f->chain.body ? 0 : -1;
}

/* By itself, or by one or two connectors; how many of these chains there are. */
static unsigned chains_of(fixture* f, const ptl_link* link) {
    ptl_scheme schemes[2];
    ptl_link links[3] = {*link};
    unsigned built = check(f, links, 1);
    for (unsigned a = 0; a < CONNECTORS; a++) {
        links[1] = link_of(&connectors[a], &schemes[0]);
        built += check(f, links, 2);
        for (unsigned b = 0; b < CONNECTORS; b++) {
            links[2] = link_of(&connectors[b], &schemes[1]);
            built += check(f, links, 3);
        }
    }
    return built;
}

/* What no chain can tell: addresses, what only the manual says, and what moves other registers than the top.
 */
static bool is_left_out(const ptl_scheme* s) {
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_FPTAN:
    case ZYDIS_MNEMONIC_FSINCOS:
    case ZYDIS_MNEMONIC_FXTRACT:
    case ZYDIS_MNEMONIC_FYL2X:
    case ZYDIS_MNEMONIC_FYL2XP1:
    case ZYDIS_MNEMONIC_FPATAN:
    case ZYDIS_MNEMONIC_FPREM:
    case ZYDIS_MNEMONIC_FPREM1:
    case ZYDIS_MNEMONIC_FSCALE:
    case ZYDIS_MNEMONIC_FFREE:
    case ZYDIS_MNEMONIC_FFREEP: return true;
    default: return false;
    }
}

static bool works_on_stack(const ptl_scheme* s) {
    for (unsigned k = 0; k < s->operand_count; k++)
        if (s->operands[k].kind == PTL_REGISTER && s->operands[k].register_class == PTL_X87) return true;
    return false;
}

/* Memory of 16 and 32 bits holds numbers of one kind or the other, and of 80 bits decimal digits too: any
 * will do here. */
static void check_all(fixture* f, const ptl_scheme* s, size_t* pairs) {
    ptl_place places[PTL_PLACES_MAX];
    unsigned n = ptl_places(s, places);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned o = 0; o < n; o++) {
            bool address = places[i].kind == PTL_PLACE_BASE || places[i].kind == PTL_PLACE_INDEX;
            uint32_t flag = places[i].flag | places[o].flag;
            if (!places[i].input || !places[o].output || (flag & ~READ_FLAGS)) continue;
            ptl_link link = {.scheme = s, .from = places[i], .to = places[o]};
            unsigned built = chains_of(f, &link);
            bool swapped = s->mnemonic == ZYDIS_MNEMONIC_FXCH && i == o;
            if (address || swapped) assert_int_equal(built, 0);
            if (!address && !swapped && !built) {
                show(&link, 1);
                fail_msg("no chain");
            }
            *pairs += !address;
        }
    }
}

static void all_pairs_have_chains(void** state) {
    fixture* f = *state;
    ptl_catalogue* c;
    size_t pairs = 0;
    assert_int_equal(ptl_catalogue_new(&c, f->architecture, PTL_X86_LEGACY, NULL), PTL_OK);
    for (size_t k = 0; k < ptl_catalogue_count(c); k++) {
        const ptl_scheme* s = ptl_catalogue_at(c, k);
        if (works_on_stack(s) && !is_left_out(s)) check_all(f, s, &pairs);
    }
    print_message("%zu pairs of places\n", pairs);
    assert_true(pairs > 100);
    ptl_catalogue_free(c);
}

static void what_stands_around_links(void** state) {
    fixture* f = *state;
    static const connector add = {"fadd st0, st", "1", "1"}, pop = {"faddp st, st0", "1", "1"};
    static const connector loads[] = {{"fld m64", "1", "2"}, {"fstp m64", "2", "1"}};
    assert_true(builds(f, &add, 1));
    assert_int_equal(f->chain.each, 1);
    assert_int_equal(f->chain.body[0].values[1].reg, ZYDIS_REGISTER_ST1); /* which holds a 1 */
    assert_true(builds(f, &pop, 1));
    assert_int_equal(f->chain.each, 2);
    assert_string_equal(f->chain.body[0].scheme.name, "fld m64");
    assert_true(builds(f, loads, 2));
    assert_int_equal(f->chain.each, 4); /* fstp st, fld m64; fstp m64, fld m64 */
}

static void what_the_stack_cannot_do_is_refused(void** state) {
    fixture* f = *state;
    static const connector both = {"fadd st0, st", "2", "1"}, address = {"fld m64", "1.base", "2"};
    static const connector turn = {"fxtract", "1", "1"}, free_it = {"fscale", "2", "1"};
    static const connector mixed[] = {
        {"fst m64", "2", "1"}, {"movq mm, m64", "2", "1"}, {"movq m64, mm", "2", "1"}, {"fld m64", "1", "2"}};
    assert_false(builds(f, &both, 1)); /* st0 + st0 */
    assert_false(builds(f, &address, 1));
    assert_false(builds(f, &turn, 1));
    assert_false(builds(f, &free_it, 1));
    assert_false(builds(f, mixed, 4)); /* MMX registers are a part of the stack */
}

/* Numbers that go round and round neither grow nor vanish: what is read beside them is a 1. */
static void constants_are_ones(void** state) {
    fixture* f = *state;
    static const connector multiply = {"fmul m64", "2", "2"}, integers = {"fimul m32", "2", "2"};
    uint8_t code[PTL_SETUP_SIZE];
    const uint8_t one[4] = {0, 0, 0xf0, 0x3f};
    size_t plain, size;
    assert_true(builds(f, &multiply, 1));
    assert_int_equal(
        ptl_x87_setup(f->chain.body, f->chain.count, &f->policy, 0, code, sizeof code, &plain, NULL), 0);
    assert_int_equal(
        ptl_x87_chain_setup(f->chain.body, f->chain.count, &f->policy, code, sizeof code, &size, NULL), 0);
    assert_true(size > plain);
    assert_memory_equal(code + size - 4, one, 4);
    assert_true(builds(f, &integers, 1));
    assert_int_equal(
        ptl_x87_chain_setup(f->chain.body, f->chain.count, &f->policy, code, sizeof code, &size, NULL), 0);
    assert_memory_equal(code + size - 4, ((uint8_t[]){1, 0, 0, 0}), 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_have_chains),
        cmocka_unit_test(what_stands_around_links),
        cmocka_unit_test(what_the_stack_cannot_do_is_refused),
        cmocka_unit_test(constants_are_ones),
    };
    return cmocka_run_group_tests(tests, setup, free_fixture);
}
