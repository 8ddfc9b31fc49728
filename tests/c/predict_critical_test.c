/* Bounds of blocks against a machine without limits, instruction by instruction: random code, random
 * latencies of every pair of places. And what simulations must keep. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "isa/architecture.h"
#include "predict/simulate.h"

enum { SCHEMES = 13, ITEMS = 7, ROUNDS = 600, ITERATIONS = 240, PLACES = PTL_PLACE_NUMBERS };

static const char* const names[SCHEMES] = {
    "add r64, r64",
    "adc r64, r64",
    "imul r64, r64",
    "mov r64, r64",
    "lea r64, m",
    "cmp r32, r32",
    "cmovb r64, r64",
    "inc r64",
    "xor r32, r32",
    "mov r8, r8",
    "addsd xmm, xmm",
    "vaddpd ymm, ymm, ymm",
    "vfmadd231pd ymm, ymm, ymm",
};

/* What a test draws: a mapping of the schemes, a model, and latencies by scheme and pair (negative: none). */
typedef struct world {
    ptl_mapping mapping;
    ptl_block_model model;
    double latency[SCHEMES][PLACES][PLACES];
} world;

static double number(ptl_rng* rng) {
    return (double)ptl_rng_below(rng, 9) / 2;
}

static void draw_mapping(world* w, ptl_rng* rng) {
    const char* const ports[] = {"0", "1", "2"};
    assert_int_equal(0, ptl_mapping_new(&w->mapping, ports, 3, SCHEMES, 4, NULL));
    for (unsigned s = 0; s < SCHEMES; s++) {
        ptl_uop uop = {1 + (uint32_t)ptl_rng_below(rng, 7), 1 + (uint32_t)ptl_rng_below(rng, 2)};
        assert_int_equal(0, ptl_mapping_add(&w->mapping, names[s], &uop, 1, 1, NULL));
    }
}

/* Latencies of all pairs of places that instances of a scheme may have. */
static void draw_latencies(world* w, unsigned s, ptl_rng* rng) {
    static ptl_latency list[PTL_LATENCIES_MAX];
    ptl_block_facts f = PTL_BLOCK_FACTS_NONE;
    f.latencies = list;
    f.idiom = !strcmp(names[s], "xor r32, r32");
    for (unsigned from = 0; from < PLACES; from++)
        for (unsigned to = 0; to < PLACES; to++) {
            bool asked = (from < 9 || from >= PTL_PLACE_FLAGS) && (to < 9 || to >= PTL_PLACE_FLAGS);
            w->latency[s][from][to] = -1;
            if (!asked || f.latency_count == PTL_LATENCIES_MAX) continue;
            bool independent = ptl_rng_below(rng, 8) == 0;
            double cycles = number(rng);
            list[f.latency_count++] = (ptl_latency){
                .from = (uint8_t)from, .to = (uint8_t)to, .independent = independent, .cycles = cycles};
            if (!independent) w->latency[s][from][to] = cycles;
        }
    assert_int_equal(0, ptl_block_model_set(&w->model, s, &f, NULL));
}

static void draw_world(world* w, ptl_rng* rng) {
    draw_mapping(w, rng);
    assert_int_equal(0, ptl_block_model_new(&w->model, &w->mapping, 0, NULL));
    for (unsigned s = 0; s < SCHEMES; s++) draw_latencies(w, s, rng);
}

static void free_world(world* w) {
    ptl_block_model_free(&w->model);
    ptl_mapping_free(&w->mapping);
}

