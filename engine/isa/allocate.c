#include "isa/allocate.h"

#include <string.h>

#include "isa/allocate_bases.h"
#include "isa/architecture.h"
#include "isa/stack.h"

#define SLOTS 64 /* memory operands of one set */

/* Bytes behind the base of an address that is computed only, where it would be the base itself: that is a
 * move, which some cores eliminate. */
#define ADDRESS_APART 64

/* Algorithm 3.1's state: the partition for this sequence, and when each representative was last used. */
typedef struct allocator {
    const ptl_policy* policy;
    ptl_register_set sets[PTL_FILES][PTL_USES];
    uint8_t fixed[PTL_FILES][32]; /* bit per use in which some scheme of the sequence fixes the register */
    uint8_t needs[PTL_FILES][PTL_USES]; /* most registers of the set that one instance names */
    uint32_t cell[PTL_USES];            /* bytes of the widest memory operand */
    uint32_t displacement[PTL_USES][SLOTS];
    unsigned slots[PTL_USES];
    uint32_t now;
    uint32_t register_used[PTL_FILES][32];
    uint32_t slot_used[PTL_USES][SLOTS];
    ptl_bases bases;
    bool updates; /* general registers, beside those */
} allocator;

ptl_use ptl_operand_use(const ptl_scheme* scheme, const ptl_operand* operand, const ptl_policy* policy) {
    if (!ptl_operand_writes(operand)) return PTL_USE_READ;
    if (ptl_operand_reads(operand)) return PTL_USE_UPDATED;
    if (operand->kind != PTL_REGISTER) return PTL_USE_WRITTEN;
    bool partial = scheme->architecture->merges((ptl_register_class)operand->register_class);
    bool merging = policy->merging[scheme->mnemonic / 8] >> (scheme->mnemonic % 8) & 1;
    return partial || merging ? PTL_USE_UPDATED : PTL_USE_WRITTEN;
}

static uint32_t bytes_of(const ptl_operand* operand) {
    uint32_t bytes = 8; /* never less: narrow neighbours in one word would forward to each other */
    while (bytes * 8 < operand->width) bytes *= 2;
    return bytes;
}

static void note_fixed(allocator* a, unsigned r, ptl_use use) {
    unsigned number;
    ptl_file file = ptl_register_place(a->policy->architecture, r, &number);
    if (file != PTL_FILES) a->fixed[file][number] |= (uint8_t)(1u << use);
}

/* Lines 4-6 ahead of time: what will the sequence ask for? */
static void survey(allocator* a, const ptl_scheme* scheme) {
    bool moves = ptl_scheme_moves_bases(scheme);
    for (const uint8_t* r = scheme->architecture->amounts; moves && *r; r++)
        a->fixed[PTL_FILE_GPR][*r] = UINT8_MAX;
    if (ptl_scheme_moves_stack(scheme))
        a->fixed[PTL_FILE_GPR][scheme->architecture->stack_base] = UINT8_MAX; /* of no use */
    uint8_t wanted[PTL_FILES][PTL_USES] = {{0}};
    for (unsigned i = 0; i < scheme->operand_count; i++) {
        const ptl_operand* o = &scheme->operands[i];
        ptl_use use = ptl_operand_use(scheme, o, a->policy);
        if (o->kind == PTL_REGISTER && o->fixed) {
            note_fixed(a, o->fixed, use);
        } else if (o->kind == PTL_REGISTER) {
            ptl_file file = ptl_file_of_class((ptl_register_class)o->register_class);
            if (file != PTL_FILES) wanted[file][use] = (uint8_t)(wanted[file][use] + o->source_count);
        } else if (o->kind == PTL_MEMORY || o->kind == PTL_ADDRESS) {
            if (o->fixed) note_fixed(a, o->fixed, PTL_USE_READ); /* hidden: the base */
            if (bytes_of(o) > a->cell[use]) a->cell[use] = bytes_of(o);
        }
    }
    a->updates |= wanted[PTL_FILE_GPR][PTL_USE_UPDATED] > 0;
    wanted[PTL_FILE_GPR][PTL_USE_UPDATED] += moves;
    for (int file = 0; file < PTL_FILES; file++) {
        for (int use = 0; use < PTL_USES; use++) {
            if (wanted[file][use] > a->needs[file][use]) a->needs[file][use] = wanted[file][use];
        }
    }
}

