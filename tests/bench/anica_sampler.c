/* How fast random blocks are drawn, and whether they are right: anica_sampler [--quick] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../c/sampling_check.h"
#include "../c/sampling_policy.h"
#include "isa/catalogue.h"
#include "isa/x86_64/x86_64.h"

enum { SAMPLES = 100 }; /* for one abstract block, as a campaign draws them */

static ptl_policy policy;
static ptl_scheme* universe;
static uint32_t* all;
static size_t count;
static ptl_sampler* sampler;
static size_t rounds = 10000; /* of SAMPLES blocks */
static ptl_block blocks[SAMPLES];

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* what else runs does not count */
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void must(ptl_status status, const ptl_error* e) {
    char line[600];
    if (status == PTL_OK) return;
    fprintf(stderr, "%s\n", ptl_error_line(e, line, sizeof line));
    exit(1);
}

static void prepare(void) {
    ptl_error e;
    ptl_catalogue* c;
    must(ptl_catalogue_new(&c, &ptl_x86_64, PTL_X86_ALL, &e), &e);
    sampling_policy(&policy, 32);
    count = ptl_catalogue_count(c);
    universe = malloc(count * sizeof *universe);
    all = malloc(count * sizeof *all);
    if (!universe || !all) exit(1);
    for (uint32_t i = 0; i < count; i++) universe[i] = *ptl_catalogue_at(c, i), all[i] = i;
    double from = seconds();
    must(ptl_sampler_new(&sampler, universe, NULL, count, &policy, &e), &e);
    printf("Universe: all %zu schemes of the catalogue; the sampler is ready after %.2f s\n", count,
           seconds() - from);
    ptl_catalogue_free(c);
}

/* What a campaign asks for while it generalizes blocks of this length. */
enum { TOP, PART, BETA };
static const char* const kinds[] = {"no constraints", "some constraints", "all constraints"};

static void make(int kind, unsigned length, ptl_rng* rng, sampling_abstract* a) {
    if (kind == PART) {
        sampling_abstract_random(a, sampler, universe, all, count, length, rng);
    } else {
        sampling_representation_random(a, sampler, universe, all, count, length, rng);
        if (kind == TOP) a->request.alias_count = 0;
        for (unsigned i = 0; i < length && kind == TOP; i++) a->lists[i] = (ptl_scheme_list){all, count};
    }
}

/* Samples a second over many abstract blocks, the best of three passes. */
static double rate(int kind, unsigned length, size_t* constraints) {
    double best = INFINITY;
    size_t abstracts = rounds / 50;
    sampling_abstract* a = calloc(abstracts, sizeof *a);
    if (!a) exit(1);
    ptl_rng rng = ptl_rng_seed(length);
    *constraints = 0;
    for (size_t i = 0; i < abstracts; i++) {
        make(kind, length, &rng, &a[i]);
        *constraints += a[i].request.alias_count;
    }
    size_t drawn = 0;
    for (int pass = 0; pass < 3; pass++) {
        double from = seconds();
        drawn = 0;
        for (size_t i = 0; i < abstracts; i++) {
            ptl_sample_figures f;
            ptl_sampler_draw(sampler, &a[i].request, &rng, SAMPLES, blocks, &f, NULL);
            drawn += f.drawn;
        }
        best = fmin(best, (seconds() - from) / (double)drawn);
    }
    *constraints /= abstracts;
    free(a);
    return 1 / best;
}

static void rates(void) {
    printf("\n%8s %20s %14s %14s\n", "length", "", "constraints", "samples/s");
    for (unsigned length = 1; length <= 6; length++) {
        for (int kind = TOP; kind <= BETA; kind++) {
            size_t constraints;
            double r = rate(kind, length, &constraints);
            printf("%8u %20s %14zu %14.0f\n", length, kinds[kind], constraints, r);
        }
    }
}