static size_t draw_code(ptl_rng* rng, uint8_t* code) {
    size_t size = 0, n;
    unsigned items = 1 + (unsigned)ptl_rng_below(rng, ITEMS);
    for (unsigned i = 0; i < items; i++) {
        ptl_instance instance;
        ptl_scheme scheme;
        assert_int_equal(0, ptl_scheme_from_name(names[ptl_rng_below(rng, SCHEMES)], &scheme, NULL));
        ptl_instance_sample(&scheme, 0, &instance);
        for (unsigned k = 0; k < scheme.visible_count; k++) {
            unsigned r = (unsigned)ptl_rng_below(rng, 4);
            const ptl_operand* o = &scheme.operands[k];
            if (o->kind == PTL_ADDRESS)
                instance.values[k] =
                    (ptl_value){.base = (uint16_t)ptl_register_in_class(&ptl_x86_64, PTL_GPR64, r)};
            else
                instance.values[k].reg =
                    (uint16_t)ptl_register_in_class(&ptl_x86_64, (ptl_register_class)o->register_class, r);
        }
        assert_int_equal(0, ptl_encode(&instance, code + size, &n, NULL));
        size += n;
    }
    return size;
}

typedef struct machine {
    double now[PTL_RESOURCE_MEMORY], next[PTL_RESOURCE_MEMORY];
} machine;

/* When a result of an item is there, if all begins as soon as its inputs are. */
static double result(const world* w, const ptl_item* item, const machine* m, uint8_t to) {
    const ptl_accesses* a = &item->accesses;
    bool idle = item->one_source && w->model.facts[item->scheme].idiom;
    double time = 0;
    for (unsigned k = 0; k < a->touch_count; k++) {
        const ptl_touch* t = &a->touches[k];
        double cycles =
            w->latency[item->scheme][ptl_place_of_operand(t->operand, (ptl_operand_part)t->part)][to];
        if (t->reads && !idle && cycles >= 0) time = fmax(time, m->now[t->file * 32 + t->number] + cycles);
    }
    for (unsigned bit = 0; bit < 32; bit++) {
        double cycles = w->latency[item->scheme][ptl_place_of_flag(bit)][to];
        if (a->flags_read >> bit & 1 && !idle && cycles >= 0)
            time = fmax(time, m->now[PTL_RESOURCE_FLAGS + bit] + cycles);
    }
    return time;
}

static void execute(const world* w, const ptl_item* item, machine* m) {
    const ptl_accesses* a = &item->accesses;
    memcpy(m->next, m->now, sizeof m->next);
    for (unsigned k = 0; k < a->touch_count; k++) {
        const ptl_touch* t = &a->touches[k];
        uint8_t place = ptl_place_of_operand(t->operand, (ptl_operand_part)t->part);
        if (t->writes) m->next[t->file * 32 + t->number] = result(w, item, m, place);
    }
    for (unsigned bit = 0; bit < 32; bit++)
        if (a->flags_written >> bit & 1)
            m->next[PTL_RESOURCE_FLAGS + bit] = result(w, item, m, ptl_place_of_flag(bit));
    memcpy(m->now, m->next, sizeof m->now);
}

/* Cycles per iteration in the end. */
static double naive(const world* w, const ptl_code_block* b) {
    machine m = {{0}, {0}};
    double half = 0, latest = 0;
    for (unsigned n = 1; n <= ITERATIONS; n++) {
        for (uint32_t i = 0; i < b->count; i++) execute(w, &b->items[i], &m);
        latest = 0;
        for (unsigned r = 0; r < PTL_RESOURCE_MEMORY; r++) latest = fmax(latest, m.now[r]);
        if (n == ITERATIONS / 2) half = latest;
    }
    return (latest - half) / (ITERATIONS / 2);
}

static ptl_block_change unchanged(void) {
    return PTL_BLOCK_UNCHANGED;
}

static void dependencies_are_those_of_a_machine_without_limits(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(19);
    ptl_block_work work = PTL_BLOCK_WORK_EMPTY;
    unsigned positive = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        static world w;
        uint8_t code[ITEMS * PTL_INSTRUCTION_MAX];
        ptl_block_bounds bounds;
        ptl_block_change change = unchanged();
        draw_world(&w, &rng);
        size_t size = draw_code(&rng, code);
        assert_int_equal(0, ptl_code_block_decode(&work.block, &w.model, code, size, NULL));
        assert_int_equal(0, ptl_block_bounds_of(&work, &change, &bounds, NULL));
        double expected = naive(&w, &work.block);
        assert_true(fabs(bounds.of[PTL_BOUND_DEPENDENCIES] - expected) < 0.1);
        positive += expected > 0;
        free_world(&w);
    }
    assert_true(positive > ROUNDS / 4);
    ptl_block_work_free(&work);
}

