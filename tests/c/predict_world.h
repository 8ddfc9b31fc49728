/* A small core for tests of blocks: a few schemes with latencies, random blocks of them as machine code, and
 * what bounds them the slow, obvious way. Include after <cmocka.h>. */
#ifndef PTL_TESTS_PREDICT_WORLD_H
#define PTL_TESTS_PREDICT_WORLD_H

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "isa/architecture.h"
#include "predict/block_bounds.h"

enum { OPS = 9, STEPS_MAX = 6, BYTES_MAX = 64, DATA = 4, ADDRESSES = 2, SLOTS = 4 };

typedef enum op { ADD, ADC, IMUL, MOV, XOR, LEA, LOAD, STORE, ADD_LOAD } op;

/* One latency: from operand 1 or 2 (value), a base, an index, or the carry flag to operand 1 or the flag. */
typedef struct pair {
    const char *from, *to;
    double cycles;
} pair;

typedef struct op_facts {
    const char* name;
    pair pairs[8];
    uint32_t uops[3]; /* port sets; 0 ends them */
} op_facts;

static const op_facts ops[OPS] = {
    [ADD] = {"add r64, r64", {{"1", "1", 1}, {"2", "1", 2}, {"1", "cf", 2}, {"2", "cf", 1}}, {7}},
    [ADC] = {"adc r64, r64",
             {{"1", "1", 1}, {"2", "1", 1}, {"cf", "1", 2}, {"1", "cf", 1}, {"2", "cf", 3}, {"cf", "cf", 1}},
             {5}},
    [IMUL] = {"imul r64, r64", {{"1", "1", 3}, {"2", "1", 3}, {"1", "cf", 4}, {"2", "cf", 4}}, {2}},
    [MOV] = {"mov r64, r64", {{"2", "1", 0}}, {0}},
    [XOR] = {"xor r64, r64", {{"1", "1", 1}, {"2", "1", 1}, {"1", "cf", 1}, {"2", "cf", 1}}, {7}},
    [LEA] = {"lea r64, m", {{"2.base", "1", 1}, {"2.index", "1", 3}}, {6}},
    [LOAD] = {"mov r64, m64", {{"2", "1", 1}, {"2.base", "1", 5}}, {8}},
    [STORE] = {"mov m64, r64", {{"2", "1", 4}, {"1.base", "1", 6}}, {16, 32}},
    [ADD_LOAD] = {"add r64, m64",
                  {{"1", "1", 1},
                   {"2", "1", 2},
                   {"2.base", "1", 6},
                   {"1", "cf", 1},
                   {"2", "cf", 2},
                   {"2.base", "cf", 6}},
                  {8, 7}},
};

static const double imul_busy = 1.5; /* cycles of its unit, in the narrow core */

/* One instruction: registers by number, 0 to 3 hold data, and memory is at address registers, which nothing
 * writes. */
typedef struct step {
    op op;
    unsigned a, b, index; /* operands; lea: a = b + index */
    unsigned base, word;  /* of memory: the address register, and words behind it */
} step;

typedef struct world {
    ptl_mapping mapping;
    ptl_block_model model;
} world;

static inline size_t facts_of_op(op o, ptl_latency* list) {
    size_t n = 0;
    for (; n < 8 && ops[o].pairs[n].from; n++)
        list[n] = (ptl_latency){.from = ptl_place_number(&ptl_x86_64, ops[o].pairs[n].from),
                                .to = ptl_place_number(&ptl_x86_64, ops[o].pairs[n].to),
                                .cycles = ops[o].pairs[n].cycles};
    return n;
}

/* alone: every uop of every scheme has a port of its own, and nothing stays busy, so that different
 * instructions do not hold each other up. */
