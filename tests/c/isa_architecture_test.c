/* What every architecture must keep (engine/isa/architecture.h): names and numbers go both ways, files hold
 * what classes name, no scheme's name belongs to two architectures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/architecture.h"
#include "isa/catalogue.h"
#include "isa/stack.h"

enum { COUNT = 2 };

typedef struct fixture {
    ptl_catalogue* catalogues[COUNT];
} fixture;

static int setup(void** state) {
    static fixture f;
    *state = &f;
    for (int k = 0; k < COUNT; k++) {
        const ptl_architecture* a = ptl_architectures[k];
        unsigned all = 0;
        if (!a) return 1;
        for (unsigned set = 0; a->sets[set]; set++) all |= 1u << set;
        if (ptl_catalogue_new(&f.catalogues[k], a, all, NULL) != PTL_OK) return 1;
    }
    return ptl_architectures[COUNT] != NULL;
}

static int teardown(void** state) {
    fixture* f = *state;
    for (int k = 0; k < COUNT; k++) ptl_catalogue_free(f->catalogues[k]);
    return 0;
}

static void architectures_are_found_by_name(void** state) {
    (void)state;
    for (int k = 0; k < COUNT; k++)
        assert_ptr_equal(ptl_architecture_by_name(ptl_architectures[k]->name), ptl_architectures[k]);
    assert_null(ptl_architecture_by_name("riscv64"));
    assert_null(ptl_architecture_by_name(""));
    assert_non_null(ptl_architecture_default());
}

/* Every name of one architecture is unknown to the others, and found with its own. */
static void no_name_belongs_to_two(void** state) {
    const fixture* f = *state;
    for (int k = 0; k < COUNT; k++) {
        size_t n = ptl_catalogue_count(f->catalogues[k]);
        assert_true(n > 1500);
        for (size_t i = 0; i < n; i++) {
            const ptl_scheme* s = ptl_catalogue_at(f->catalogues[k], i);
            ptl_scheme found;
            assert_ptr_equal(s->architecture, ptl_architectures[k]);
            for (int other = 0; other < COUNT; other++)
                if (other != k && ptl_architectures[other]->scheme_from_name(s->name, &found))
                    fail_msg("'%s' is of %s and of %s", s->name, s->architecture->name,
                             ptl_architectures[other]->name);
            if (ptl_scheme_from_name(s->name, &found, NULL) || found.architecture != s->architecture)
                fail_msg("'%s' is not found in %s", s->name, s->architecture->name);
        }
    }
}

static void mnemonics_have_one_number(void** state) {
    const fixture* f = *state;
    for (int k = 0; k < COUNT; k++) {
        const ptl_architecture* a = ptl_architectures[k];
        for (size_t i = 0; i < ptl_catalogue_count(f->catalogues[k]); i++) {
            const ptl_scheme* s = ptl_catalogue_at(f->catalogues[k], i);
            const char* name = a->mnemonic_name(s->mnemonic);
            assert_in_range(s->mnemonic, 1, PTL_MNEMONICS_MAX - 1);
            if (a->mnemonic_number(name, strlen(name)) != s->mnemonic)
                fail_msg("%s: %s has another number by its name", a->name, name);
        }
        assert_int_equal(a->mnemonic_number("no such mnemonic", 16), 0);
        assert_int_equal(a->mnemonic_number("", 0), 0);
    }
}

/* The register that stands for all that alias: by file and number to its name, and back. */
static void registers_have_one_place(void** state) {
    (void)state;
    for (int k = 0; k < COUNT; k++) {
        const ptl_architecture* a = ptl_architectures[k];
        for (int file = 0; file < PTL_FILES; file++) {
            assert_true(a->file_sizes[file] <= 32);
            for (unsigned n = 0; n < a->file_sizes[file]; n++) {
                if (file == PTL_FILE_GPR && n == a->stack_pointer) continue; /* not of every class */
                const char* name = ptl_file_register_name(a, (ptl_file)file, n);
                unsigned number = 99, r = name ? a->register_number(name, strlen(name)) : 0;
                if (!r || a->register_place(r, &number) != (ptl_file)file || number != n)
                    fail_msg("%s: %s %u is %s, and that is number %u", a->name, ptl_file_name((ptl_file)file),
                             n, name ? name : "?", number);
            }
        }
        unsigned number;
        assert_int_equal(a->register_place(0, &number), PTL_FILES);
        assert_int_equal(a->register_class(0), PTL_NO_CLASS);
        assert_int_equal(a->register_number("no register", 11), 0);
        assert_false(ptl_is_instruction_pointer(a, 0));
    }
}