static void simulations_keep_the_bounds_and_are_not_far_from_them(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(20);
    ptl_block_work work = PTL_BLOCK_WORK_EMPTY;
    double sum = 0;
    for (unsigned round = 0; round < 200; round++) {
        static world w;
        uint8_t code[ITEMS * PTL_INSTRUCTION_MAX];
        ptl_block_bounds bounds;
        double cycles, again;
        ptl_premises premises = {PTL_ALIAS_SAME, PTL_START_APART};
        draw_world(&w, &rng);
        size_t size = draw_code(&rng, code);
        assert_int_equal(0, ptl_code_block_decode(&work.block, &w.model, code, size, NULL));
        assert_int_equal(0, ptl_simulate(&work, premises, &PTL_SIM_BINDER, &bounds, &cycles, NULL));
        assert_int_equal(0, ptl_simulate(&work, premises, &PTL_SIM_BINDER, &bounds, &again, NULL));
        assert_true(cycles == again);
        assert_true(cycles >= bounds.cycles && cycles <= 3 * bounds.cycles + 1);
        sum += bounds.cycles > 0 ? cycles / bounds.cycles : 1;
        free_world(&w);
    }
    assert_true(sum / 200 < 1.2);
    ptl_block_work_free(&work);
}

static void what_is_not_there_does_not_count(void** state) {
    (void)state;
    ptl_rng rng = ptl_rng_seed(21);
    ptl_block_work work = PTL_BLOCK_WORK_EMPTY, less = PTL_BLOCK_WORK_EMPTY;
    for (unsigned round = 0; round < 200; round++) {
        static world w;
        uint8_t code[ITEMS * PTL_INSTRUCTION_MAX], rest[ITEMS * PTL_INSTRUCTION_MAX];
        ptl_block_bounds a, b;
        ptl_block_change change = unchanged(), none = unchanged();
        draw_world(&w, &rng);
        size_t size = draw_code(&rng, code);
        assert_int_equal(0, ptl_code_block_decode(&work.block, &w.model, code, size, NULL));
        change.without = (uint32_t)ptl_rng_below(&rng, work.block.count);
        const ptl_item* gone = &work.block.items[change.without];
        size_t behind = gone->offset + gone->size;
        memcpy(rest, code, gone->offset);
        memcpy(rest + gone->offset, code + behind, size - behind);
        assert_int_equal(0, ptl_block_bounds_of(&work, &change, &a, NULL));
        assert_int_equal(0, ptl_code_block_decode(&less.block, &w.model, rest, size - gone->size, NULL));
        assert_int_equal(0, ptl_block_bounds_of(&less, &none, &b, NULL));
        for (unsigned k = 0; k < PTL_BOUNDS; k++) assert_true(a.of[k] == b.of[k]);
        free_world(&w);
    }
    ptl_block_work_free(&work);
    ptl_block_work_free(&less);
}

static void places_are_numbers_and_texts(void** state) {
    (void)state;
    const char* const texts[] = {"1", "10", "2.base", "3.index", "cf", "pf", "af", "zf", "sf", "df", "of"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[PTL_PLACE_TEXT_SIZE];
        ptl_place_text(&ptl_x86_64, ptl_place_number(&ptl_x86_64, texts[i]), text);
        assert_string_equal(texts[i], text);
    }
    const char* const wrong[] = {"",   "0", "11", "x", "1.", "1.bas", "2.base ", "-1", "99999999999999999999",
                                 "cff"};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(PTL_NO_PLACE, ptl_place_number(&ptl_x86_64, wrong[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependencies_are_those_of_a_machine_without_limits),
        cmocka_unit_test(simulations_keep_the_bounds_and_are_not_far_from_them),
        cmocka_unit_test(what_is_not_there_does_not_count),
        cmocka_unit_test(places_are_numbers_and_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
