/* Recorded samples of a Golden Cove class machine, on which earlier rules returned wrong values as good,
 * replayed through clock, gate and estimator: right within 1%, or no answer. What share of readings is spared
 * is taken from the other experiments whose rate is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/estimate.h"
#include "bench/noise_gate.h"

enum { ROWS_MAX = 40000, NAME_MAX = 64, AROUND = 4 };

typedef struct row {
    int run;
    char experiment[NAME_MAX];
    unsigned copies, kernel, iterations;
    uint32_t chain[2], sentinel[2], body[2];
    double overhead, chain_cycles, sentinel_cycles;
    double cycle; /* ticks per core cycle, 0 if the sample is rejected */
} row;

typedef struct truth {
    const char* experiment;
    double cycles;
    bool named; /* in the list of what has to be told from short samples */
} truth;

static const truth truths[] = {
    {"add r64, r64", 0.200, true},
    {"not r64", 0.200, false},
    {"cmp r64, r64", 0.200, false},
    {"movsxd r64, r32", 1 / 3.0, false},
    {"vpaddd ymm, ymm, ymm", 1 / 3.0, true},
    {"mov r64, m64", 1 / 3.0, true},
    {"shl r64, imm8", 0.5, false},
    {"vpcmpeqd ymm, ymm, ymm", 0.5, false},
    {"mov m64, r64", 0.5, true},
    {"vmovups m256, ymm", 0.5, false},
    {"imul r64, r64", 1.0, true},
};
enum { TRUTHS = sizeof truths / sizeof *truths };

static bool parse(const char* line, row* r) {
    char gate[NAME_MAX];
    double units, cycles;
    int n = sscanf(line, "%d,\"%63[^\"]\",%u,%u,%63[^,],%u,%u,%u,%u,%u,%u,%u,%lf,%lf,%lf,%lf", &r->run,
                   r->experiment, &r->copies, &r->kernel, gate, &r->iterations, &r->chain[0], &r->sentinel[0],
                   &r->body[0], &r->body[1], &r->sentinel[1], &r->chain[1], &r->overhead, &r->chain_cycles,
                   &cycles, &units);
    r->sentinel_cycles = cycles * units;
    return n == 16;
}

/* Rows of a recording; 0 if it is not here. */
static size_t load(const char* name, row* rows) {
    const char* source = getenv("PORTOLAN_SOURCE");
    size_t n = 0;
    for (int up = 1; up <= 2 && n == 0; up++) {
        char command[600], line[400];
        snprintf(command, sizeof command, "gzip -dc '%s/%s../shared/data/golden-cove/%s' 2>/dev/null",
                 source ? source : ".", up == 2 ? "../" : "", name);
        FILE* f = popen(command, "r");
        while (f && n < ROWS_MAX && fgets(line, sizeof line, f)) n += parse(line, &rows[n]);
        if (f) pclose(f);
    }
    return n;
}

/* The clock of a sample: from the chains of its neighbours in time, too. */
static void judge(row* rows, size_t n, size_t i) {
    row* r = &rows[i];
    uint32_t chain[2 * AROUND + 2];
    size_t chains = 0;
    chain[chains++] = r->chain[0] - (uint32_t)r->overhead;
    for (size_t k = i < AROUND ? 0 : i - AROUND; k <= i + AROUND && k < n; k++)
        if (rows[k].run == r->run) chain[chains++] = rows[k].chain[1] - (uint32_t)r->overhead;
    double cycle = ptl_clock(chain, chains, 2) / r->chain_cycles;
    r->cycle = cycle;
    for (int k = 0; k < 2; k++)
        if (r->sentinel[k] - r->overhead > r->sentinel_cycles * 1.04 * cycle) r->cycle = 0;
}

static bool is_subject(const row* r, const char* experiment) {
    return r->cycle > 0 && !strcmp(r->experiment, experiment);
}

static double long_cycles(const row* r) {
    return (r->body[1] - r->overhead) / r->cycle;
}

/* The share of long readings of known experiments but one that are as they should be: of the one that fared
 * worst. */
static double spared_without(const row* rows, size_t n, const char* but, double* typical) {
    double least = 1, sum = 0;
    size_t all = 0;
    for (int t = 0; t < TRUTHS; t++) {
        size_t seen = 0, good = 0, fast_ones = 0;
        if (!strcmp(truths[t].experiment, but)) continue;
        for (size_t i = 0; i < n; i++) {
            if (!is_subject(&rows[i], truths[t].experiment)) continue;
            double per_iteration = long_cycles(&rows[i]) / 2 / rows[i].iterations;
            double fast = truths[t].cycles * rows[i].copies, slow = truths[t].cycles * (rows[i].copies + 1);
            good += per_iteration > 0.994 * fast && per_iteration < 1.006 * slow;
            fast_ones += per_iteration <= 0.994 * fast;
            sum += long_cycles(&rows[i]), all++, seen++;
        }
        if (seen < 10) continue;
        double share =
            4 * fast_ones > good ? 0 : (double)good / (double)seen; /* clocks were wrong as often */
        if (getenv("VERBOSE"))
            print_message("    %s: %zu of %zu spared, %zu too fast\n", truths[t].experiment, good, seen,
                          fast_ones);
        least = share < least ? share : least;
    }
    *typical = all ? sum / (double)all : 0;
    return all ? least : 0;
}

