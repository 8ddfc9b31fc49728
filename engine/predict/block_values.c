#include "predict/block_values.h"

#include <stdlib.h>

#include "base/room.h"

static ptl_sum number(int64_t offset) {
    return (ptl_sum){0, (uint64_t)offset};
}

static ptl_sum unknown(uint64_t hash) {
    return (ptl_sum){ptl_mix(hash, 1) | 1, 0}; /* odd, so that no factor but 0 makes it vanish */
}

static ptl_sum add(ptl_sum a, ptl_sum b, uint64_t factor) {
    return (ptl_sum){a.unknowns + factor * b.unknowns, a.offset + factor * b.offset};
}

static uint64_t mix_sum(uint64_t hash, ptl_sum a) {
    return ptl_mix(ptl_mix(hash, a.unknowns), a.offset);
}

/* Every 8 bytes of memory and every general register hold this first, if all are alike. */
#define ALIKE UINT64_C(0x12345600)

/* Where what is relative to the code begins, if all is alike: a line away from all else, as blocks are
 * measured. */
#define AWAY UINT64_C(0x40000000)

/* The least displacement from the code; 0: there is none. */
static int64_t least_relative(const ptl_code_block* b) {
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < b->count; i++) {
        const ptl_accesses* a = &b->items[i].accesses;
        for (unsigned k = 0; k < a->memory_count; k++) {
            const ptl_value* address = &a->memory[k].address;
            bool relative = ptl_is_instruction_pointer(b->model->architecture, address->base);
            if (relative && address->number < least) least = address->number;
        }
    }
    return least == INT64_MAX ? 0 : least;
}

void ptl_values_start(ptl_values* v, const ptl_code_block* b, ptl_start start) {
    const ptl_architecture* architecture = b->model->architecture;
    unsigned general = ptl_file_size(architecture, PTL_FILE_GPR);
    v->architecture = architecture;
    v->start = start;
    v->code = start == PTL_START_ALIKE ? AWAY - (uint64_t)least_relative(b) : 0;
    v->steps = v->store_count = 0;
    for (unsigned r = 0; r < PTL_RESOURCE_MEMORY; r++) v->of[r] = unknown(r + 2);
    for (unsigned r = 0; start == PTL_START_ALIKE && r < general; r++)
        v->of[PTL_FILE_GPR * 32u + r] = number(ALIKE);
}

static ptl_sum register_value(const ptl_values* v, uint16_t name) {
    unsigned k;
    ptl_file file = name ? ptl_register_place(v->architecture, name, &k) : PTL_FILES;
    if (file != PTL_FILES) return v->of[file * 32u + k];
    if (name && v->architecture->is_zero && v->architecture->is_zero(name)) return number(0);
    return name ? unknown(UINT64_C(1) << 32 | name) : number(0); /* rip, fs */
}

static ptl_sum sum_address(const ptl_values* v, const ptl_value* a) {
    ptl_sum sum = add(register_value(v, a->base), number(a->number), 1);
    if (a->index) sum = add(sum, register_value(v, a->index), a->scale);
    return a->segment ? add(sum, register_value(v, a->segment), 1) : sum;
}

static unsigned stack_pointer(const ptl_values* v) {
    return PTL_FILE_GPR * 32u + v->architecture->stack_pointer;
}

ptl_sum ptl_values_address(const ptl_values* v, const ptl_item* item, unsigned access) {
    const ptl_memory_access* m = &item->accesses.memory[access];
    bool of_code =
        v->code && !m->address.segment && ptl_is_instruction_pointer(v->architecture, m->address.base);
    ptl_sum sum = of_code ? number((int64_t)v->code + m->address.number) : sum_address(v, &m->address);
    bool of_stack = m->writes && ptl_is_stack_pointer(v->architecture, m->address.base);
    if (of_stack && item->is_push) return add(sum, number(-(int64_t)m->bytes), 1);
    bool popped = of_stack && item->stack_bytes > 0; /* pop [rsp + 8]: by the pointer as it is then */
    return popped ? add(sum, number(item->stack_bytes), 1) : sum;
}

size_t ptl_values_store_before(const ptl_values* v, ptl_sum address, uint32_t bytes) {
    for (size_t i = v->store_count; i-- > 0;) {
        const ptl_stored* s = &v->stores[i];
        if (s->address.unknowns != address.unknowns) continue;
        uint64_t behind = address.offset - s->address.offset;
        if (behind < s->bytes || (uint64_t)0 - behind < bytes) return i;
    }
    return SIZE_MAX;
}

