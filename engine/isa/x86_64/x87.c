#include "isa/x86_64/x87.h"

#include <string.h>

#include <Zydis/Zydis.h>

bool ptl_scheme_is_x87(const ptl_scheme* s) {
    return strcmp(s->category, "X87_ALU") == 0 || strcmp(s->category, "FCMOV") == 0;
}

static uint8_t pushes(const ptl_scheme* s) {
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_FLD:
    case ZYDIS_MNEMONIC_FLD1:
    case ZYDIS_MNEMONIC_FLDL2E:
    case ZYDIS_MNEMONIC_FLDL2T:
    case ZYDIS_MNEMONIC_FLDLG2:
    case ZYDIS_MNEMONIC_FLDLN2:
    case ZYDIS_MNEMONIC_FLDPI:
    case ZYDIS_MNEMONIC_FLDZ:
    case ZYDIS_MNEMONIC_FILD:
    case ZYDIS_MNEMONIC_FBLD:
    case ZYDIS_MNEMONIC_FPTAN:
    case ZYDIS_MNEMONIC_FSINCOS:
    case ZYDIS_MNEMONIC_FXTRACT: return 1;
    default: return 0;
    }
}

static uint8_t pops(const ptl_scheme* s) {
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_FADDP:
    case ZYDIS_MNEMONIC_FMULP:
    case ZYDIS_MNEMONIC_FSUBP:
    case ZYDIS_MNEMONIC_FSUBRP:
    case ZYDIS_MNEMONIC_FDIVP:
    case ZYDIS_MNEMONIC_FDIVRP:
    case ZYDIS_MNEMONIC_FCOMP:
    case ZYDIS_MNEMONIC_FUCOMP:
    case ZYDIS_MNEMONIC_FCOMIP:
    case ZYDIS_MNEMONIC_FUCOMIP:
    case ZYDIS_MNEMONIC_FICOMP:
    case ZYDIS_MNEMONIC_FSTP:
    case ZYDIS_MNEMONIC_FSTPNCE:
    case ZYDIS_MNEMONIC_FISTP:
    case ZYDIS_MNEMONIC_FISTTP:
    case ZYDIS_MNEMONIC_FBSTP:
    case ZYDIS_MNEMONIC_FPATAN:
    case ZYDIS_MNEMONIC_FYL2X:
    case ZYDIS_MNEMONIC_FYL2XP1: return 1;
    case ZYDIS_MNEMONIC_FCOMPP:
    case ZYDIS_MNEMONIC_FUCOMPP: return 2;
    default: return 0;
    }
}

/* `accesses`: ptl_operand_reads or ptl_operand_writes. */
static bool accesses_top(const ptl_scheme* s, bool (*accesses)(const ptl_operand*)) {
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (o->kind == PTL_REGISTER && o->fixed == ZYDIS_REGISTER_ST0 && accesses(o)) return true;
    }
    return false;
}

ptl_x87_effect ptl_scheme_x87_effect(const ptl_scheme* s) {
    ptl_x87_effect e = {.pushes = pushes(s), .pops = pops(s)};
    e.updates_top =
        accesses_top(s, ptl_operand_writes) && (e.pushes == 0 || accesses_top(s, ptl_operand_reads));
    return e;
}

int ptl_x87_top_moves(const ptl_scheme* s) {
    if (s->mnemonic == ZYDIS_MNEMONIC_FINCSTP || s->mnemonic == ZYDIS_MNEMONIC_FFREEP) return 1;
    if (s->mnemonic == ZYDIS_MNEMONIC_FDECSTP) return -1;
    return pops(s) - pushes(s);
}

bool ptl_x87_swaps(const ptl_scheme* s) {
    return s->mnemonic == ZYDIS_MNEMONIC_FXCH;
}

bool ptl_scheme_frees_x87(const ptl_scheme* s) {
    return s->mnemonic == ZYDIS_MNEMONIC_FFREE;
}

/* This code is being written; it fills each place once. */
typedef struct setup {
    uint8_t* out;
    size_t capacity, size;
    unsigned base;
    bool full;
} setup;

static void put(setup* s, const void* bytes, size_t n) {
    s->full |= n > s->capacity - s->size;
    if (s->full) return;
    memcpy(s->out + s->size, bytes, n);
    s->size += n;
}

/* Prefixes, opcode and address of an instruction with [base + displacement]: reg is the opcode's extension.
 */
static void put_address(setup* s, const char* prefix, uint8_t opcode, unsigned reg, uint32_t displacement) {
    put(s, prefix, strlen(prefix));
    uint8_t head[3] = {s->base >= 8 ? 0x41 : 0x40, opcode, (uint8_t)(0x80 | reg << 3 | (s->base & 7))};
    put(s, head, sizeof head);
    if ((s->base & 7) == 4) put(s, "\x24", 1);
    put(s, &displacement, 4);
}

/* mov dword ptr [base + displacement], value */
static void put_dword(setup* s, uint32_t displacement, uint32_t value) {
    put_address(s, "", 0xc7, 0, displacement);
    put(s, &value, 4);
}

/* mov word ptr [base + displacement], value */
static void put_word(setup* s, uint32_t displacement, uint16_t value) {
    put_address(s, "\x66", 0xc7, 0, displacement);
    put(s, &value, 2);
}

