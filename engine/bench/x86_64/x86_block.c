#include "bench/x86_64/x86_emit.h"
#include "bench/x86_64/x86_target.h"

enum { RAX = 0, GPRS = 16, FILLED_WORDS = PTL_PAGE_SIZE / 8 };

/* mov [rsi + offset], rax */
static void store_field(ptl_emitter* e, size_t offset) {
    PTL_X86_EMIT(e, "\x48\x89\x86");
    ptl_emit_imm32(e, (uint32_t)offset);
}

/* mov reg, pattern */
static void load_pattern(ptl_emitter* e, unsigned reg) {
    ptl_emit_byte(e, reg < 8 ? 0x48 : 0x49);
    ptl_emit_byte(e, 0xc7);
    ptl_emit_byte(e, 0xc0 | (reg & 7));
    ptl_emit_imm32(e, PTL_PAGE_PATTERN);
}

static void fill_page(ptl_emitter* e) {
    PTL_X86_EMIT(e, "\x48\xbf"); /* mov rdi, page */
    ptl_emit_imm64(e, PTL_X86_PAGE_AT);
    PTL_X86_EMIT(e, "\xb9"); /* mov ecx, words */
    ptl_emit_imm32(e, FILLED_WORDS);
    PTL_X86_EMIT(e, "\xb8"); /* mov eax, pattern */
    ptl_emit_imm32(e, PTL_PAGE_PATTERN);
    PTL_X86_EMIT(e, "\xf3\x48\xab"); /* rep stosq */
    PTL_X86_EMIT(e, "\x0f\xae\xf0"); /* mfence */
}

/* The state that every iteration starts from. */
static void initialise(ptl_emitter* e, const ptl_block_setup* setup) {
    ptl_x86_emit_frame(e);
    PTL_X86_EMIT(e, "\x48\x8b\x26"); /* mov rsp, [rsi] */
    PTL_X86_EMIT(e, PTL_X86_CLEAR_FLAGS);
    if (setup->x87) PTL_X86_EMIT(e, "\xdb\xe3"); /* fninit */
    if (setup->writes) fill_page(e);
    ptl_x86_emit_load_vectors(e, setup->vector_bits);
    for (unsigned r = 0; r < GPRS; r++) load_pattern(e, r);
}

size_t ptl_x86_block(uint8_t* out, uint64_t at, const uint8_t* body, size_t size,
                     const ptl_block_setup* setup) {
    static const char fence[3] = "\x0f\xae\xe8"; /* lfence */
    const size_t left = offsetof(ptl_frame, left);
    ptl_emitter e = {out, 0};
    ptl_x86_emit_enter(&e);
    ptl_x86_emit_load_gpr(&e, RAX, offsetof(ptl_frame, warm_up));
    store_field(&e, left);
    size_t pass = e.n;
    ptl_x86_emit_stamp(&e, PTL_X86_FIELD(start));

    size_t loop = e.n;
    initialise(&e, setup);
    while ((at + e.n + sizeof fence) % PTL_KERNEL_ALIGN) ptl_emit_byte(&e, 0x90);
    ptl_emit_bytes(&e, fence, sizeof fence);
    ptl_emit_bytes(&e, body, size);
    ptl_emit_bytes(&e, fence, sizeof fence);
    ptl_x86_emit_frame(&e);
    PTL_X86_EMIT(&e, "\x48\xff\x8e"); /* dec qword [rsi + left] */
    ptl_emit_imm32(&e, (uint32_t)left);
    PTL_X86_EMIT(&e, "\x0f\x85");
    ptl_x86_emit_jump_back(&e, loop);

    ptl_x86_emit_stamp(&e, PTL_X86_FIELD(end));
    ptl_x86_emit_load_rax(&e, PTL_X86_FIELD(timed));
    PTL_X86_EMIT(&e, "\x48\x85\xc0\x74\x1b"); /* test rax, rax; jz behind the jump back */
    ptl_x86_emit_store_rax(&e, PTL_X86_FIELD(left));
    PTL_X86_EMIT(&e, "\x31\xc0"); /* xor eax, eax */
    ptl_x86_emit_store_rax(&e, PTL_X86_FIELD(timed));
    PTL_X86_EMIT(&e, "\xe9");
    ptl_x86_emit_jump_back(&e, pass);
    ptl_x86_emit_frame(&e);
    ptl_x86_emit_load_gpr(&e, RAX, left);
    ptl_x86_emit_leave(&e, setup->vector_bits);
    return e.n;
}
