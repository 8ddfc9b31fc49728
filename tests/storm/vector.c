/* Frequency-hungry code: multiplications and additions, fused on x86-64, on the widest vectors, in long
 * bursts on the other processor and in short ones on the target, whose clock goes on changing after each. */
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "storm.h"

enum { ROUNDS = 500 }; /* a microsecond or so, between looks at the clock */

#define EIGHT(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7)

/* Sums that converge, so that no value ever gets slow; the barrier keeps each of them. */
#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void rounds_512(void) {
    __m512 factor = _mm512_set1_ps(0.5f), sums[8];
    for (int i = 0; i < 8; i++) sums[i] = factor;
    for (int i = 0; i < ROUNDS; i++) {
#define ROUND(k) sums[k] = _mm512_fmadd_ps(sums[k], factor, factor);
        EIGHT(ROUND)
#undef ROUND
    }
    for (int i = 0; i < 8; i++) __asm__ volatile("" : : "v"(sums[i]));
}

__attribute__((target("avx2,fma"))) static void rounds_256(void) {
    __m256 factor = _mm256_set1_ps(0.5f), sums[8];
    for (int i = 0; i < 8; i++) sums[i] = factor;
    for (int i = 0; i < ROUNDS; i++) {
#define ROUND(k) sums[k] = _mm256_fmadd_ps(sums[k], factor, factor);
        EIGHT(ROUND)
#undef ROUND
    }
    for (int i = 0; i < 8; i++) __asm__ volatile("" : : "x"(sums[i]));
}

static void rounds_128(void) {
    __m128 factor = _mm_set1_ps(0.5f), sums[8];
    for (int i = 0; i < 8; i++) sums[i] = factor;
    for (int i = 0; i < ROUNDS; i++) {
#define ROUND(k) sums[k] = _mm_add_ps(_mm_mul_ps(sums[k], factor), factor);
        EIGHT(ROUND)
#undef ROUND
    }
    for (int i = 0; i < 8; i++) __asm__ volatile("" : : "x"(sums[i]));
}

static void (*widest_rounds(void))(void) {
    if (__builtin_cpu_supports("avx512f")) return rounds_512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return rounds_256;
    return rounds_128;
}

#else
typedef float four __attribute__((vector_size(16)));

static void rounds(void) {
    four factor = {0.5f, 0.5f, 0.5f, 0.5f}, sums[8];
    for (int i = 0; i < 8; i++) sums[i] = factor;
    for (int i = 0; i < ROUNDS; i++) {
#define ROUND(k) sums[k] = sums[k] * factor + factor;
        EIGHT(ROUND)
#undef ROUND
    }
    for (int i = 0; i < 8; i++) __asm__ volatile("" : : "w"(sums[i]));
}

static void (*widest_rounds(void))(void) {
    return rounds;
}
#endif

static void burst(int64_t length) {
    void (*widest)(void) = widest_rounds();
    for (int64_t end = storm_now() + length; storm_now() < end;) widest();
}

static void on_the_other(const storm_dials* d) {
    for (;;) {
        burst(storm_burst(d->longest));
        storm_sleep_until(storm_now() + storm_pause(d));
    }
}

static void on_the_target(const storm_dials* d) {
    for (;;) {
        storm_sleep_until(storm_now() + storm_gap(d->rate));
        burst((int64_t)(d->work * 1e3));
    }
}

void storm_vector(const storm_dials* dials) {
    storm_thread(dials->cpu, STORM_REAL_TIME, on_the_target, dials);
    if (dials->other >= 0) storm_thread(dials->other, STORM_NICE, on_the_other, dials);
}
