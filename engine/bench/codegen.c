#include "bench/codegen.h"

#include <string.h>

typedef struct emitter {
    uint8_t* out;
    size_t n;
} emitter;

static void bytes(emitter* e, const char* code, size_t n) {
    memcpy(e->out + e->n, code, n);
    e->n += n;
}
#define EMIT(e, literal) bytes(e, literal, sizeof(literal) - 1)

static void byte(emitter* e, unsigned b) {
    e->out[e->n++] = (uint8_t)b;
}

static void imm32(emitter* e, uint32_t v) {
    memcpy(e->out + e->n, &v, sizeof v);
    e->n += sizeof v;
}

static void imm64(emitter* e, uint64_t v) {
    memcpy(e->out + e->n, &v, sizeof v);
    e->n += sizeof v;
}

enum { RSI = 6, R15 = 15 };

/* The address of a field of the frame. */
#define FIELD(name) (PTL_FRAME_AT + offsetof(ptl_frame, name))

/* push 0x202; popfq: interrupts on, everything else off, alignment checks and direction among it */
#define CLEAR_FLAGS "\x68\x02\x02\x00\x00\x9d"

/* mov reg, [rsi + offset] */
static void load_gpr(emitter* e, unsigned reg, size_t offset) {
    byte(e, 0x48 | (reg >> 3) << 2);
    byte(e, 0x8b);
    byte(e, 0x86 | (reg & 7) << 3);
    imm32(e, (uint32_t)offset);
}

/* vmovups xmm/ymm reg, [rsi + offset] */
static void load_vex(emitter* e, unsigned reg, int wide, size_t offset) {
    byte(e, 0xc5);
    byte(e, (reg < 8 ? 0x80 : 0) | 0x78 | (wide ? 4 : 0));
    byte(e, 0x10);
    byte(e, 0x86 | (reg & 7) << 3);
    imm32(e, (uint32_t)offset);
}

/* vmovups zmm reg, [rsi + offset], reg < 32; the displacement of an EVEX load is compressed: always use
 * disp32 */
static void load_evex(emitter* e, unsigned reg, size_t offset) {
    byte(e, 0x62);
    byte(e, 0x61 | (reg & 8 ? 0 : 0x80) | (reg & 16 ? 0 : 0x10));
    byte(e, 0x7c);
    byte(e, 0x48);
    byte(e, 0x10);
    byte(e, 0x86 | (reg & 7) << 3);
    imm32(e, (uint32_t)offset);
}

/* movups xmm reg, [rsi + offset]: for processors without AVX */
static void load_sse(emitter* e, unsigned reg, size_t offset) {
    if (reg >= 8) byte(e, 0x44);
    EMIT(e, "\x0f\x10");
    byte(e, 0x86 | (reg & 7) << 3);
    imm32(e, (uint32_t)offset);
}

static void load_vectors(emitter* e, unsigned vector_bits) {
    const size_t at = offsetof(ptl_frame, vector);
    if (vector_bits >= 512) {
        for (unsigned k = 1; k < 8; k++) { /* kmovq k, [rsi + offset] */
            EMIT(e, "\xc4\xe1\xf8\x90");
            byte(e, 0x86 | k << 3);
            imm32(e, (uint32_t)offsetof(ptl_frame, mask));
        }
        for (unsigned r = 0; r < 32; r++) load_evex(e, r, at);
        EMIT(e, "\xc4\x41\x00\x57\xff"); /* vxorps xmm15, xmm15, xmm15 */
    } else if (vector_bits >= 256) {
        for (unsigned r = 0; r < 16; r++) load_vex(e, r, 1, at);
        EMIT(e, "\xc4\x41\x00\x57\xff");
    } else if (vector_bits >= 128) {
        for (unsigned r = 0; r < 16; r++) load_sse(e, r, at);
        EMIT(e, "\x45\x0f\x57\xff"); /* xorps xmm15, xmm15 */
    }
}

/* mov [address], rax and mov rax, [address]: the only moves that need no register for a 64-bit address. */
static void store_rax(emitter* e, uint64_t address) {
    EMIT(e, "\x48\xa3");
    imm64(e, address);
}

static void load_rax(emitter* e, uint64_t address) {
    EMIT(e, "\x48\xa1");
    imm64(e, address);
}

static void save_rax_rdx(emitter* e) {
    store_rax(e, FIELD(rax));
    EMIT(e, "\x48\x89\xd0"); /* mov rax, rdx */
    store_rax(e, FIELD(rdx));
}

/* Writes the time, when all before it is done, to *at. rax and rdx must be saved. */
static void stamp(emitter* e, uint64_t at) {
    EMIT(e, "\x0f\xae\xe8\x0f\x31"); /* lfence; rdtsc */
    EMIT(e, "\x48\xc1\xe2\x20");     /* shl rdx, 32 */
    EMIT(e, "\x48\x09\xd0");         /* or rax, rdx */
    store_rax(e, at);
}

