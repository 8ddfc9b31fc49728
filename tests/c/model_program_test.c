#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/interrupt.h"
#include "base/rng.h"
#include "model/program.h"

#define COLUMNS_MOST 60

static const ptl_program_column any = {0, INFINITY, 1, false}, whole = {0, INFINITY, 1, true};

typedef struct solved {
    ptl_program_answer answer;
    double values[COLUMNS_MOST], duals[COLUMNS_MOST];
    ptl_error error;
    ptl_status status;
} solved;

static ptl_program program(size_t columns, size_t rows, const ptl_program_column* column,
                           const ptl_program_row* row, bool maximise) {
    return (ptl_program){
        .columns = columns, .rows = rows, .column = column, .row = row, .maximise = maximise};
}

static solved solve(ptl_program p) {
    solved s;
    s.status = ptl_program_solve(&p, s.values, s.duals, &s.answer, &s.error);
    return s;
}

/* x + 2y <= 4, 3x + y <= 6; the largest x + y is in (1.6, 1.2). */
static void an_optimum_and_its_duals(void** state) {
    (void)state;
    ptl_program_column columns[] = {any, any};
    ptl_program_entry first[] = {{0, 1}, {1, 2}}, second[] = {{0, 3}, {1, 1}};
    ptl_program_row rows[] = {{-INFINITY, 4, first, 2}, {-INFINITY, 6, second, 2}};
    solved s = solve(program(2, 2, columns, rows, true));
    assert_int_equal(s.status, PTL_OK);
    assert_int_equal(s.answer.ending, PTL_PROGRAM_OPTIMAL);
    assert_true(fabs(s.answer.objective - 2.8) < 1e-9);
    assert_true(fabs(s.values[0] - 1.6) < 1e-9 && fabs(s.values[1] - 1.2) < 1e-9);
    assert_true(fabs(s.duals[0] - 0.4) < 1e-9 && fabs(s.duals[1] - 0.2) < 1e-9);
}

static void whole_numbers_are_whole(void** state) {
    (void)state;
    ptl_program_column columns[] = {whole, whole};
    ptl_program_entry first[] = {{0, 1}, {1, 2}}, second[] = {{0, 3}, {1, 1}};
    ptl_program_row rows[] = {{-INFINITY, 4, first, 2}, {-INFINITY, 6, second, 2}};
    solved s = solve(program(2, 2, columns, rows, true));
    assert_int_equal(s.answer.ending, PTL_PROGRAM_OPTIMAL);
    assert_true(s.answer.objective == 2 && s.values[0] + s.values[1] == 2);
    columns[1].whole = false; /* mixed: x = 1, y = 1.5 */
    s = solve(program(2, 2, columns, rows, true));
    assert_true(s.values[0] == 1 && fabs(s.values[1] - 1.5) < 1e-9);
}

static void there_may_be_no_answer(void** state) {
    (void)state;
    ptl_program_column columns[] = {any, any};
    ptl_program_entry both[] = {{0, 1}, {1, 1}};
    ptl_program_row rows[] = {{3, INFINITY, both, 2}, {-INFINITY, 2, both, 2}};
    assert_int_equal(solve(program(2, 2, columns, rows, false)).answer.ending, PTL_PROGRAM_INFEASIBLE);
    assert_int_equal(solve(program(2, 1, columns, rows, true)).answer.ending, PTL_PROGRAM_UNBOUNDED);
    columns[0].whole = columns[1].whole = true;
    assert_int_equal(solve(program(2, 2, columns, rows, false)).answer.ending, PTL_PROGRAM_INFEASIBLE);
    ptl_program_entry twice[] = {{0, 2}}; /* 2x = 3 has a solution, but no whole one */
    ptl_program_row odd[] = {{3, 3, twice, 1}};
    assert_int_equal(solve(program(2, 1, columns, odd, false)).answer.ending, PTL_PROGRAM_INFEASIBLE);
}

static void degenerate_programs_are_programs(void** state) {
    (void)state;
    ptl_program_column fixed[] = {{2, 2, 1, false}, {-INFINITY, INFINITY, 0, false}};
    solved s = solve(program(2, 0, fixed, NULL, false));
    assert_int_equal(s.answer.ending, PTL_PROGRAM_OPTIMAL); /* no rows */
    assert_true(s.answer.objective == 2);
    ptl_program_column columns[] = {any, any, any};
    ptl_program_entry all[] = {{0, 1}, {1, 1}, {2, 1}};
    ptl_program_row rows[COLUMNS_MOST]; /* the same row again and again, one of them empty */
    for (size_t i = 0; i < COLUMNS_MOST; i++) rows[i] = (ptl_program_row){1, INFINITY, all, 3};
    rows[7] = (ptl_program_row){-1, 1, NULL, 0};
    s = solve(program(3, COLUMNS_MOST, columns, rows, false));
    assert_int_equal(s.answer.ending, PTL_PROGRAM_OPTIMAL);
    assert_true(fabs(s.answer.objective - 1) < 1e-9);
    rows[7].lower = 0.5; /* 0 >= 0.5 */
    assert_int_equal(solve(program(3, COLUMNS_MOST, columns, rows, false)).answer.ending,
                     PTL_PROGRAM_INFEASIBLE);
}

static void assert_refused(ptl_program p, const char* where, const char* what) {
    solved s = solve(p);
    assert_int_equal(s.status, PTL_BAD_INPUT);
    assert_string_equal(s.error.where, where);
    assert_non_null(strstr(s.error.what, what));
}