/* How the encoder's bytes differ from the templates': in short forms for rax, xmm8-15, ...; xchg rax, rax it
 * cannot write, that becomes a nop. */
static void compare(void) {
    ptl_rng rng = ptl_rng_seed(7);
    ptl_sample_figures f;
    size_t instructions = 0, other = 0, shorter = 0, refused = 0;
    sampling_abstract* a = calloc(1, sizeof *a);
    if (!a) exit(1);
    make(TOP, 4, &rng, a);
    for (size_t round = 0; round < rounds / 10; round++) {
        ptl_sampler_draw(sampler, &a->request, &rng, SAMPLES, blocks, &f, NULL);
        for (size_t i = 0; i < 4 * f.drawn; i++, instructions++) {
            const ptl_block* b = &blocks[i / 4];
            ptl_instance instance;
            uint8_t bytes[PTL_INSTRUCTION_MAX];
            size_t n, start = i % 4 ? b->ends[i % 4 - 1] : 0, length = b->ends[i % 4] - start;
            ptl_block_instance(sampler, b, i % 4, &instance);
            if (ptl_encode(&instance, bytes, &n, NULL) != PTL_OK) {
                refused++;
                continue;
            }
            other += n != length || memcmp(bytes, b->bytes + start, n) != 0;
            shorter += n < length;
        }
    }
    printf(
        "Of %zu instructions the encoder writes %zu with other bytes, %zu of them shorter; it refuses %zu.\n",
        instructions, other, shorter, refused);
    free(a);
}

/* The same draws with the plain encoder instead of templates. */
static void encoder(void) {
    ptl_error e;
    ptl_sampler *templates = sampler, *plain;
    size_t constraints;
    double ours = rate(TOP, 4, &constraints);
    must(ptl_sampler_new(&plain, universe, NULL, count, &policy, &e), &e);
    ptl_sampler_use_encoder(plain);
    sampler = plain;
    double reference = rate(TOP, 4, &constraints);
    sampler = templates;
    ptl_sampler_free(plain);
    printf("\nBlocks of 4 instructions: %.0f samples/s; by the plain encoder (checked by decoding) %.0f: "
           "%.1f times "
           "as fast.\n",
           ours, reference, ours / reference);
    compare();
}

static void validity(void) {
    ptl_rng rng = ptl_rng_seed(11);
    sampling_abstract* a = calloc(1, sizeof *a);
    size_t wrong = 0, drawn = 0, failed = 0, tries = 0, hopeless = 0;
    if (!a) exit(1);
    for (size_t round = 0; round < rounds; round++) {
        ptl_sample_figures f;
        sampling_abstract_random(a, sampler, universe, all, count, 1 + (unsigned)(round % 6), &rng);
        if (ptl_sampler_draw(sampler, &a->request, &rng, SAMPLES, blocks, &f, NULL) != PTL_OK) hopeless++;
        for (size_t i = 0; i < f.drawn; i++) {
            const char* fault =
                sampling_fault(universe, &policy, &blocks[i], a->aliases, a->request.alias_count);
            if (fault && wrong++ < 5) printf("wrong: %s\n", fault);
        }
        drawn += f.drawn;
        failed += f.failed;
        tries += f.tries;
    }
    printf(
        "\n%zu blocks of 1 to 6 instructions from %zu abstract blocks, each decoded and checked: %zu wrong\n"
        "given up %zu times in %zu (%.4f%%; published: 0.01%%), all of %zu abstract blocks; %.4f tries a "
        "block\n",
        drawn, rounds, wrong, failed, drawn + failed, 100 * (double)failed / (double)(drawn + failed),
        hopeless, (double)tries / (double)drawn);
    free(a);
}

int main(int argc, char** argv) {
    if (argc > 1 && !strcmp(argv[1], "--quick")) rounds = 500;
    prepare();
    rates();
    encoder();
    validity();
    ptl_sampler_free(sampler);
    free(universe);
    free(all);
    return 0;
}