/* Fixed registers have names; the flags that are read and written, too. */
static void everything_in_schemes_has_a_name(void** state) {
    const fixture* f = *state;
    for (int k = 0; k < COUNT; k++) {
        const ptl_architecture* a = ptl_architectures[k];
        for (size_t i = 0; i < ptl_catalogue_count(f->catalogues[k]); i++) {
            const ptl_scheme* s = ptl_catalogue_at(f->catalogues[k], i);
            for (unsigned o = 0; o < s->operand_count; o++) {
                uint16_t fixed = s->operands[o].fixed;
                if (fixed && !a->register_name(fixed)) fail_msg("%s: operand %u", s->name, o + 1);
            }
            for (uint32_t left = (s->flags_read | s->flags_written) & a->place_flags; left; left &= left - 1)
                assert_non_null(a->flags[__builtin_ctz(left)]);
        }
    }
}

static const ptl_scheme* find(const fixture* f, const char* name) {
    for (int k = 0; k < COUNT; k++) {
        const ptl_scheme* s = ptl_catalogue_find(f->catalogues[k], name);
        if (s) return s;
    }
    fail_msg("no scheme %s", name);
    return NULL;
}

static void branches_say_where_they_go(void** state) {
    static const struct {
        const char* name;
        ptl_flow flow;
    } cases[] = {
        {"add r64, r64", PTL_FLOW_ON},
        {"jmp rel32", PTL_FLOW_JUMP},
        {"jmp r64", PTL_FLOW_JUMP},
        {"jnz rel8", PTL_FLOW_CONDITIONAL},
        {"loop rel8", PTL_FLOW_CONDITIONAL},
        {"call rel32", PTL_FLOW_CALL},
        {"call m64", PTL_FLOW_CALL},
        {"ret", PTL_FLOW_RETURN},
        {"add x, x, x", PTL_FLOW_ON},
        {"b rel26", PTL_FLOW_JUMP},
        {"br x", PTL_FLOW_JUMP},
        {"b.cond rel19", PTL_FLOW_CONDITIONAL},
        {"cbz x, rel19", PTL_FLOW_CONDITIONAL},
        {"tbnz w, imm5, rel14", PTL_FLOW_CONDITIONAL},
        {"bl rel26", PTL_FLOW_CALL},
        {"blr x", PTL_FLOW_CALL},
        {"ret x", PTL_FLOW_RETURN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (find(*state, cases[i].name)->flow != cases[i].flow) fail_msg("%s", cases[i].name);
}

/* What pushes is what moves the stack pointer down: nothing else asks for categories of Zydis. */
static void pushes_move_the_stack_pointer_down(void** state) {
    const fixture* f = *state;
    size_t pushes = 0;
    for (size_t i = 0; i < ptl_catalogue_count(f->catalogues[0]); i++) {
        const ptl_scheme* s = ptl_catalogue_at(f->catalogues[0], i);
        bool by_category = strcmp(s->category, "PUSH") == 0 || strcmp(s->category, "CALL") == 0;
        if (by_category != (ptl_scheme_stack_bytes(s) < 0)) fail_msg("%s, of %s", s->name, s->category);
        pushes += by_category;
    }
    assert_true(pushes > 5);
}

/* Two names that are in no file of registers are two registers: fst reads st0 and writes the status word. */
static void what_is_written_beside_what_is_read_is_no_update(void** state) {
    assert_false(ptl_scheme_updates_fixed(find(*state, "fst m64")));
    assert_true(ptl_scheme_updates_fixed(find(*state, "mul r64")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(architectures_are_found_by_name),
        cmocka_unit_test(no_name_belongs_to_two),
        cmocka_unit_test(mnemonics_have_one_number),
        cmocka_unit_test(registers_have_one_place),
        cmocka_unit_test(everything_in_schemes_has_a_name),
        cmocka_unit_test(branches_say_where_they_go),
        cmocka_unit_test(pushes_move_the_stack_pointer_down),
        cmocka_unit_test(what_is_written_beside_what_is_read_is_no_update),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
