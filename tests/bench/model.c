/* How fast t(e) is computed, each way on the same inputs in the same run, on one thread:
 *
 *     build/release/bench/model [--quick]
 *
 * The inputs are those of Figure 5.4 of the dissertation: random mappings of 100 schemes, 1-6 uops each,
 * multiplicity 1-2, each uop on a random non-empty set of ports; experiments of 4 schemes on 4-18 ports, and
 * of 1-16 schemes on 10 ports. A number is the median over 8 mappings of the best of several runs over all
 * experiments, per experiment; for batches without the load vectors, whose cost per mapping is a column of
 * its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "model/batch_mappings.h"
#include "model/lp.h"
#include "model/throughput.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define MAPPINGS 8
#define EXPERIMENTS 256
#define SCHEMES 100
#define LENGTH_MAX 16

typedef enum way { PLAIN, SINGLE, SCALAR, AVX2, AVX512, GLPK, BUILD, WAYS } way;

typedef struct input {
    ptl_mapping m;
    ptl_port_sets sets;
    ptl_load_tree tree;
    ptl_batch batch;
    ptl_demand demand;
    ptl_term terms[EXPERIMENTS][LENGTH_MAX];
    ptl_experiment e[EXPERIMENTS];
    double cycles[WAYS][EXPERIMENTS];
} input;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(ptl_status s) {
    if (!s) return;
    fprintf(stderr, "model: %s\n", ptl_status_name(s));
    exit(1);
}

static void random_mapping(ptl_mapping* m, ptl_rng* r, unsigned ports) {
    static const char* const names[] = {"0", "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",
                                        "9", "10", "11", "12", "13", "14", "15", "16", "17"};
    must(ptl_mapping_new(m, names, ports, SCHEMES, 0, NULL));
    for (int i = 0; i < SCHEMES; i++) {
        ptl_uop uops[6];
        char name[8];
        size_t n = 1 + ptl_rng_below(r, 6);
        for (size_t k = 0; k < n; k++)
            uops[k] = (ptl_uop){1 + (ptl_ports)ptl_rng_below(r, (1u << ports) - 1),
                                1 + (uint32_t)ptl_rng_below(r, 2)};
        snprintf(name, sizeof name, "s%d", i);
        must(ptl_mapping_add(m, name, uops, n, 1, NULL));
    }
}

static void set_up(input* in, ptl_rng* r, unsigned ports, unsigned length) {
    memset(in, 0, sizeof *in);
    random_mapping(&in->m, r, ports);
    for (int j = 0; j < EXPERIMENTS; j++) {
        for (unsigned k = 0; k < length; k++)
            in->terms[j][k] = (ptl_term){(uint32_t)ptl_rng_below(r, SCHEMES), 1};
        in->e[j] = (ptl_experiment){in->terms[j], length};
        ptl_experiment_canonical(&in->e[j]);
        must(ptl_batch_add(&in->batch, &in->e[j], NULL));
    }
    must(ptl_port_sets_unions(&in->sets, &in->m, NULL));
    must(ptl_load_tree_fill(&in->tree, &in->sets, &in->m, NULL));
}

static void tear_down(input* in) {
    ptl_demand_free(&in->demand);
    ptl_batch_free(&in->batch);
    ptl_load_tree_free(&in->tree);
    ptl_port_sets_free(&in->sets);
    ptl_mapping_free(&in->m);
}

static ptl_kernel kernel_of(way w) {
    return w == SCALAR ? PTL_KERNEL_SCALAR : w == AVX2 ? PTL_KERNEL_AVX2 : PTL_KERNEL_AVX512;
}

static void one_by_one(input* in, way w) {
    for (int j = 0; j < EXPERIMENTS; j++) {
        double* cycles = &in->cycles[w][j];
        ptl_bottleneck b;
        uint64_t slots;
        if (w == GLPK) {
            must(ptl_lp_throughput(&in->m, &in->e[j], false, cycles, NULL, NULL));
            continue;
        }
        if (w == PLAIN) {
            must(ptl_demand_fill(&in->demand, &in->m, &in->e[j], NULL));
            must(ptl_bottleneck_by_zeta(&in->demand, &b, NULL));
        } else {
            must(ptl_query(&in->m, &in->e[j], &b, &slots, NULL));
        }
        *cycles = ptl_bottleneck_cycles(&b);
    }
}

static void run(input* in, way w) {
    if (w == BUILD) {
        must(ptl_port_sets_unions(&in->sets, &in->m, NULL));
        must(ptl_load_tree_fill(&in->tree, &in->sets, &in->m, NULL));
    } else if (w == SCALAR || w == AVX2 || w == AVX512) {
        must(ptl_batch_run(&in->batch, &in->tree, kernel_of(w), in->cycles[w], NULL));
    } else {
        one_by_one(in, w);
    }
}

/* The best of runs for `budget` seconds, at least one. */
static double best_time(input* in, way w, double budget) {
    double best = INFINITY, start = seconds(), now = start;
    while (now - start < budget || now == start) {
        double from = now;
        run(in, w);
        now = seconds();
        best = fmin(best, now - from);
    }
    return best;
}