/* Fills short and long readings of one variant of an experiment, over all runs; returns its copies of it, 0
 * if there are none. */
static unsigned collect(const row* rows, size_t n, unsigned kernel, const char* experiment,
                        ptl_readings r[2]) {
    unsigned copies = 0;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].kernel != kernel || !is_subject(&rows[i], experiment)) continue;
        for (uint32_t k = 0; k < 2; k++) {
            ptl_reading reading = {.cycles = (rows[i].body[k] - rows[i].overhead) / rows[i].cycle,
                                   .iterations = rows[i].iterations * (k + 1),
                                   .visit = (uint32_t)i};
            ptl_readings_add(&r[k], ROWS_MAX, reading);
            if (reading.iterations < r[k].nominal) r[k].nominal = reading.iterations;
        }
        copies = rows[i].copies;
    }
    return copies;
}

/* The fastest variant of an experiment: cycles, or 0 if it is not certain, or a variant is hardly known; and
 * its copies. */
static double replay(const row* rows, size_t n, const char* experiment, unsigned* of) {
    static ptl_reading list[2][ROWS_MAX];
    ptl_conditions c = {.resolution = 8};
    c.spared = spared_without(rows, n, experiment, &c.typical);
    double best = INFINITY;
    bool certain = false;
    for (unsigned kernel = 0; kernel < 200; kernel++) {
        ptl_readings r[2] = {{.list = list[0], .nominal = UINT32_MAX},
                             {.list = list[1], .nominal = UINT32_MAX}};
        unsigned copies = collect(rows, n, kernel, experiment, r);
        if (copies == 0) continue;
        ptl_estimate e;
        ptl_evidence evidence = ptl_estimate_rate(&r[0], &r[1], &c, &e);
        if (getenv("VERBOSE"))
            print_message(
                "    %s, %u copies: %.4f, evidence %d, %zu agree of %zu, expected %.1f; slow %.4f %.2f\n",
                experiment, copies, e.cycles / copies, evidence, e.agreeing, r[1].seen,
                ptl_expected(&r[1], &c), e.slow_cycles / copies, e.slow_share);
        if (ptl_expected(&r[1], &c) < 3) return 0;
        if (!(e.cycles > 0) || e.cycles / copies >= best) continue;
        best = e.cycles / copies, certain = evidence == PTL_CERTAIN, *of = copies;
    }
    return certain ? best : 0;
}

/* Replays a recording; returns the answers, wrong ones, and those to named experiments. */
static void replay_all(const char* name, int* answers, int* wrong, int* named) {
    static row rows[ROWS_MAX];
    size_t n = load(name, rows), usable = 0;
    *answers = *wrong = *named = 0;
    if (n == 0) {
        print_message("%s is not here: skipped\n", name);
        skip();
    }
    for (size_t i = 0; i < n; i++) judge(rows, n, i), usable += rows[i].cycle > 0;
    double typical, spared = spared_without(rows, n, "", &typical);
    print_message("%s: %zu samples, %.0f %% pass clock and sentinels; of their passes of %.0f cycles %.1f %% "
                  "are spared\n",
                  name, n, 100.0 * (double)usable / (double)n, typical, 100 * spared);
    for (int t = 0; t < TRUTHS; t++) {
        unsigned copies = 1;
        double cycles = replay(rows, n, truths[t].experiment, &copies), off = cycles / truths[t].cycles - 1;
        double loop = 1.0 / copies; /* at most: its own instruction may need a port that they all need */
        if (cycles <= 0) {
            print_message("  %-22s no answer\n", truths[t].experiment);
            continue;
        }
        print_message("  %-22s %.4f, true %.4f\n", truths[t].experiment, cycles, truths[t].cycles);
        ++*answers;
        *named += truths[t].named;
        *wrong += off > 0.01 + loop || off < -0.01;
    }
}

static void short_samples_are_read_right_or_not_at_all(void** state) {
    (void)state;
    int answers, wrong, named;
    replay_all("samples-short.csv.gz", &answers, &wrong, &named);
    assert_int_equal(wrong, 0);
    assert_true(named > 0);
}

static void long_samples_are_read_right_or_not_at_all(void** state) {
    (void)state;
    int answers, wrong, named;
    replay_all("samples-long.csv.gz", &answers, &wrong, &named);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_samples_are_read_right_or_not_at_all),
        cmocka_unit_test(long_samples_are_read_right_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
