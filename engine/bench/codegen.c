#include "bench/codegen.h"

#include <string.h>

#include "bench/emit.h"

static void save_rax_rdx(ptl_emitter* e) {
    ptl_emit_store_rax(e, PTL_FIELD(rax));
    PTL_EMIT(e, "\x48\x89\xd0"); /* mov rax, rdx */
    ptl_emit_store_rax(e, PTL_FIELD(rdx));
}

static void set_up(ptl_emitter* e, const ptl_loop_code* code) {
    ptl_emit_enter(e);
    ptl_emit_load_vectors(e, code->vector_bits);
    for (unsigned r = 0; r < PTL_R15; r++)
        if (r != PTL_RSI) ptl_emit_load_gpr(e, r, offsetof(ptl_frame, gpr) + 8 * r);
    if (code->keeps_stack)
        ptl_emit_load_gpr(e, PTL_KERNEL_STACK_BASE, offsetof(ptl_frame, gpr) + 8 * PTL_RSP);
    ptl_emit_load_gpr(e, PTL_R15, offsetof(ptl_frame, warm_up));
    ptl_emit_load_gpr(e, PTL_RSI, offsetof(ptl_frame, gpr) + 8 * PTL_RSI);
    if (code->ahead_size) ptl_emit_bytes(e, (const char*)code->ahead, code->ahead_size);
    save_rax_rdx(e);
}

size_t ptl_codegen_kernel(uint8_t* out, uint64_t at, const ptl_loop_code* code) {
    static const char fence[3] = "\x0f\xae\xe8"; /* lfence */
    ptl_emitter e = {out, 0};
    set_up(&e, code);
    size_t pass = e.n;
    ptl_emit_stamp(&e, PTL_FIELD(start));
    ptl_emit_load_rax(&e, PTL_FIELD(rdx));
    PTL_EMIT(&e, "\x48\x89\xc2"); /* mov rdx, rax */
    ptl_emit_load_rax(&e, PTL_FIELD(rax));
    while ((at + e.n + sizeof fence) % PTL_KERNEL_ALIGN) ptl_emit_byte(&e, 0x90);
    ptl_emit_bytes(&e, fence, sizeof fence);

    size_t loop = e.n;
    memcpy(e.out + e.n, code->body, code->size);
    e.n += code->size;
    PTL_EMIT(&e, "\x49\xff\xcf\x0f\x85"); /* dec r15; jnz loop */
    ptl_emit_jump_back(&e, loop);

    save_rax_rdx(&e);
    ptl_emit_stamp(&e, PTL_FIELD(end));
    ptl_emit_load_rax(&e, PTL_FIELD(timed));
    PTL_EMIT(&e, "\x48\x85\xc0\x74\x14"); /* test rax, rax; jz behind the jump back */
    PTL_EMIT(&e, "\x49\x89\xc7\x31\xc0"); /* mov r15, rax; xor eax, eax */
    ptl_emit_store_rax(&e, PTL_FIELD(timed));
    PTL_EMIT(&e, "\xe9");
    ptl_emit_jump_back(&e, pass);
    ptl_emit_frame(&e);
    PTL_EMIT(&e, "\x4c\x89\xf8"); /* mov rax, r15 */
    ptl_emit_leave(&e, code->vector_bits);
    return e.n;
}

static size_t repeat(uint8_t* out, const uint8_t* code, size_t size, unsigned times) {
    for (unsigned i = 0; i < times; i++) memcpy(out + i * size, code, size);
    return size * times;
}

size_t ptl_codegen_add_chain(uint8_t* out, unsigned* units) {
    *units = 180;
    return repeat(out, (const uint8_t*)"\x48\x01\xd0", 3, *units); /* add rax, rdx */
}

size_t ptl_codegen_imul_chain(uint8_t* out, unsigned* units) {
    *units = 60;
    return repeat(out, (const uint8_t*)"\x48\x0f\xaf\xc2", 4, *units); /* imul rax, rdx */
}

/* add reg, rdx over ten chains: enough for any number of adders at a latency of one cycle */
static size_t independent_adds(uint8_t* out, unsigned units) {
    static const uint8_t regs[10] = {0, 1, 3, 5, 6, 7, 8, 9, 10, 11};
    for (unsigned i = 0; i < units; i++) {
        unsigned r = regs[i % 10];
        out[3 * i] = (uint8_t)(0x48 | r >> 3);
        out[3 * i + 1] = 0x01;
        out[3 * i + 2] = (uint8_t)(0xd0 | (r & 7));
    }
    return (size_t)3 * units;
}

size_t ptl_codegen_sentinel(uint8_t* out, unsigned* units) {
    return independent_adds(out, *units = 1200);
}

size_t ptl_codegen_adds(uint8_t* out, unsigned* units) {
    return independent_adds(out, *units = 120);
}

size_t ptl_codegen_nops(uint8_t* out, unsigned* units) {
    return repeat(out, (const uint8_t*)"\x0f\x1f\x44\x00\x00", 5, *units = 120);
}

size_t ptl_codegen_imuls(uint8_t* out, unsigned* units) {
    /* imul reg, rdx over eight chains */
    static const uint8_t regs[8] = {0, 1, 3, 5, 6, 7, 8, 9};
    ptl_emitter e = {out, 0};
    for (*units = 0; *units < 40; ++*units) {
        unsigned r = regs[*units % 8];
        ptl_emit_byte(&e, 0x48 | r >> 3 << 2);
        PTL_EMIT(&e, "\x0f\xaf");
        ptl_emit_byte(&e, 0xc2 | (r & 7) << 3);
    }
    return e.n;
}

size_t ptl_codegen_loads(uint8_t* out, unsigned* units) {
    /* mov reg, [r14 + 8 * k] */
    ptl_emitter e = {out, 0};
    for (*units = 0; *units < 80; ++*units) {
        ptl_emit_byte(&e, 0x49);
        ptl_emit_byte(&e, 0x8b);
        ptl_emit_byte(&e, 0x46 | (*units % 4) << 3);
        ptl_emit_byte(&e, 8 * (*units % 8));
    }
    return e.n;
}

size_t ptl_codegen_vector_adds(uint8_t* out, unsigned* units) {
    /* vpaddd ymm(k), ymm0, ymm1 for k = 4 .. 7 */
    ptl_emitter e = {out, 0};
    for (*units = 0; *units < 80; ++*units) {
        PTL_EMIT(&e, "\xc5\xfd\xfe");
        ptl_emit_byte(&e, 0xc1 | (4 + *units % 4) << 3);
    }
    return e.n;
}