static int by_value(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double* values, size_t n) {
    qsort(values, n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static void check(const input* in, way w) {
    for (int j = 0; j < EXPERIMENTS; j++)
        if (!(fabs(in->cycles[w][j] - in->cycles[PLAIN][j]) <= 1e-6 * in->cycles[PLAIN][j])) {
            fprintf(stderr, "model: experiment %d: %.9g instead of %.9g cycles\n", j, in->cycles[w][j],
                    in->cycles[PLAIN][j]);
            exit(1);
        }
}

static double budget = 0.02;

/* One line of the table: nanoseconds per experiment for every way, and what they are as ratios. */
static void line(unsigned ports, unsigned length, unsigned shown, double* batch_ns, double* lanes) {
    double times[WAYS][MAPPINGS], ns[WAYS], sets[MAPPINGS];
    for (int i = 0; i < MAPPINGS; i++) {
        ptl_rng r = ptl_rng_seed(ports * 10000 + length * 100 + (unsigned)i);
        input* in = malloc(sizeof *in);
        if (!in) must(PTL_NO_MEMORY);
        set_up(in, &r, ports, length);
        sets[i] = (double)in->sets.count;
        for (way w = 0; w < WAYS; w++) {
            bool missing = w >= SCALAR && w <= AVX512 && !ptl_kernel_of(kernel_of(w));
            times[w][i] = missing ? NAN : best_time(in, w, budget) * 1e9;
            if (!missing && w != BUILD) times[w][i] /= EXPERIMENTS, check(in, w);
        }
        tear_down(in);
        free(in);
    }
    for (way w = 0; w < WAYS; w++) ns[w] = median(times[w], MAPPINGS);
    *lanes = median(sets, MAPPINGS);
    *batch_ns = isnan(ns[AVX512]) ? isnan(ns[AVX2]) ? ns[SCALAR] : ns[AVX2] : ns[AVX512];
    printf("%6u %7.0f %9.0f %9.0f %8.0f %8.0f %8.0f %9.0f %10.0f %8.0f\n", shown, *lanes, ns[PLAIN],
           ns[SINGLE], ns[SCALAR], ns[AVX2], ns[AVX512], ns[GLPK], ns[BUILD] / 1e3, ns[GLPK] / *batch_ns);
    fflush(stdout);
}

static void header(const char* first) {
    printf("%6s %7s %9s %9s %8s %8s %8s %9s %10s %8s\n", first, "sets", "plain", "single", "scalar", "AVX2",
           "AVX-512", "GLPK", "vectors", "GLPK /");
    printf("%6s %7s %9s %9s %26s %9s %10s %8s\n", "", "", "ns", "ns", "batch ns", "ns", "us/mapping",
           "batch");
}

#if defined(__x86_64__)
/* Enough independent chains to hide the latency; the compiler must not look into them. */
#define CHAINS(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9)
#define DECLARE(k) __m512 v##k = _mm512_set1_ps(k);
#define STEP(k) __asm__ volatile("vfmadd213ps %1, %1, %0" : "+v"(v##k) : "v"(half));

__attribute__((target("avx512f"))) static double fma_lanes_per_ns(void) {
    __m512 half = _mm512_set1_ps(0.5f);
    double best = INFINITY;
    CHAINS(DECLARE)
    for (int round = 0; round < 200; round++) {
        double from = seconds();
        for (int i = 0; i < 2000; i++) {
            CHAINS(STEP)
        }
        best = fmin(best, seconds() - from);
    }
    return 2000.0 * 10 * 16 / (best * 1e9);
}

static void fma_limit(double lanes, unsigned length, double ns) {
    if (!ptl_kernel_of(PTL_KERNEL_AVX512)) return;
    double rate = fma_lanes_per_ns(), all = lanes * length / rate;
    printf("\nThis core does %.0f fused multiply-adds a nanosecond (AVX-512, no loads). All %.0f sets of an "
           "experiment of\n"
           "%u schemes would take %.0f ns at that limit, from registers; the search takes %.0f ns from "
           "memory: %.1f times\n"
           "the limit of the plain evaluation, as it opens only the nodes that can win.\n",
           rate, lanes, length, all, ns, ns / all);
}
#else
static void fma_limit(double lanes, unsigned length, double ns) {
    (void)lanes, (void)length, (void)ns;
}
#endif

#define POPULATION 64
#define PAIR_PORTS 9

static void count_visit(void* context, size_t i, const double* cycles) {
    double* sums = context;
    sums[i] = cycles[0];
}

/* Experiments as PMEvo's: each scheme alone, all pairs one to one, and one to n. */
static void pair_experiments(ptl_batch* b, ptl_rng* r) {
    for (uint32_t i = 0; i < SCHEMES; i++) {
        must(ptl_batch_add(b, &(ptl_experiment){&(ptl_term){i, 1}, 1}, NULL));
        for (uint32_t j = 0; j < i; j++) {
            ptl_term even[] = {{j, 1}, {i, 1}}, odd[] = {{j, 1}, {i, 2 + (uint32_t)ptl_rng_below(r, 4)}};
            must(ptl_batch_add(b, &(ptl_experiment){even, 2}, NULL));
            if ((i + j) % 2) must(ptl_batch_add(b, &(ptl_experiment){odd, 2}, NULL));
        }
    }
}

static void populations(void) {
    ptl_rng r = ptl_rng_seed(5);
    ptl_mapping m[POPULATION];
    const ptl_mapping* list[POPULATION];
    ptl_batch batch = PTL_BATCH_EMPTY;
    double sums[POPULATION], first = 0;
    pair_experiments(&batch, &r);
    for (int i = 0; i < POPULATION; i++) random_mapping(&m[i], &r, PAIR_PORTS), list[i] = &m[i];
    printf("\nPopulations: %d mappings of %d schemes on %d ports, %zu experiments of one or two schemes, "
           "load vectors included\n"
           "%8s %18s %10s\n",
           POPULATION, SCHEMES, PAIR_PORTS, batch.size, "threads", "ns per experiment", "speed-up");
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        ptl_pool* pool;
        double best = INFINITY;
        must(ptl_pool_new(&pool, threads, NULL));
        for (double start = seconds(); seconds() - start < 50 * budget;) {
            double from = seconds();
            must(ptl_batch_mappings_run(pool, list, POPULATION, &batch, PTL_KERNEL_AUTO, count_visit, sums,
                                        NULL));
            best = fmin(best, seconds() - from);
        }
        ptl_pool_free(pool);
        if (threads == 1) first = best;
        printf("%8u %18.1f %10.2f\n", threads, best * 1e9 / (double)(POPULATION * batch.size), first / best);
    }
    ptl_batch_free(&batch);
    for (int i = 0; i < POPULATION; i++) ptl_mapping_free(&m[i]);
}

int main(int argc, char** argv) {
    double ns, lanes, ns10 = 0, lanes10 = 0;
    if (argc > 1 && !strcmp(argv[1], "--quick")) budget = 0.002;
    printf("Experiments of 4 schemes\n");
    header("ports");
    for (unsigned ports = 4; ports <= 18; ports++) {
        line(ports, 4, ports, &ns, &lanes);
        if (ports == 10) ns10 = ns, lanes10 = lanes;
    }
    printf("\n10 ports\n");
    header("length");
    for (unsigned length = 1; length <= LENGTH_MAX; length++) line(10, length, length, &ns, &lanes);
    fma_limit(lanes10, 4, ns10);
    populations();
    printf("\nFor orientation, PMEvo's own C++ on a similar machine, length 4: 690 ns on 8 ports, 1,740 on "
           "10, 5,900 on 12;\n"
           "about 500 ns per pair experiment inside its evolution on 9 ports.\n");
    return 0;
}
