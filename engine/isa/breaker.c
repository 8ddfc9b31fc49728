#include "isa/breaker.h"

enum { STACK_POINTER = 4 };

static bool is_fixed_register(const ptl_operand* o) {
    return o->kind == PTL_REGISTER && o->fixed && o->register_class != PTL_FLAGS;
}

static bool reads_place(const ptl_scheme* s, ptl_file file, unsigned number, ZydisRegister r) {
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (!is_fixed_register(o) || !ptl_operand_reads(o)) continue;
        unsigned other;
        ptl_file of = ptl_register_place((ZydisRegister)o->fixed, &other);
        if (of == PTL_FILES ? o->fixed == r : of == file && other == number) return true;
    }
    return false;
}

static bool among(const uint8_t* numbers, int n, unsigned number) {
    for (int i = 0; i < n; i++)
        if (numbers[i] == number) return true;
    return false;
}

static bool is_conditional_branch(const ptl_scheme* s) {
    return s->branch_type != ZYDIS_BRANCH_TYPE_NONE && s->flags_read != 0;
}

int ptl_scheme_breakers(const ptl_scheme* s, unsigned scratch, uint8_t numbers[PTL_BREAKERS_MAX]) {
    int n = 0;
    if (is_conditional_branch(s)) {
        numbers[n++] = (uint8_t)scratch;
        return n;
    }
    if (!ptl_scheme_updates_fixed(s)) return 0;
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (!is_fixed_register(o) || !ptl_operand_writes(o)) continue;
        unsigned number = 0;
        ptl_file file = ptl_register_place((ZydisRegister)o->fixed, &number);
        if (!reads_place(s, file, number, (ZydisRegister)o->fixed)) continue;
        if (file != PTL_FILE_GPR || number == STACK_POINTER || n == PTL_BREAKERS_MAX) return -1;
        if (!among(numbers, n, number)) numbers[n++] = (uint8_t)number;
    }
    if (n == 0) numbers[n++] = (uint8_t)scratch; /* flags: every zeroing idiom writes all of them */
    return n;
}

static unsigned scratch_of(const ptl_policy* policy) {
    const ptl_register_set* written = &policy->sets[PTL_FILE_GPR][PTL_USE_WRITTEN];
    return written->count ? written->numbers[0] : 0;
}

size_t ptl_write_breakers(const ptl_scheme* s, const ptl_policy* policy,
                          uint8_t out[PTL_BREAKERS_MAX * PTL_BREAKER_SIZE]) {
    uint8_t numbers[PTL_BREAKERS_MAX];
    int n = ptl_scheme_breakers(s, scratch_of(policy), numbers);
    size_t size = 0;
    for (int i = 0; i < n; i++) { /* xor r32, r32 */
        if (numbers[i] >= 8) out[size++] = 0x45;
        out[size++] = 0x31;
        out[size++] = (uint8_t)(0xC0 | (numbers[i] & 7) << 3 | (numbers[i] & 7));
    }
    return size;
}