/* The operand that an instance reads and that not every pattern of bits suits: a number of 80 bits, whose
 * highest bit must be set, or a control word, which must mask all exceptions. */
static const ptl_value* delicate(const ptl_instance* instance) {
    const ptl_scheme* s = &instance->scheme;
    for (unsigned k = 0; k < s->visible_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (o->kind != PTL_MEMORY || !ptl_operand_reads(o)) continue;
        if (o->width == 80 || s->mnemonic == ZYDIS_MNEMONIC_FLDCW) return &instance->values[k];
    }
    return NULL;
}

static void put_delicate(setup* s, const ptl_instance* instances, size_t n) {
    uint64_t seen[2][64] = {{0}}; /* a bit for each place in 4096 bytes: control words, numbers */
    for (size_t i = 0; i < n; i++) {
        const ptl_value* v = ptl_scheme_is_x87(&instances[i].scheme) ? delicate(&instances[i]) : NULL;
        if (!v || v->number < 0 || v->number >= 4096) continue;
        bool is_number = instances[i].scheme.mnemonic != ZYDIS_MNEMONIC_FLDCW;
        uint64_t bit = UINT64_C(1) << (v->number & 63), *word = &seen[is_number][v->number >> 6];
        if (*word & bit) continue;
        *word |= bit;
        if (is_number) /* exponent 0, and the upper half of the highest word of the mantissa */
            put_dword(s, (uint32_t)v->number + 6, 0x3fffbf80);
        else
            put_word(s, (uint32_t)v->number, 0x037f); /* what fninit sets */
    }
}

static bool works_on_integers(const ptl_scheme* s) {
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_FIADD:
    case ZYDIS_MNEMONIC_FISUB:
    case ZYDIS_MNEMONIC_FISUBR:
    case ZYDIS_MNEMONIC_FIMUL:
    case ZYDIS_MNEMONIC_FIDIV:
    case ZYDIS_MNEMONIC_FIDIVR: return true;
    default: return false;
    }
}

/* The cells of 64 bytes that instances write, a bit for each in 4096 bytes. */
static uint64_t cells_written(const ptl_instance* instances, size_t n) {
    uint64_t cells = 0;
    for (size_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < instances[i].scheme.visible_count; k++) {
            const ptl_operand* o = &instances[i].scheme.operands[k];
            int64_t at = instances[i].values[k].number;
            if (o->kind == PTL_MEMORY && ptl_operand_writes(o) && at >= 0 && at < 4096)
                cells |= UINT64_C(1) << (at >> 6);
        }
    }
    return cells;
}

/* A 1 in each cell that arithmetic reads and nothing writes. */
static void put_ones(setup* s, const ptl_instance* instances, size_t n) {
    uint64_t done = cells_written(instances, n);
    for (size_t i = 0; i < n; i++) {
        const ptl_scheme* scheme = &instances[i].scheme;
        const ptl_operand* o = &scheme->operands[0];
        int64_t at = instances[i].values[0].number;
        bool is_integer = works_on_integers(scheme);
        if (!ptl_scheme_is_x87(scheme) || scheme->visible_count == 0 || o->kind != PTL_MEMORY) continue;
        if (!ptl_operand_reads(o) || (!is_integer && o->width != 64) || at < 0 || at >= 4096) continue;
        if (done >> (at >> 6) & 1) continue;
        done |= UINT64_C(1) << (at >> 6);
        put_dword(s, (uint32_t)at, is_integer);
        if (!is_integer) put_dword(s, (uint32_t)at + 4, 0x3ff00000);
    }
}

static ptl_status set_up(const ptl_instance* instances, size_t n, const ptl_policy* policy, bool is_chain,
                         setup* s, ptl_error* error) {
    bool any = false;
    s->base = policy->memory_base;
    for (size_t i = 0; i < n && !any; i++) any = ptl_scheme_is_x87(&instances[i].scheme);
    if (!any) return PTL_OK;
    put(s, "\xd9\xeb\xd9\xeb\xd9\xeb\xd9\xeb\xd9\xeb\xd9\xe8\xd9\xe8", 14); /* fldpi five times, fld1 twice */
    put_dword(s, PTL_X87_ONE, 0);
    put_dword(s, PTL_X87_ONE + 4, 0x3ff00000);
    put_delicate(s, instances, n);
    if (is_chain) put_ones(s, instances, n);
    if (!s->full) return PTL_OK;
    return ptl_fail(error, PTL_LIMIT, NULL, "use fewer different memory operands",
                    "the code that sets up x87 operands exceeds %zu bytes", s->capacity);
}

ptl_status ptl_x87_setup(const ptl_instance* instances, size_t n, const ptl_policy* policy, unsigned layout,
                         uint8_t* out, size_t capacity, size_t* size, ptl_error* error) {
    setup s = {.out = out, .capacity = capacity};
    (void)layout;
    ptl_status status = set_up(instances, n, policy, false, &s, error);
    *size = status ? 0 : s.size;
    return status;
}

ptl_status ptl_x87_chain_setup(const ptl_instance* instances, size_t n, const ptl_policy* policy,
                               uint8_t* out, size_t capacity, size_t* size, ptl_error* error) {
    setup s = {.out = out, .capacity = capacity};
    ptl_status status = set_up(instances, n, policy, true, &s, error);
    *size = status ? 0 : s.size;
    return status;
}