static void append(ptl_register_set* set, unsigned number) {
    set->numbers[set->count++] = (uint8_t)number;
}

/* The policy's sets, but a register that the sequence fixes is in the set of its use alone, in front;
 * in none if the uses disagree, or if it is updated: everything on it would be one chain. */
static void partition(allocator* a, ptl_file file) {
    for (int use = 0; use < PTL_USES; use++) {
        ptl_register_set* set = &a->sets[file][use];
        for (unsigned number = 0;
             use != PTL_USE_UPDATED && number < ptl_file_size(a->policy->architecture, file); number++) {
            bool reserved = a->policy->reserved[file] >> number & 1;
            if (!reserved && a->fixed[file][number] == 1u << use) append(set, number);
        }
        const ptl_register_set* declared = &a->policy->sets[file][use];
        for (unsigned i = 0; i < declared->count; i++) {
            if (!a->fixed[file][declared->numbers[i]]) append(set, declared->numbers[i]);
        }
    }
}

/* Moves members from the end of one set to another, but no fixed ones, until `keep` are left. */
static void lend(allocator* a, ptl_file file, ptl_use from, ptl_use to, unsigned keep) {
    ptl_register_set* set = &a->sets[file][from];
    while (set->count > keep && !a->fixed[file][set->numbers[set->count - 1]]) {
        append(&a->sets[file][to], set->numbers[--set->count]);
    }
}

/* "O_R, O_W with a small number just sufficient, the remaining majority for O_RW": what this very sequence
 * can do without goes where dependency chains are. */
static void balance(allocator* a, ptl_file file) {
    const uint8_t* needs = a->needs[file];
    const ptl_register_set* sets = a->sets[file];
    if (a->policy->lend) {
        ptl_use taker = needs[PTL_USE_UPDATED] || !needs[PTL_USE_WRITTEN] ? PTL_USE_UPDATED : PTL_USE_WRITTEN;
        lend(a, file, PTL_USE_READ, taker, needs[PTL_USE_READ]);
        if (taker == PTL_USE_WRITTEN) lend(a, file, PTL_USE_UPDATED, taker, 0);
        if (!needs[PTL_USE_WRITTEN]) lend(a, file, PTL_USE_WRITTEN, taker, 0);
    }
    for (int use = 0; use < PTL_USE_UPDATED; use++) { /* too few: fixed registers took them away */
        unsigned missing = needs[use] > sets[use].count ? needs[use] - sets[use].count : 0;
        unsigned left = sets[PTL_USE_UPDATED].count;
        if (missing) lend(a, file, PTL_USE_UPDATED, (ptl_use)use, left > missing ? left - missing : 0);
    }
}

static void place_slots(allocator* a, const ptl_range* range, ptl_use use, uint32_t limit) {
    uint32_t cell = a->cell[use];
    if (cell == 0) return;
    uint32_t stride = range->stride < cell ? cell : (range->stride + cell - 1) / cell * cell;
    unsigned count = 0;
    while (count < SLOTS && count * stride + cell <= range->bytes) {
        a->displacement[use][count] = range->first + count * stride;
        count++;
    }
    /* one operand wider than the range (fxsave): alone, if the memory has room behind it */
    if (count == 0 && range->first + cell <= limit) a->displacement[use][count++] = range->first;
    a->slots[use] = count;
}

