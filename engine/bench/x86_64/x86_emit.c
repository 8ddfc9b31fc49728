#include "bench/x86_64/x86_emit.h"

void ptl_x86_emit_frame(ptl_emitter* e) {
    PTL_X86_EMIT(e, "\x48\xbe");
    ptl_emit_imm64(e, PTL_X86_FRAME_AT);
}

void ptl_x86_emit_load_gpr(ptl_emitter* e, unsigned reg, size_t offset) {
    ptl_emit_byte(e, 0x48 | (reg >> 3) << 2);
    ptl_emit_byte(e, 0x8b);
    ptl_emit_byte(e, 0x86 | (reg & 7) << 3);
    ptl_emit_imm32(e, (uint32_t)offset);
}

/* vmovups xmm/ymm reg, [rsi + offset] */
static void load_vex(ptl_emitter* e, unsigned reg, int wide, size_t offset) {
    ptl_emit_byte(e, 0xc5);
    ptl_emit_byte(e, (reg < 8 ? 0x80 : 0) | 0x78 | (wide ? 4 : 0));
    ptl_emit_byte(e, 0x10);
    ptl_emit_byte(e, 0x86 | (reg & 7) << 3);
    ptl_emit_imm32(e, (uint32_t)offset);
}

/* vmovups zmm reg, [rsi + offset], reg < 32; the displacement of an EVEX load is compressed: always use
 * disp32 */
static void load_evex(ptl_emitter* e, unsigned reg, size_t offset) {
    ptl_emit_byte(e, 0x62);
    ptl_emit_byte(e, 0x61 | (reg & 8 ? 0 : 0x80) | (reg & 16 ? 0 : 0x10));
    ptl_emit_byte(e, 0x7c);
    ptl_emit_byte(e, 0x48);
    ptl_emit_byte(e, 0x10);
    ptl_emit_byte(e, 0x86 | (reg & 7) << 3);
    ptl_emit_imm32(e, (uint32_t)offset);
}

/* movups xmm reg, [rsi + offset]: for processors without AVX */
static void load_sse(ptl_emitter* e, unsigned reg, size_t offset) {
    if (reg >= 8) ptl_emit_byte(e, 0x44);
    PTL_X86_EMIT(e, "\x0f\x10");
    ptl_emit_byte(e, 0x86 | (reg & 7) << 3);
    ptl_emit_imm32(e, (uint32_t)offset);
}

void ptl_x86_emit_load_vectors(ptl_emitter* e, unsigned vector_bits) {
    const size_t at = offsetof(ptl_x86_frame, vector);
    if (vector_bits >= 512) {
        for (unsigned k = 1; k < 8; k++) { /* kmovq k, [rsi + offset] */
            PTL_X86_EMIT(e, "\xc4\xe1\xf8\x90");
            ptl_emit_byte(e, 0x86 | k << 3);
            ptl_emit_imm32(e, (uint32_t)offsetof(ptl_x86_frame, mask));
        }
        for (unsigned r = 0; r < 32; r++) load_evex(e, r, at);
        PTL_X86_EMIT(e, "\xc4\x41\x00\x57\xff"); /* vxorps xmm15, xmm15, xmm15 */
    } else if (vector_bits >= 256) {
        for (unsigned r = 0; r < 16; r++) load_vex(e, r, 1, at);
        PTL_X86_EMIT(e, "\xc4\x41\x00\x57\xff");
    } else if (vector_bits >= 128) {
        for (unsigned r = 0; r < 16; r++) load_sse(e, r, at);
        PTL_X86_EMIT(e, "\x45\x0f\x57\xff"); /* xorps xmm15, xmm15 */
    }
}

void ptl_x86_emit_store_rax(ptl_emitter* e, uint64_t address) {
    PTL_X86_EMIT(e, "\x48\xa3");
    ptl_emit_imm64(e, address);
}

void ptl_x86_emit_load_rax(ptl_emitter* e, uint64_t address) {
    PTL_X86_EMIT(e, "\x48\xa1");
    ptl_emit_imm64(e, address);
}

void ptl_x86_emit_stamp(ptl_emitter* e, uint64_t at) {
    PTL_X86_EMIT(e, "\x0f\xae\xe8\x0f\x31"); /* lfence; rdtsc */
    PTL_X86_EMIT(e, "\x48\xc1\xe2\x20");     /* shl rdx, 32 */
    PTL_X86_EMIT(e, "\x48\x09\xd0");         /* or rax, rdx */
    ptl_x86_emit_store_rax(e, at);
}

void ptl_x86_emit_jump_back(ptl_emitter* e, size_t target) {
    ptl_emit_imm32(e, (uint32_t)(target - (e->n + 4)));
}

void ptl_x86_emit_enter(ptl_emitter* e) {
    PTL_X86_EMIT(e, "\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57"); /* push rbx, rbp, r12-r15 */
    ptl_x86_emit_frame(e);
    PTL_X86_EMIT(e, "\x48\x89\x26"); /* mov [rsi], rsp */
    PTL_X86_EMIT(e, PTL_X86_CLEAR_FLAGS);
    PTL_X86_EMIT(e, "\xdb\xe3");     /* fninit */
    PTL_X86_EMIT(e, "\x0f\xae\x56"); /* ldmxcsr [rsi + 8] */
    ptl_emit_byte(e, offsetof(ptl_x86_frame, mxcsr));
}

void ptl_x86_emit_leave(ptl_emitter* e, unsigned vector_bits) {
    PTL_X86_EMIT(e, "\x48\x8b\x26");                         /* mov rsp, [rsi] */
    if (vector_bits >= 256) PTL_X86_EMIT(e, "\xc5\xf8\x77"); /* vzeroupper */
    PTL_X86_EMIT(e, PTL_X86_CLEAR_FLAGS);
    PTL_X86_EMIT(e, "\x41\x5f\x41\x5e\x41\x5d\x41\x5c\x5d\x5b\xc3");
}
