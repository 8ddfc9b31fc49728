#include "bench/aarch64/a64_emit.h"

enum { SP = 31, SAVED = 160 /* bytes on the caller's stack: x19 to x30, d8 to d15 */ };

/* Instructions without their operands. */
#define MOVZ UINT32_C(0xd2800000)
#define MOVK UINT32_C(0xf2800000)
#define LDR UINT32_C(0xf9400000)
#define STR UINT32_C(0xf9000000)
#define LDR_Q UINT32_C(0x3dc00000)
#define LDP UINT32_C(0xa9400000)
#define STP UINT32_C(0xa9000000)
#define LDP_D UINT32_C(0x6d400000)
#define STP_D UINT32_C(0x6d000000)
#define LDP_POST UINT32_C(0xa8c00000)
#define STP_PRE UINT32_C(0xa9800000)
#define ADD_IMMEDIATE UINT32_C(0x91000000)
#define SUB_IMMEDIATE UINT32_C(0xd1000000)
#define MOVI_ZEROS UINT32_C(0x6f00e400)
#define MRS_TIME UINT32_C(0xd53be040) /* cntvct_el0 */
#define MRS_FPCR UINT32_C(0xd53b4400)
#define MSR_FPCR UINT32_C(0xd51b4400)
#define MSR_FPSR UINT32_C(0xd51b4420)
#define BRANCH UINT32_C(0x14000000)
#define CBZ UINT32_C(0xb4000000)
#define CBNZ UINT32_C(0xb5000000)
#define RET UINT32_C(0xd65f03c0)

void ptl_a64_emit_constant(ptl_emitter* e, unsigned reg, uint64_t value) {
    uint32_t code = MOVZ;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t part = value >> 16 * k & 0xffff;
        if (part == 0 && !(k == 3 && code == MOVZ)) continue;
        ptl_a64_emit(e, code | k << 21 | part << 5 | reg);
        code = MOVK;
    }
}

void ptl_a64_emit_frame(ptl_emitter* e) {
    ptl_a64_emit_constant(e, PTL_A64_SCRATCH, PTL_A64_FRAME_AT);
}

void ptl_a64_emit_load(ptl_emitter* e, unsigned reg, size_t offset) {
    ptl_a64_emit(e, LDR | (uint32_t)(offset / 8) << 10 | PTL_A64_SCRATCH << 5 | reg);
}

void ptl_a64_emit_store(ptl_emitter* e, unsigned reg, size_t offset) {
    ptl_a64_emit(e, STR | (uint32_t)(offset / 8) << 10 | PTL_A64_SCRATCH << 5 | reg);
}

void ptl_a64_emit_set_sp(ptl_emitter* e, unsigned reg) {
    ptl_a64_emit(e, ADD_IMMEDIATE | reg << 5 | SP);
}

/* mov reg, sp */
static void emit_get_sp(ptl_emitter* e, unsigned reg) {
    ptl_a64_emit(e, ADD_IMMEDIATE | SP << 5 | reg);
}

void ptl_a64_emit_load_vectors(ptl_emitter* e, unsigned vector_bits) {
    if (vector_bits == 0) return;
    for (unsigned r = 0; r < 31; r++)
        ptl_a64_emit(e, LDR_Q | (uint32_t)PTL_A64_OWN(vector) / 16 << 10 | PTL_A64_SCRATCH << 5 | r);
    ptl_a64_emit(e, MOVI_ZEROS | 31);
}

void ptl_a64_emit_stamp(ptl_emitter* e, size_t offset) {
    ptl_a64_emit(e, PTL_A64_FENCE);
    ptl_a64_emit(e, MRS_TIME);
    ptl_a64_emit_store(e, 0, offset);
}

void ptl_a64_emit_aligned_fence(ptl_emitter* e, uint64_t at) {
    while ((at + e->n + 4) % PTL_KERNEL_ALIGN) ptl_a64_emit(e, PTL_A64_NOP);
    ptl_a64_emit(e, PTL_A64_FENCE);
}

/* Returns how far it is back to a target, in instructions, as a number of so many bits. */
static uint32_t back(const ptl_emitter* e, size_t target, unsigned bits) {
    uint32_t distance = (uint32_t)(((int64_t)target - (int64_t)e->n) / 4);
    return distance & ((UINT32_C(1) << bits) - 1);
}

void ptl_a64_emit_jump(ptl_emitter* e, size_t target) {
    ptl_a64_emit(e, BRANCH | back(e, target, 26));
}

void ptl_a64_emit_jump_unless_zero(ptl_emitter* e, unsigned reg, size_t target) {
    ptl_a64_emit(e, CBNZ | back(e, target, 19) << 5 | reg);
}

void ptl_a64_emit_skip_if_zero(ptl_emitter* e, unsigned reg, unsigned instructions) {
    ptl_a64_emit(e, CBZ | (instructions + 1) << 5 | reg);
}

void ptl_a64_emit_decrement(ptl_emitter* e, unsigned reg) {
    ptl_a64_emit(e, SUB_IMMEDIATE | 1 << 10 | reg << 5 | reg);
}

/* The pairs of registers between the first pair, which moves sp, and the end. */
static void save_or_restore(ptl_emitter* e, uint32_t general, uint32_t vector) {
    for (unsigned r = 19, at = 16; r < 29; r += 2, at += 16)
        ptl_a64_emit(e, general | at / 8 << 15 | (r + 1) << 10 | SP << 5 | r);
    for (unsigned r = 8, at = 96; r < 16; r += 2, at += 16)
        ptl_a64_emit(e, vector | at / 8 << 15 | (r + 1) << 10 | SP << 5 | r);
}

void ptl_a64_emit_enter(ptl_emitter* e) {
    ptl_a64_emit(e, STP_PRE | (-SAVED / 8 & 0x7f) << 15 | 30 << 10 | SP << 5 | 29);
    save_or_restore(e, STP, STP_D);
    ptl_a64_emit_frame(e);
    emit_get_sp(e, 0);
    ptl_a64_emit_store(e, 0, PTL_A64_OWN(saved_sp));
    ptl_a64_emit(e, MRS_FPCR);
    ptl_a64_emit_store(e, 0, PTL_A64_OWN(saved_fpcr));
    ptl_a64_emit_load(e, 0, PTL_A64_OWN(fpcr));
    ptl_a64_emit(e, MSR_FPCR);
    ptl_a64_emit(e, MSR_FPSR | 31);
    ptl_a64_emit(e, PTL_A64_CLEAR_FLAGS);
}

void ptl_a64_emit_leave(ptl_emitter* e) {
    ptl_a64_emit_load(e, 1, PTL_A64_OWN(saved_fpcr));
    ptl_a64_emit(e, MSR_FPCR | 1);
    ptl_a64_emit_load(e, 1, PTL_A64_OWN(saved_sp));
    ptl_a64_emit_set_sp(e, 1);
    save_or_restore(e, LDP, LDP_D);
    ptl_a64_emit(e, LDP_POST | SAVED / 8 << 15 | 30 << 10 | SP << 5 | 29);
    ptl_a64_emit(e, RET);
}