static void wrong_programs_are_refused(void** state) {
    (void)state;
    ptl_program_column columns[] = {any, any};
    ptl_program_entry stranger[] = {{2, 1}}, twice[] = {{1, 1}, {1, 1}}, no_number[] = {{0, NAN}};
    ptl_program_row row = {0, 1, stranger, 1};
    assert_refused(program(0, 0, columns, NULL, false), "", "needs a column");
    assert_refused(program(2, 1, columns, &row, false), "row 1", "there is not");
    row = (ptl_program_row){0, 1, twice, 2};
    assert_refused(program(2, 1, columns, &row, false), "row 1", "two entries");
    assert_refused(program(1, 1, columns, &row, false), "row 1", "more entries");
    row = (ptl_program_row){0, 1, no_number, 1};
    assert_refused(program(2, 1, columns, &row, false), "row 1", "an entry is not");
    row = (ptl_program_row){2, 1, NULL, 0};
    assert_refused(program(2, 1, columns, &row, false), "row 1", "above");
    columns[1].upper = NAN;
    assert_refused(program(2, 0, columns, NULL, false), "column 2", "upper");
    columns[1] = (ptl_program_column){INFINITY, INFINITY, 0, false};
    assert_refused(program(2, 0, columns, NULL, false), "column 2", "lower");
    columns[1] = (ptl_program_column){0, 1.5, 0, true};
    assert_refused(program(2, 0, columns, NULL, false), "column 2", "whole");
    columns[1] = (ptl_program_column){0, 1, 1e300, false};
    assert_refused(program(2, 0, columns, NULL, false), "column 2", "cost");
    columns[1] = any;
    assert_int_equal(solve(program(PTL_PROGRAM_SIDE_MAX + 1, 0, columns, NULL, false)).status, PTL_LIMIT);
}

/* 50 market-split columns in 8 rows: branch and bound does not get through this. */
static void hard(ptl_program_column* columns, ptl_program_entry (*entries)[50], ptl_program_row* rows) {
    ptl_rng r = ptl_rng_seed(7);
    for (size_t j = 0; j < 50; j++) columns[j] = (ptl_program_column){0, 1, 0, true};
    for (size_t i = 0; i < 8; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < 50; j++) {
            entries[i][j] = (ptl_program_entry){j, (double)ptl_rng_below(&r, 100)};
            sum += entries[i][j].value;
        }
        rows[i] = (ptl_program_row){floor(sum / 2), floor(sum / 2), entries[i], 50};
    }
}

static void limits_end_the_search(void** state) {
    (void)state;
    ptl_program_column columns[50];
    static ptl_program_entry entries[8][50];
    ptl_program_row rows[8];
    hard(columns, entries, rows);
    solved s = solve((ptl_program){.columns = 50, .rows = 8, .column = columns, .row = rows, .nodes = 20});
    assert_int_equal(s.status, PTL_OK);
    assert_int_equal(s.answer.ending, PTL_PROGRAM_UNDECIDED);
    assert_true(s.answer.nodes >= 20 && s.answer.nodes < 100);
    s = solve((ptl_program){.columns = 50, .rows = 8, .column = columns, .row = rows, .seconds = 0.05});
    assert_int_equal(s.status, PTL_OK);
    assert_int_equal(s.answer.ending, PTL_PROGRAM_UNDECIDED);
    s = solve((ptl_program){.columns = 50, .rows = 8, .column = columns, .row = rows, .seconds = 1e-9});
    assert_int_equal(s.answer.ending, PTL_PROGRAM_UNDECIDED); /* before the relaxation */
    ptl_interrupt_set(true);
    s = solve(program(50, 8, columns, rows, false));
    ptl_interrupt_set(false);
    assert_int_equal(s.status, PTL_INTERRUPTED);
}

/* Knapsacks of up to 10 things against trying all choices; and the same answer each time. */
static void knapsacks_are_solved(void** state) {
    (void)state;
    ptl_rng r = ptl_rng_seed(3);
    for (int round = 0; round < 100; round++) {
        uint32_t n = 1 + (uint32_t)ptl_rng_below(&r, 10);
        ptl_program_column columns[10];
        ptl_program_entry entries[10];
        double room = (double)ptl_rng_below(&r, 60), best = 0;
        for (uint32_t j = 0; j < n; j++) {
            columns[j] = (ptl_program_column){0, 1, 1 + (double)ptl_rng_below(&r, 30), true};
            entries[j] = (ptl_program_entry){j, 1 + (double)ptl_rng_below(&r, 30)};
        }
        for (unsigned choice = 0; choice < 1u << n; choice++) {
            double weight = 0, value = 0;
            for (uint32_t j = 0; j < n; j++) {
                weight += choice >> j & 1 ? entries[j].value : 0;
                value += choice >> j & 1 ? columns[j].cost : 0;
            }
            if (weight <= room) best = fmax(best, value);
        }
        ptl_program_row row = {-INFINITY, room, entries, n};
        ptl_program p = program(n, 1, columns, &row, true);
        solved s = solve(p), again = solve(p);
        assert_int_equal(s.answer.ending, PTL_PROGRAM_OPTIMAL);
        assert_true(fabs(s.answer.objective - best) < 1e-6);
        assert_memory_equal(s.values, again.values, n * sizeof *s.values);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_optimum_and_its_duals),   cmocka_unit_test(whole_numbers_are_whole),
        cmocka_unit_test(there_may_be_no_answer),     cmocka_unit_test(degenerate_programs_are_programs),
        cmocka_unit_test(wrong_programs_are_refused), cmocka_unit_test(limits_end_the_search),
        cmocka_unit_test(knapsacks_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
