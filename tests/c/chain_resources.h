/* What instances of a chain read and write: numbered resources, for chain_check.h. */
#ifndef CHAIN_RESOURCES_H
#define CHAIN_RESOURCES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/architecture.h"
#include "isa/chain.h"
#include "isa/register_stack.h"
#include "schedule/cycle_ratio.h"

enum {
    ROUNDS = 24, /* as many as there are cells for memory that is updated */
    HEAVY = 10, /* cycles from any place to any other that no link is about; a carrier may go into memory that
                 * is updated, and out of it when its cell comes again: less than half of the rounds */
    INSTANCES = 6 * ROUNDS * (PTL_CUTS_MAX + 1 + PTL_BEHIND_MAX),
    FLAG = 64, /* resources: registers by file, then flags by bit, memory by cell, the x87 stack */
    MEMORY = 96,
    STACK = MEMORY + 65,
    RESOURCES = STACK + 8,
    EDGES = 1 << 16
};

typedef struct connector {
    const char *scheme, *from, *to;
} connector;

typedef struct fixture {
    ptl_policy policy;
    ptl_chain chain;
    uint8_t code[INSTANCES * PTL_INSTRUCTION_MAX];
    uint32_t offsets[INSTANCES + 1];
    ptl_instance instances[INSTANCES];
    const ptl_architecture* architecture;
    uint16_t second_base; /* a register that holds the address of the memory + 2048; or 0 */
    /* Connectors that lead from a place to a general register, and from there to a place; NULL: there is
     * none. */
    const struct connector* (*out_of)(const ptl_scheme* s, const ptl_place* to);
    const struct connector* (*into)(const ptl_scheme* s, const ptl_place* from);
    int top[INSTANCES + 1]; /* of the x87 stack, ahead of each instance */
    bool reads[INSTANCES + 1][RESOURCES], writes[INSTANCES + 1][RESOURCES];
    uint32_t nodes[INSTANCES + 1][RESOURCES]; /* number of what an instance waits for, + 1 */
    ptl_wait edges[EDGES];
    size_t built, refused, mismatched;
} fixture;

/* The resources of a file's registers begin there. */
static unsigned first_of(const ptl_architecture* a, ptl_file file) {
    unsigned first = 0;
    for (int f = 0; f < (int)file; f++) first += ptl_file_size(a, (ptl_file)f);
    assert_true(file < PTL_FILE_X87 && first + ptl_file_size(a, file) <= FLAG);
    return first;
}

static unsigned register_resource(const ptl_architecture* a, unsigned r) {
    unsigned number = 0;
    ptl_file file = ptl_register_place(a, r, &number);
    return first_of(a, file) + number;
}

/* A register of the stack, wherever its top is at instance i. */
static unsigned stack_resource(const fixture* f, size_t i, unsigned number, bool writes) {
    int moves = ptl_scheme_top_moves(&f->instances[i].scheme);
    return STACK + ptl_register_fixed_number(f->architecture, PTL_FILE_X87, number, f->top[i], moves, writes);
}

static unsigned flag_resource(uint32_t flag) {
    unsigned bit = 0;
    while (!(flag >> bit & 1)) bit++;
    return FLAG + bit;
}

static bool same_register(const ptl_architecture* a, unsigned r, unsigned other) {
    unsigned number = 0, second = 0;
    return ptl_register_place(a, r, &number) == ptl_register_place(a, other, &second) && number == second;
}

/* A base that is set ahead of instance i: its distance from the memory's base; otherwise 0. */
static int64_t set_ahead(const fixture* f, size_t i, unsigned base) {
    for (size_t j = i; j-- > 0 && i - j <= PTL_CUTS_MAX;) {
        const ptl_instance* before = &f->instances[j];
        bool is_sum = strcmp(before->scheme.name, "add xsp, xsp, imm12") == 0;
        if (is_sum && same_register(f->architecture, before->values[0].reg, base))
            return before->values[2].number;
    }
    return 0;
}

/* Indices hold 0; other bases than the memory's hold its address, moved by what the displacement takes back.
 */
static unsigned memory_resource(const fixture* f, size_t i, const ptl_value* address) {
    int64_t at = address->number + set_ahead(f, i, address->base);
    if (f->second_base && same_register(f->architecture, address->base, f->second_base)) at += 2048;
    assert_true(at >= 0 && at <= 4096 && at % 64 == 0);
    return MEMORY + (unsigned)at / 64;
}

static void note_bits(const ptl_architecture* a, const uint32_t bits[PTL_FILES], bool* resources) {
    for (int file = 0; file < PTL_FILE_X87; file++)
        for (unsigned k = 0; k < ptl_file_size(a, (ptl_file)file); k++)
            if (bits[file] >> k & 1) resources[first_of(a, (ptl_file)file) + k] = true;
}

/* All ones whatever the operands hold. */
static bool is_ones(const ptl_instance* i) {
    return strcmp(i->scheme.name, "vpcmpeqd ymm, ymm, ymm") == 0 && i->values[1].reg == i->values[2].reg;
}

static void note_accesses(fixture* f, size_t i, const ptl_instance* instance) {
    ptl_accesses a;
    ptl_accesses_of(instance, &a);
    memset(f->reads[i], 0, sizeof f->reads[i]);
    memset(f->writes[i], 0, sizeof f->writes[i]);
    if (!is_ones(instance)) note_bits(f->architecture, a.read, f->reads[i]);
    note_bits(f->architecture, a.address, f->reads[i]);
    note_bits(f->architecture, a.written, f->writes[i]);
    for (unsigned k = 0; k < 8; k++) {
        if (a.read[PTL_FILE_X87] >> k & 1) f->reads[i][stack_resource(f, i, k, false)] = true;
        if (a.written[PTL_FILE_X87] >> k & 1) f->writes[i][stack_resource(f, i, k, true)] = true;
    }
    for (unsigned bit = 0; bit < 32; bit++) {
        if (a.flags_read >> bit & 1) f->reads[i][FLAG + bit] = true;
        if (a.flags_written >> bit & 1) f->writes[i][FLAG + bit] = true;
    }
    for (unsigned k = 0; k < a.memory_count; k++) {
        unsigned m = memory_resource(f, i, &a.memory[k].address);
        f->reads[i][m] |= a.memory[k].reads;
        f->writes[i][m] |= a.memory[k].writes;
    }
}

/* Of a place of instance i, where its value enters or leaves. */
static unsigned place_resource(const fixture* f, size_t i, const ptl_place* p, bool writes) {
    unsigned number = 0;
    const ptl_instance* instance = &f->instances[i];
    const ptl_operand* o = &instance->scheme.operands[p->operand];
    ptl_value address = ptl_operand_address(instance, p->operand);
    switch ((ptl_place_kind)p->kind) {
    case PTL_PLACE_FLAG: return flag_resource(p->flag);
    case PTL_PLACE_MEMORY: return memory_resource(f, i, &address);
    case PTL_PLACE_BASE: return register_resource(instance->scheme.architecture, address.base);
    case PTL_PLACE_INDEX: return register_resource(instance->scheme.architecture, address.index);
    default: break;
    }
    unsigned r = o->fixed ? o->fixed : instance->values[p->operand].reg;
    if (ptl_register_place(f->architecture, r, &number) == PTL_FILE_X87)
        return stack_resource(f, i, number, writes);
    return register_resource(f->architecture, r);
}

#endif