/* Bytes of memory that nothing wrote, if all of it is alike. */
static ptl_sum alike(uint64_t address, uint32_t bytes) {
    uint64_t value = 0;
    for (uint32_t k = 0; k < bytes && k < 8; k++) {
        uint64_t byte = ALIKE >> (address + k) % 8 * 8 & 0xFF;
        value |= byte << 8 * k;
    }
    return (ptl_sum){0, value};
}

static ptl_sum load(const ptl_values* v, ptl_sum address, uint32_t bytes) {
    size_t i = ptl_values_store_before(v, address, bytes);
    const ptl_stored* s = i == SIZE_MAX ? NULL : &v->stores[i];
    if (s && s->address.offset == address.offset && s->bytes == bytes) return s->value;
    if (!s && v->start == PTL_START_ALIKE && !address.unknowns && bytes <= 8)
        return alike(address.offset, bytes);
    uint64_t hash = ptl_mix(mix_sum(3, address), bytes);
    return unknown(s ? mix_sum(mix_sum(hash, s->value), s->address) : hash);
}

/* The value of an operand that an item reads: of its register, or of its memory. */
static ptl_sum operand_value(const ptl_values* v, const ptl_item* item, unsigned operand) {
    const ptl_accesses* a = &item->accesses;
    for (unsigned k = 0; k < a->memory_count; k++)
        if (a->memory[k].operand == operand && a->memory[k].reads)
            return load(v, ptl_values_address(v, item, k), a->memory[k].bytes);
    for (unsigned k = 0; k < a->touch_count; k++)
        if (a->touches[k].operand == operand && a->touches[k].part == PTL_PART_VALUE)
            return v->of[a->touches[k].file * 32u + a->touches[k].number];
    return number(0);
}

/* Of all that an item reads: equal for equal inputs. */
static uint64_t function_of(const ptl_values* v, const ptl_item* item) {
    const ptl_accesses* a = &item->accesses;
    uint64_t hash = item->form.identity;
    if (item->form.changes_each_time) hash = ptl_mix(hash, v->steps);
    for (unsigned k = 0; k < a->touch_count; k++) {
        const ptl_touch* t = &a->touches[k];
        if (t->reads) hash = mix_sum(ptl_mix(hash, t->operand), v->of[t->file * 32u + t->number]);
    }
    for (uint32_t bits = a->flags_read; bits; bits &= bits - 1)
        hash = mix_sum(hash, v->of[PTL_RESOURCE_FLAGS + (unsigned)__builtin_ctz(bits)]);
    for (unsigned k = 0; k < a->memory_count; k++)
        if (a->memory[k].reads)
            hash = mix_sum(hash, load(v, ptl_values_address(v, item, k), a->memory[k].bytes));
    return hash;
}

static uint64_t part_of(uint64_t value, unsigned bits, bool sign) {
    if (!bits || bits >= 64) return value;
    uint64_t rest = UINT64_MAX << bits;
    return sign && value >> (bits - 1) & 1 ? value | rest : value & ~rest;
}

/* Of numbers, in as many bits as the item has. */
static uint64_t combine(const ptl_item_form* f, uint64_t a, uint64_t b) {
    unsigned bits = f->narrow ? 32 : 64, shift = (unsigned)b & (bits - 1);
    switch ((ptl_item_kind)f->kind) {
    case PTL_ITEM_AND: return a & b;
    case PTL_ITEM_OR: return a | b;
    case PTL_ITEM_XOR: return a ^ b;
    case PTL_ITEM_SHIFT: return part_of(a, bits, false) >> shift;
    case PTL_ITEM_SHIFT_SIGNED: {
        uint64_t filled = part_of(a, bits, true);
        return filled >> 63 ? ~(~filled >> shift) : filled >> shift;
    }
    case PTL_ITEM_PART: return part_of(b, f->bits, false);
    case PTL_ITEM_PART_SIGNED: return part_of(b, f->bits, true);
    default: return 0;
    }
}

