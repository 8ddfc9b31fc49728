/* Abstract blocks: the example AB1 of section 8.1.6, and subsumption against all maps of Def. 8.7. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <Zydis/Zydis.h>

#include "anica/expand.h"
#include "anica/subsume.h"
#include "base/rng.h"
#include "isa/architecture.h"
#include "isa/parse.h"

enum { MNEMONIC, MEMORY };

static const char* const universe[] = {
    "add m64, r64", "add r64, m64", "add r64, r64", "mov m64, r64", "mov r64, m64",
    "mov r64, r64", "nop",          "sub m64, r64", "sub r64, r64",
};
enum { SCHEMES = sizeof universe / sizeof *universe };

/* Mnemonics (edit, 3) and memory usage (subset-or-none) over the universe. */
static ptl_domain* new_domain(void) {
    ptl_scheme schemes[SCHEMES];
    ptl_domain* d;
    ptl_lattice *mnemonic, *memory;
    for (size_t i = 0; i < SCHEMES; i++)
        assert_int_equal(ptl_scheme_from_name(universe[i], &schemes[i], NULL), PTL_OK);
    assert_int_equal(ptl_domain_new(&d, schemes, SCHEMES, NULL), PTL_OK);
    assert_int_equal(ptl_lattice_new(&mnemonic, PTL_LATTICE_EDIT, 3, SCHEMES, NULL), PTL_OK);
    assert_int_equal(ptl_domain_add(d, mnemonic, NULL), PTL_OK);
    assert_int_equal(ptl_lattice_new(&memory, PTL_LATTICE_SUBSET, 0, SCHEMES, NULL), PTL_OK);
    assert_int_equal(ptl_domain_add(d, memory, NULL), PTL_OK);
    uint32_t use[2] = {ptl_names_add(ptl_lattice_atoms(memory), "R"),
                       ptl_names_add(ptl_lattice_atoms(memory), "W")};
    for (size_t i = 0; i < SCHEMES; i++) {
        const ptl_scheme* s = &d->schemes[i];
        uint32_t atom = ptl_names_add(ptl_lattice_atoms(mnemonic), ZydisMnemonicGetString(s->mnemonic)),
                 used[2];
        size_t n = 0;
        for (unsigned k = 0; k < s->operand_count; k++) {
            if (s->operands[k].kind != PTL_MEMORY) continue;
            if (ptl_operand_reads(&s->operands[k])) used[n++] = use[0];
            if (ptl_operand_writes(&s->operands[k])) used[n++] = use[1];
        }
        assert_int_equal(ptl_lattice_set_value(mnemonic, i, &atom, 1, NULL), PTL_OK);
        assert_int_equal(ptl_lattice_set_value(memory, i, used, n, NULL), PTL_OK);
    }
    assert_int_equal(ptl_domain_seal(d, NULL), PTL_OK);
    return d;
}

typedef struct block {
    size_t length;
    ptl_instance instances[PTL_BLOCK_LENGTH_MAX];
    uint32_t schemes[PTL_BLOCK_LENGTH_MAX];
} block;

static block block_of(const ptl_domain* d, const char* text) {
    block b = {0};
    ptl_code code;
    size_t used;
    assert_int_equal(ptl_assemble_text(&ptl_x86_64, text, strlen(text), &code, NULL), PTL_OK);
    for (size_t at = 0; at < code.size; at += used, b.length++) {
        ptl_instance* i = &b.instances[b.length];
        assert_int_equal(ptl_decode(&ptl_x86_64, code.bytes + at, code.size - at, i, &used, NULL), PTL_OK);
        b.schemes[b.length] = ptl_domain_index(d, i->scheme.name);
    }
    ptl_code_free(&code);
    return b;
}

static ptl_abstract* new_abstract(const ptl_domain* d, size_t length, size_t aliases) {
    void* memory = malloc(ptl_abstract_bytes(d, length, aliases));
    assert_non_null(memory);
    return ptl_abstract_place(d, memory, length, aliases);
}

static ptl_abstract* represent(ptl_domain* d, const char* text) {
    block b = block_of(d, text);
    ptl_abstract* a = new_abstract(d, b.length, ptl_alias_represent(b.instances, b.length, NULL));
    assert_int_equal(ptl_abstract_represent(d, b.instances, b.schemes, a, NULL), PTL_OK);
    return a;
}