/* The next range that begins behind this one, or the end of memory. */
static uint32_t room_end(const ptl_policy* policy, const ptl_layout* layout, ptl_use use) {
    uint32_t end = policy->memory_bytes;
    for (int other = 0; other < PTL_USES; other++) {
        uint32_t first = layout->ranges[other].first;
        if (first > layout->ranges[use].first && first < end) end = first;
    }
    return end;
}

static bool has(const ptl_register_set* set, unsigned number) {
    return memchr(set->numbers, (int)number, set->count) != NULL;
}

/* Line 12: is this representative valid for the operand? Operands of several registers (zmm+3) need all. */
static bool is_candidate(uint32_t allowed, const ptl_operand* o, const ptl_register_set* set,
                         unsigned number) {
    if (!(allowed >> number & 1)) return false;
    for (unsigned i = 0; o->source_count > 1 && i < o->source_count; i++) {
        if (number % o->source_count != 0 || !has(set, number + i)) return false;
    }
    return true;
}

/* Returns when the latest of an operand's registers was used: lists of A64 share registers with single
 * operands. */
static uint32_t last_used(const allocator* a, ptl_file file, const ptl_operand* o, unsigned number) {
    uint32_t last = a->register_used[file][number];
    for (unsigned i = 1; i < o->source_count; i++)
        if (a->register_used[file][number + i] > last) last = a->register_used[file][number + i];
    return last;
}

/* Lines 11-15 for a register. */
static ptl_status choose_register(allocator* a, const ptl_scheme* scheme, const ptl_operand* o,
                                  ptl_value* value, ptl_error* error) {
    ptl_register_class c = (ptl_register_class)o->register_class;
    ptl_file file = ptl_file_of_class(c);
    if (file == PTL_FILES) {
        return ptl_fail(error, PTL_UNSUPPORTED, scheme->name, "leave this scheme out",
                        "no operands are allocated for %s registers", ptl_register_class_name(c));
    }
    const ptl_register_set* set = &a->sets[file][ptl_operand_use(scheme, o, a->policy)];
    uint32_t allowed = scheme->architecture->registers(scheme, o);
    int chosen = -1;
    if (allowed && !(allowed & (allowed - 1))) { /* it can be one register alone, whatever the policy has */
        value->reg = ptl_register_in_class(scheme->architecture, c, (unsigned)__builtin_ctz(allowed));
        return PTL_OK;
    }
    for (unsigned i = 0; i < set->count; i++) {
        unsigned number = set->numbers[i];
        if (!is_candidate(allowed, o, set, number)) continue;
        if (chosen < 0 || last_used(a, file, o, number) < last_used(a, file, o, (unsigned)chosen))
            chosen = (int)number;
    }
    if (chosen < 0) {
        return ptl_fail(error, PTL_UNSUPPORTED, scheme->name, "measure it with fewer other schemes",
                        "no %s register is left for an operand", ptl_file_name(file));
    }
    a->register_used[file][chosen] = a->now;
    for (unsigned i = 1; i < o->source_count; i++) a->register_used[file][(unsigned)chosen + i] = a->now;
    value->reg = ptl_register_in_class(scheme->architecture, c, (unsigned)chosen);
    return PTL_OK;
}

/* Lines 11-15 for memory: [base + displacement], with a vector of zeros as index where one is demanded. */
static ptl_status choose_memory(allocator* a, const ptl_scheme* scheme, const ptl_operand* o,
                                ptl_value* value, ptl_error* error) {
    ptl_use use = ptl_operand_use(scheme, o, a->policy);
    int moving = ptl_bases_next(&a->bases, scheme, o);
    if (moving >= 0) {
        ptl_register_class class = (ptl_register_class)scheme->architecture->address_class;
        value->base = ptl_register_in_class(scheme->architecture, class, (unsigned)moving);
        return PTL_OK;
    }
    if (o->is_moffs || a->slots[use] == 0) {
        return ptl_fail(error, PTL_UNSUPPORTED, scheme->name, "leave this scheme out",
                        o->is_moffs ? "absolute addresses are not allocated"
                                    : "the memory layout has no room for %u bits",
                        (unsigned)o->width);
    }
    unsigned chosen = 0;
    for (unsigned i = 1; i < a->slots[use]; i++) {
        if (a->slot_used[use][i] < a->slot_used[use][chosen]) chosen = i;
    }
    a->slot_used[use][chosen] = a->now;
    uint32_t displacement = a->displacement[use][chosen];
    if (o->kind == PTL_ADDRESS && displacement == 0) displacement = ADDRESS_APART;
    if (!scheme->architecture->address(scheme, o, a->policy, displacement, false, value)) {
        return ptl_fail(error, PTL_UNSUPPORTED, scheme->name, "leave this scheme out",
                        "its address cannot be that of the memory layout");
    }
    return PTL_OK;
}