/* Returns what becomes of the target, or of the memory of a push. */
static ptl_sum result_of(const ptl_values* v, const ptl_item* item, uint64_t function) {
    const ptl_item_form* f = &item->form;
    ptl_sum second = f->by_number ? number(f->number) : operand_value(v, item, f->second);
    uint64_t factor = UINT64_C(1) << f->shift;
    ptl_sum result = unknown(function);
    switch ((ptl_item_kind)f->kind) {
    case PTL_ITEM_COPY:
    case PTL_ITEM_PUSH: result = second; break;
    case PTL_ITEM_ADD: result = add(operand_value(v, item, f->first), second, factor); break;
    case PTL_ITEM_SUBTRACT: result = add(operand_value(v, item, f->first), second, 0 - factor); break;
    case PTL_ITEM_SCALE:
        result = add(number(0), operand_value(v, item, f->first), (uint64_t)f->number);
        break;
    case PTL_ITEM_ADDRESS: result = sum_address(v, &item->computed); break;
    case PTL_ITEM_POP: result = load(v, v->of[stack_pointer(v)], 8); break;
    case PTL_ITEM_ZERO: return number(0);
    case PTL_ITEM_AND:
    case PTL_ITEM_OR:
    case PTL_ITEM_XOR:
    case PTL_ITEM_SHIFT:
    case PTL_ITEM_SHIFT_SIGNED:
    case PTL_ITEM_PART:
    case PTL_ITEM_PART_SIGNED: {
        ptl_sum first = operand_value(v, item, f->first);
        bool part = f->kind >= PTL_ITEM_PART;
        if (second.unknowns || (!part && first.unknowns)) return result;
        result = number((int64_t)combine(f, first.offset, second.offset));
        break;
    }
    case PTL_ITEM_OTHER: return result;
    }
    if (f->of_numbers && result.unknowns) return unknown(function);
    if (!f->narrow) return result;
    return result.unknowns ? unknown(mix_sum(4, result)) : number((int64_t)(result.offset & UINT32_MAX));
}

static bool add_stores(ptl_values* v, const ptl_item* item, ptl_sum result, uint64_t function) {
    const ptl_accesses* a = &item->accesses;
    for (unsigned k = 0; k < a->memory_count; k++) {
        if (!a->memory[k].writes) continue;
        const ptl_item_form* f = &item->form;
        bool known =
            f->kind == PTL_ITEM_PUSH || (f->kind != PTL_ITEM_OTHER && a->memory[k].operand == f->target);
        if (!ptl_room(&v->stores, &v->store_capacity, v->store_count + 1, sizeof *v->stores)) return false;
        v->stores[v->store_count++] =
            (ptl_stored){.address = ptl_values_address(v, item, k),
                         .bytes = a->memory[k].bytes,
                         .value = known ? result : unknown(ptl_mix(function, UINT64_C(5) << 32 | k))};
    }
    return true;
}

static bool moves_base(const ptl_values* v, const ptl_touch* t) {
    return t->writes && t->part == PTL_PART_BASE && v->architecture->writes_back;
}

/* Returns what an address's base becomes that is written back; of items without such a base it does not
 * count. */
static ptl_sum moved_base(const ptl_values* v, const ptl_item* item) {
    const ptl_item_form* f = &item->form;
    const ptl_accesses* a = &item->accesses;
    ptl_sum sum = number(f->step);
    for (unsigned k = 0; k < a->touch_count; k++)
        if (moves_base(v, &a->touches[k]))
            sum = add(sum, v->of[a->touches[k].file * 32u + a->touches[k].number], 1);
    return f->step_operand ? add(sum, operand_value(v, item, f->step_operand - 1u), 1) : sum;
}

static void set_registers(ptl_values* v, const ptl_item* item, ptl_sum result, uint64_t function) {
    const ptl_accesses* a = &item->accesses;
    ptl_sum stack = add(v->of[stack_pointer(v)], number(item->stack_bytes), 1);
    ptl_sum base = moved_base(v, item);
    unsigned stack_writes = 0;
    for (unsigned k = 0; k < a->touch_count; k++) {
        const ptl_touch* t = &a->touches[k];
        if (!t->writes) continue;
        stack_writes += t->file * 32u + t->number == stack_pointer(v);
        bool known = item->form.kind != PTL_ITEM_OTHER && t->operand == item->form.target;
        v->of[t->file * 32u + t->number] =
            moves_base(v, t) ? base
            : known          ? result
                             : unknown(ptl_mix(function, (uint64_t)(k + 1) << 8 | t->operand));
    }
    /* pop rsp writes it twice, and what was loaded stays */
    if (item->stack_bytes && stack_writes == 1) v->of[stack_pointer(v)] = stack;
    for (uint32_t bits = a->flags_written; bits; bits &= bits - 1) {
        unsigned bit = (unsigned)__builtin_ctz(bits);
        v->of[PTL_RESOURCE_FLAGS + bit] = unknown(ptl_mix(function, UINT64_C(6) << 32 | bit));
    }
}

bool ptl_values_step(ptl_values* v, const ptl_item* item) {
    v->steps++;
    uint64_t function = function_of(v, item);
    ptl_sum result = result_of(v, item, function);
    if (!add_stores(v, item, result, function)) return false;
    set_registers(v, item, result, function);
    return true;
}

void ptl_values_free(ptl_values* v) {
    free(v->stores);
    *v = (ptl_values){0};
}
