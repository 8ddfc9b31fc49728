#include "bench/x86_64/x86_emit.h"
#include "bench/x86_64/x86_target.h"

static void save_rax_rdx(ptl_emitter* e) {
    ptl_x86_emit_store_rax(e, PTL_X86_OWN(rax));
    PTL_X86_EMIT(e, "\x48\x89\xd0"); /* mov rax, rdx */
    ptl_x86_emit_store_rax(e, PTL_X86_OWN(rdx));
}

static void set_up(ptl_emitter* e, const ptl_loop_code* code) {
    ptl_x86_emit_enter(e);
    ptl_x86_emit_load_vectors(e, code->vector_bits);
    for (unsigned r = 0; r < PTL_X86_R15; r++)
        if (r != PTL_X86_RSI) ptl_x86_emit_load_gpr(e, r, offsetof(ptl_x86_frame, gpr) + 8 * r);
    if (code->keeps_stack)
        ptl_x86_emit_load_gpr(e, PTL_X86_STACK_BASE, offsetof(ptl_x86_frame, gpr) + 8 * PTL_X86_RSP);
    ptl_x86_emit_load_gpr(e, PTL_X86_R15, offsetof(ptl_frame, warm_up));
    ptl_x86_emit_load_gpr(e, PTL_X86_RSI, offsetof(ptl_x86_frame, gpr) + 8 * PTL_X86_RSI);
    ptl_emit_bytes(e, code->ahead, code->ahead_size);
    save_rax_rdx(e);
}

size_t ptl_x86_kernel(uint8_t* out, uint64_t at, const ptl_loop_code* code) {
    static const char fence[3] = "\x0f\xae\xe8"; /* lfence */
    ptl_emitter e = {out, 0};
    set_up(&e, code);
    size_t pass = e.n;
    ptl_x86_emit_stamp(&e, PTL_X86_FIELD(start));
    ptl_x86_emit_load_rax(&e, PTL_X86_OWN(rdx));
    PTL_X86_EMIT(&e, "\x48\x89\xc2"); /* mov rdx, rax */
    ptl_x86_emit_load_rax(&e, PTL_X86_OWN(rax));
    while ((at + e.n + sizeof fence) % PTL_KERNEL_ALIGN) ptl_emit_byte(&e, 0x90);
    ptl_emit_bytes(&e, fence, sizeof fence);

    size_t loop = e.n;
    ptl_emit_bytes(&e, code->body, code->size);
    PTL_X86_EMIT(&e, "\x49\xff\xcf\x0f\x85"); /* dec r15; jnz loop */
    ptl_x86_emit_jump_back(&e, loop);

    save_rax_rdx(&e);
    ptl_x86_emit_stamp(&e, PTL_X86_FIELD(end));
    ptl_x86_emit_load_rax(&e, PTL_X86_FIELD(timed));
    PTL_X86_EMIT(&e, "\x48\x85\xc0\x74\x14"); /* test rax, rax; jz behind the jump back */
    PTL_X86_EMIT(&e, "\x49\x89\xc7\x31\xc0"); /* mov r15, rax; xor eax, eax */
    ptl_x86_emit_store_rax(&e, PTL_X86_FIELD(timed));
    PTL_X86_EMIT(&e, "\xe9");
    ptl_x86_emit_jump_back(&e, pass);
    ptl_x86_emit_frame(&e);
    PTL_X86_EMIT(&e, "\x4c\x89\xf8"); /* mov rax, r15 */
    ptl_x86_emit_leave(&e, code->vector_bits);
    return e.n;
}