static inline void world_new(world* w, bool alone) {
    static const char* const names[] = {"0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                        "8", "9", "10", "11", "12", "13", "14", "15"};
    unsigned next = 0;
    ptl_ports loads = 0;
    assert_int_equal(ptl_mapping_new(&w->mapping, names, alone ? 16 : 6, OPS, SLOTS, NULL), PTL_OK);
    for (unsigned o = 0; o < OPS; o++) {
        ptl_uop uops[3];
        size_t n = 0;
        for (; ops[o].uops[n]; n++) {
            uops[n] = (ptl_uop){alone ? 1u << next++ : ops[o].uops[n], 1};
            if (ops[o].uops[n] == 8) loads |= uops[n].ports;
        }
        assert_int_equal(ptl_mapping_add(&w->mapping, ops[o].name, uops, n, 1, NULL), PTL_OK);
    }
    assert_int_equal(ptl_block_model_new(&w->model, &w->mapping, 0, NULL), PTL_OK);
    w->model.unit_count = 1;
    w->model.load_ports = loads;
    for (unsigned o = 0; o < OPS; o++) {
        ptl_latency list[8];
        ptl_block_facts f = PTL_BLOCK_FACTS_NONE;
        f.latency_count = (uint32_t)facts_of_op((op)o, list);
        f.latencies = list;
        f.idiom = o == XOR;
        if (o == IMUL && !alone) f.unit = 0, f.unit_cycles = imul_busy;
        assert_int_equal(ptl_block_model_set(&w->model, o, &f, NULL), PTL_OK);
    }
}

static inline void world_free(world* w) {
    ptl_block_model_free(&w->model);
    ptl_mapping_free(&w->mapping);
}

/* Machine code of a step, at most 5 bytes. */
static inline size_t encode(const step* s, uint8_t* out) {
    static const uint8_t opcodes[OPS] = {0x01, 0x11, 0xAF, 0x89, 0x31, 0x8D, 0x8B, 0x89, 0x03};
    size_t n = 0;
    out[n++] = 0x48;
    if (s->op == IMUL) out[n++] = 0x0F;
    out[n++] = opcodes[s->op];
    if (s->op == LEA) {
        out[n++] = (uint8_t)(s->a << 3 | 4);
        out[n++] = (uint8_t)(s->index << 3 | s->b);
    } else if (s->op >= LOAD) {
        out[n++] = (uint8_t)(0x40 | s->a << 3 | (6 + s->base));
        out[n++] = (uint8_t)(8 * s->word);
    } else {
        bool target_first = s->op == IMUL;
        out[n++] = (uint8_t)(0xC0 | (target_first ? s->a : s->b) << 3 | (target_first ? s->b : s->a));
    }
    return n;
}

static inline size_t random_block(ptl_rng* rng, step steps[STEPS_MAX]) {
    size_t n = 1 + ptl_rng_below(rng, STEPS_MAX);
    for (size_t i = 0; i < n; i++)
        steps[i] = (step){(op)ptl_rng_below(rng, OPS),
                          (unsigned)ptl_rng_below(rng, DATA),
                          (unsigned)ptl_rng_below(rng, DATA),
                          (unsigned)ptl_rng_below(rng, DATA),
                          (unsigned)ptl_rng_below(rng, ADDRESSES),
                          (unsigned)ptl_rng_below(rng, 2)};
    return n;
}

static inline void decode_steps(ptl_block_work* w, const world* core, const step* steps, size_t n) {
    uint8_t code[BYTES_MAX] = {0};
    size_t size = 0;
    for (size_t i = 0; i < n; i++) size += encode(&steps[i], code + size);
    assert_int_equal(ptl_code_block_decode(&w->block, &core->model, code, size, NULL), PTL_OK);
    assert_int_equal(w->block.count, n);
    for (size_t i = 0; i < n; i++) assert_string_equal(w->block.items[i].name, ops[steps[i].op].name);
}

/* When registers, the carry flag and words of memory are there. */
typedef struct times {
    double data[DATA], carry, memory[ADDRESSES][2];
} times;

static inline bool is_idiom(const step* s) {
    return s->op == XOR && s->a == s->b;
}

static inline double* value_of(times* t, const step* s, const char* place) {
    bool memory = s->op == STORE ? place[0] == '1' : s->op >= LOAD && place[0] == '2';
    if (place[0] == 'c') return &t->carry;
    if (s->op == LEA && place[0] == '2') return &t->data[place[2] == 'b' ? s->b : s->index];
    if (memory) return place[1] ? NULL : &t->memory[s->base][s->word];
    if (s->op == STORE) return &t->data[s->a];
    return &t->data[place[0] == '1' ? s->a : s->b];
}

/* When the result at a place is there. */
static inline double result_at(times* t, const step* s, const char* to) {
    double latest = 0;
    for (unsigned k = 0; k < 8 && ops[s->op].pairs[k].from; k++) {
        const pair* p = &ops[s->op].pairs[k];
        if (strcmp(p->to, to) != 0 || is_idiom(s)) continue;
        double* in = value_of(t, s, p->from);
        latest = fmax(latest, (in ? *in : 0) + p->cycles);
    }
    return latest;
}

static inline void run_step(times* t, const step* s) {
    bool flags = s->op == ADD || s->op == ADC || s->op == IMUL || s->op == XOR || s->op == ADD_LOAD;
    double result = result_at(t, s, "1"), carry = result_at(t, s, "cf");
    *value_of(t, s, "1") = result;
    if (flags) t->carry = carry;
}

static inline double latest_of(const times* t) {
    double latest = t->carry;
    for (unsigned r = 0; r < DATA; r++) latest = fmax(latest, t->data[r]);
    for (unsigned k = 0; k < ADDRESSES * 2; k++) latest = fmax(latest, t->memory[k / 2][k % 2]);
    return latest;
}

/* Cycles per iteration when everything begins as soon as what it waits for is there. */
static inline double unrolled(const step* steps, size_t n) {
    enum { HALF = 840 }; /* a multiple of 1 to 8: most cycles of waits go round whole */
    times t = {0};
    double half = 0;
    for (unsigned k = 0; k < 2 * HALF; k++) {
        if (k == HALF) half = latest_of(&t);
        for (size_t i = 0; i < n; i++) run_step(&t, &steps[i]);
    }
    return (latest_of(&t) - half) / HALF;
}

/* The bottleneck of the narrow core's six ports, over all sets of ports. */
static inline double most_loaded_ports(const step* steps, size_t n) {
    double worst = 0;
    for (uint32_t set = 1; set < 64; set++) {
        double mass = 0;
        for (size_t i = 0; i < n; i++)
            for (unsigned u = 0; ops[steps[i].op].uops[u]; u++)
                mass += !(ops[steps[i].op].uops[u] & ~set) && !is_idiom(&steps[i]);
        worst = fmax(worst, mass / __builtin_popcount(set));
    }
    return worst;
}

#endif