static ptl_status choose(allocator* a, const ptl_scheme* scheme, const ptl_operand* o, ptl_value* value,
                         ptl_error* error) {
    a->now++;
    switch ((ptl_operand_kind)o->kind) {
    case PTL_REGISTER: return choose_register(a, scheme, o, value, error);
    case PTL_MEMORY:
    case PTL_ADDRESS: return choose_memory(a, scheme, o, value, error);
    case PTL_IMMEDIATE: value->number = ptl_operand_immediate(scheme, o, a->policy); return PTL_OK;
    case PTL_RELATIVE: value->number = 0; return PTL_OK; /* the next instruction */
    }
    return PTL_OK;
}

static ptl_status instantiate(allocator* a, const ptl_scheme* scheme, ptl_instance* out, ptl_error* error) {
    memset(out, 0, sizeof *out);
    out->scheme = *scheme;
    if (scheme->is_rounding) out->rounding = PTL_ROUND_NEAREST;
    for (unsigned i = 0; i < scheme->visible_count; i++) {
        const ptl_operand* o = &scheme->operands[i];
        if (o->has_constant) {
            out->values[i].number = o->constant;
        } else if (o->fixed) {
            out->values[i].reg = o->kind == PTL_REGISTER ? o->fixed : 0;
        } else if (ptl_operand_is_free(o)) {
            ptl_status status = choose(a, scheme, o, &out->values[i], error);
            if (status) return status;
        }
    }
    return PTL_OK;
}

ptl_status ptl_allocate(const ptl_scheme* const* sequence, size_t n, const ptl_policy* policy,
                        unsigned layout, ptl_instance* out, ptl_error* error) {
    if (layout >= policy->layout_count) {
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "the policy lists them", "there is no memory layout %u",
                        layout);
    }
    allocator a = {.policy = policy};
    for (size_t i = 0; i < n; i++) {
        if (sequence[i]->architecture != policy->architecture) {
            return ptl_fail(error, PTL_BAD_INPUT, sequence[i]->name, "take the policy of its architecture",
                            "a scheme of %s under a policy of %s", sequence[i]->architecture->name,
                            policy->architecture->name);
        }
        if (i == 0 || sequence[i] != sequence[i - 1]) survey(&a, sequence[i]);
        ptl_bases_note(&a.bases, sequence[i]);
    }
    for (int file = 0; file < PTL_FILES; file++) {
        partition(&a, (ptl_file)file);
        balance(&a, (ptl_file)file);
    }
    ptl_register_set* updated = &a.sets[PTL_FILE_GPR][PTL_USE_UPDATED];
    ptl_bases_take(&a.bases, updated, a.updates ? updated->count / 2u : 0, n);
    const ptl_layout* chosen = &policy->layouts[layout];
    for (int use = 0; use < PTL_USES; use++) {
        place_slots(&a, &chosen->ranges[use], (ptl_use)use, room_end(policy, chosen, (ptl_use)use));
    }
    for (size_t i = 0; i < n; i++) {
        ptl_status status = instantiate(&a, sequence[i], &out[i], error);
        if (status) return status;
    }
    if (policy->architecture->settle) policy->architecture->settle(out, n);
    return PTL_OK;
}