static bool contains(const ptl_domain* d, const ptl_abstract* a, const char* text) {
    block b = block_of(d, text);
    return ptl_abstract_contains(a, b.instances, b.schemes, b.length);
}

static bool subsumes(ptl_domain* d, const ptl_abstract* a, const char* text, uint8_t* map) {
    ptl_abstract* b = represent(d, text);
    bool yes = ptl_subsumes(a, b, map);
    free(b);
    return yes;
}

/* AB1: mov that reads memory; add that reads and writes it; what is loaded is what is added. */
static ptl_abstract* new_ab1(ptl_domain* d) {
    ptl_abstract* a = new_abstract(d, 2, 1);
    block b = block_of(d, "mov rbx, [rdx + 42]; add [r8], rbx");
    for (size_t i = 0; i < 2; i++) memcpy(a->nodes + 2 * i, d->rows + 2 * b.schemes[i], 2 * sizeof *a->nodes);
    a->aliases[0] = (ptl_alias){.a = {0, 0}, .b = {1, 1}, .kind = PTL_MUST_ALIAS};
    assert_int_equal(ptl_abstract_finish(d, a, NULL), PTL_OK);
    return a;
}

static void ab1_is_as_the_text_says(void** state) {
    (void)state;
    ptl_domain* d = new_domain();
    ptl_abstract* a = new_ab1(d);
    uint8_t map[PTL_BLOCK_LENGTH_MAX];
    assert_true(contains(d, a, "mov rbx, [rdx + 42]; add [r8], rbx"));
    assert_false(contains(d, a, "mov rbx, [rdx + 42]; add [r8], rcx"));
    assert_false(contains(d, a, "add [r8], rbx; mov rbx, [rdx + 42]"));
    assert_false(contains(d, a, "mov rbx, [rdx + 42]; nop; add [r8], rbx"));
    assert_true(subsumes(d, a, "mov rbx, [rdx + 42]; add [r8], rbx", map));
    assert_true(map[0] == 0 && map[1] == 1);
    assert_true(subsumes(d, a, "add [r8], rbx; mov rbx, [rdx + 42]", map)); /* rotated */
    assert_true(map[0] == 1 && map[1] == 0);
    assert_true(subsumes(d, a, "mov rbx, [rdx + 42]; nop; add [r8], rbx", map)); /* padded */
    assert_true(map[0] == 0 && map[1] == 2);
    assert_false(subsumes(d, a, "mov rbx, [rdx + 42]; add [r8], rcx", map));
    assert_false(subsumes(d, a, "mov rbx, rdx; add [r8], rbx", map));
    assert_false(subsumes(d, a, "mov rbx, [rdx + 42]", map));
    free(a);
    ptl_domain_free(d);
}

static void representation_lists_every_matching_pair(void** state) {
    (void)state;
    ptl_domain* d = new_domain();
    ptl_abstract* a = represent(d, "mov [rbx + 96], rax; add rdx, [rbx + 96]");
    assert_int_equal(a->alias_count, 2);
    const ptl_alias* memory = ptl_abstract_alias(a, (ptl_operand_ref){1, 1}, (ptl_operand_ref){0, 0});
    const ptl_alias* registers = ptl_abstract_alias(a, (ptl_operand_ref){0, 1}, (ptl_operand_ref){1, 0});
    assert_true(memory && memory->kind == PTL_MUST_ALIAS);
    assert_true(registers && registers->kind == PTL_MUST_NOT_ALIAS);
    assert_null(ptl_abstract_alias(a, (ptl_operand_ref){0, 0}, (ptl_operand_ref){1, 0}));
    assert_int_equal(ptl_abstract_generality(a), 1);
    free(a);
    ptl_domain_free(d);
}