/* A jump to `target`: opcode "\xe9" (always) or "\x0f\x85" (if not zero) and a 32-bit displacement. */
static void jump_back(emitter* e, size_t target) {
    imm32(e, (uint32_t)(target - (e->n + 4)));
}

static void set_up(emitter* e, unsigned vector_bits) {
    EMIT(e, "\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57"); /* push rbx, rbp, r12-r15 */
    EMIT(e, "\x48\xbe");                                 /* mov rsi, frame */
    imm64(e, PTL_FRAME_AT);
    EMIT(e, "\x48\x89\x26"); /* mov [rsi], rsp */
    EMIT(e, CLEAR_FLAGS);
    EMIT(e, "\xdb\xe3");     /* fninit */
    EMIT(e, "\x0f\xae\x56"); /* ldmxcsr [rsi + 8] */
    byte(e, offsetof(ptl_frame, mxcsr));
    load_vectors(e, vector_bits);
    for (unsigned r = 0; r < R15; r++)
        if (r != RSI) load_gpr(e, r, offsetof(ptl_frame, gpr) + 8 * r);
    load_gpr(e, R15, offsetof(ptl_frame, warm_up));
    load_gpr(e, RSI, offsetof(ptl_frame, gpr) + 8 * RSI);
    save_rax_rdx(e);
}

static void tear_down(emitter* e, unsigned vector_bits) {
    EMIT(e, "\x48\xbe"); /* mov rsi, frame */
    imm64(e, PTL_FRAME_AT);
    EMIT(e, "\x48\x8b\x26");                         /* mov rsp, [rsi] */
    if (vector_bits >= 256) EMIT(e, "\xc5\xf8\x77"); /* vzeroupper */
    EMIT(e, CLEAR_FLAGS);
    EMIT(e, "\x4c\x89\xf8"); /* mov rax, r15 */
    EMIT(e, "\x41\x5f\x41\x5e\x41\x5d\x41\x5c\x5d\x5b\xc3");
}

size_t ptl_codegen_kernel(uint8_t* out, uint64_t at, const uint8_t* body, size_t size, unsigned vector_bits) {
    static const char fence[3] = "\x0f\xae\xe8"; /* lfence */
    emitter e = {out, 0};
    set_up(&e, vector_bits);
    size_t pass = e.n;
    stamp(&e, FIELD(start));
    load_rax(&e, FIELD(rdx));
    EMIT(&e, "\x48\x89\xc2"); /* mov rdx, rax */
    load_rax(&e, FIELD(rax));
    while ((at + e.n + sizeof fence) % PTL_KERNEL_ALIGN) byte(&e, 0x90);
    bytes(&e, fence, sizeof fence);

    size_t loop = e.n;
    memcpy(e.out + e.n, body, size);
    e.n += size;
    EMIT(&e, "\x49\xff\xcf\x0f\x85"); /* dec r15; jnz loop */
    jump_back(&e, loop);

    save_rax_rdx(&e);
    stamp(&e, FIELD(end));
    load_rax(&e, FIELD(timed));
    EMIT(&e, "\x48\x85\xc0\x74\x14"); /* test rax, rax; jz behind the jump back */
    EMIT(&e, "\x49\x89\xc7\x31\xc0"); /* mov r15, rax; xor eax, eax */
    store_rax(&e, FIELD(timed));
    EMIT(&e, "\xe9");
    jump_back(&e, pass);
    tear_down(&e, vector_bits);
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
    emitter e = {out, 0};
    for (*units = 0; *units < 40; ++*units) {
        unsigned r = regs[*units % 8];
        byte(&e, 0x48 | r >> 3 << 2);
        EMIT(&e, "\x0f\xaf");
        byte(&e, 0xc2 | (r & 7) << 3);
    }
    return e.n;
}

size_t ptl_codegen_loads(uint8_t* out, unsigned* units) {
    /* mov reg, [r14 + 8 * k] */
    emitter e = {out, 0};
    for (*units = 0; *units < 80; ++*units) {
        byte(&e, 0x49);
        byte(&e, 0x8b);
        byte(&e, 0x46 | (*units % 4) << 3);
        byte(&e, 8 * (*units % 8));
    }
    return e.n;
}

size_t ptl_codegen_vector_adds(uint8_t* out, unsigned* units) {
    /* vpaddd ymm(k), ymm0, ymm1 for k = 4 .. 7 */
    emitter e = {out, 0};
    for (*units = 0; *units < 80; ++*units) {
        EMIT(&e, "\xc5\xfd\xfe");
        byte(&e, 0xc1 | (4 + *units % 4) << 3);
    }
    return e.n;
}