/* Everything above beta(b), by all orders of expansions: strictly ascending, and b stays in it. */
static void expansions_ascend_to_top(void** state) {
    (void)state;
    static const char text[] = "mov [rbx + 96], rax; add rdx, [rbx + 96]; nop";
    ptl_domain* d = new_domain();
    ptl_rng rng = ptl_rng_seed(3);
    for (int round = 0; round < 50; round++) {
        ptl_abstract* a = represent(d, text);
        for (;;) {
            size_t n;
            assert_int_equal(ptl_expansion_count(d, a, &n, NULL), PTL_OK);
            if (n == 0) break;
            ptl_expansion* list = malloc(n * sizeof *list);
            assert_int_equal(ptl_expansion_list(d, a, list, NULL), PTL_OK);
            ptl_abstract* above = new_abstract(d, a->length, a->alias_count);
            assert_int_equal(ptl_expand(d, a, &list[ptl_rng_below(&rng, n)], 1, above, NULL), PTL_OK);
            assert_true(ptl_abstract_leq(d, a, above));
            assert_false(ptl_abstract_leq(d, above, a) || ptl_abstract_equal(d, a, above));
            assert_true(contains(d, above, text) && ptl_subsumes(above, a, NULL));
            free(list);
            free(a);
            a = above;
        }
        assert_int_equal(ptl_abstract_generality(a), SCHEMES);
        free(a);
    }
    ptl_domain_free(d);
}

/* A random abstract block: some nodes and constraints of a random block's representation. */
static ptl_abstract* random_abstract(ptl_domain* d, ptl_rng* rng, size_t most) {
    size_t n = 1 + ptl_rng_below(rng, most), aliases = 0;
    ptl_abstract* a = new_abstract(d, n, 6);
    for (size_t i = 0; i < n; i++) {
        const ptl_node* row = d->rows + 2 * ptl_rng_below(rng, SCHEMES);
        for (size_t f = 0; f < 2; f++) a->nodes[2 * i + f] = ptl_rng_below(rng, 3) ? PTL_TOP : row[f];
    }
    for (size_t i = 0; i < n && aliases < 5; i++) { /* ascending by construction */
        for (size_t j = i; j < n && aliases < 5; j++) {
            if (ptl_rng_below(rng, 3)) continue;
            a->aliases[aliases++] = (ptl_alias){
                .a = {(uint8_t)i, 0}, .b = {(uint8_t)j, 1}, .kind = (uint8_t)ptl_rng_below(rng, 2)};
        }
    }
    a->alias_count = aliases;
    assert_int_equal(ptl_abstract_finish(d, a, NULL), PTL_OK);
    return a;
}

/* C2, C3, C4 of a map, word by word. */
static bool is_map(const ptl_abstract* a, const ptl_abstract* b, const size_t* m) {
    for (size_t i = 0; i < a->length; i++) {
        for (size_t j = 0; j < i; j++)
            if (m[i] == m[j]) return false;
        if (!ptl_bitset_subset(&b->sets[m[i]], &a->sets[i])) return false;
        for (size_t k = (m[i] + 1) % b->length; k != m[(i + 1) % a->length]; k = (k + 1) % b->length)
            for (size_t other = 0; other < a->length; other++)
                if (m[other] == k) return false;
    }
    for (size_t k = 0; k < a->alias_count; k++) {
        ptl_operand_ref x = {(uint8_t)m[a->aliases[k].a.instruction], a->aliases[k].a.operand};
        ptl_operand_ref y = {(uint8_t)m[a->aliases[k].b.instruction], a->aliases[k].b.operand};
        const ptl_alias* theirs = ptl_abstract_alias(b, x, y);
        if (!theirs || theirs->kind != a->aliases[k].kind) return false;
    }
    return true;
}

/* Tries all maps. */
static bool some_map(const ptl_abstract* a, const ptl_abstract* b) {
    size_t m[PTL_BLOCK_LENGTH_MAX] = {0}, i = 0;
    for (;;) {
        if (is_map(a, b, m)) return true;
        for (i = 0; i < a->length && ++m[i] == b->length; i++) m[i] = 0;
        if (i == a->length) return false;
    }
}

static void subsumption_finds_what_trying_all_maps_finds(void** state) {
    (void)state;
    ptl_domain* d = new_domain();
    ptl_rng rng = ptl_rng_seed(4);
    size_t positive = 0;
    for (int round = 0; round < 20000; round++) {
        ptl_abstract *a = random_abstract(d, &rng, 4), *b = random_abstract(d, &rng, 4);
        bool found = ptl_subsumes(a, b, NULL);
        assert_int_equal(found, some_map(a, b));
        positive += found;
        assert_true(ptl_subsumes(a, a, NULL));
        free(a);
        free(b);
    }
    assert_in_range(positive, 500, 19500); /* both answers occur */
    ptl_domain_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ab1_is_as_the_text_says),
        cmocka_unit_test(representation_lists_every_matching_pair),
        cmocka_unit_test(expansions_ascend_to_top),
        cmocka_unit_test(subsumption_finds_what_trying_all_maps_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
