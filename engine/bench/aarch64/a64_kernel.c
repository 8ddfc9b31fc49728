#include "bench/aarch64/a64_emit.h"

/* The branch back: cbnz reaches 1 MiB. */
_Static_assert(PTL_BODY_MAX + PTL_KERNEL_OVERHEAD < 1 << 20, "the loop is closed by one branch");

static void set_up(ptl_emitter* e, const ptl_loop_code* code) {
    ptl_a64_emit_enter(e);
    ptl_a64_emit_load_vectors(e, code->vector_bits);
    ptl_a64_emit_load(e, 0, PTL_A64_OWN(stack));
    ptl_a64_emit_set_sp(e, 0);
    for (unsigned r = 0; r < 31; r++)
        if (r != PTL_A64_SCRATCH && r != PTL_A64_COUNTER) ptl_a64_emit_load(e, r, PTL_A64_OWN(x) + 8 * r);
    ptl_a64_emit_load(e, PTL_A64_COUNTER, PTL_A64_FIELD(warm_up));
    if (code->keeps_stack) ptl_a64_emit_load(e, PTL_A64_SCRATCH, PTL_A64_OWN(stack));
    ptl_emit_bytes(e, code->ahead, code->ahead_size);
}

/* The loop is closed by `sub` and `cbnz`, which leave the flags alone: chains through flags go on from one
 * iteration to the next. What the code around it needs beside x26 is x0, which is saved. */
size_t ptl_a64_kernel(uint8_t* out, uint64_t at, const ptl_loop_code* code) {
    ptl_emitter e = {out, 0};
    set_up(&e, code);
    ptl_a64_emit_frame(&e);
    ptl_a64_emit_store(&e, 0, PTL_A64_OWN(x0));
    size_t pass = e.n;
    ptl_a64_emit_stamp(&e, PTL_A64_FIELD(start));
    ptl_a64_emit_load(&e, 0, PTL_A64_OWN(x0));
    if (code->keeps_stack) ptl_a64_emit_load(&e, PTL_A64_SCRATCH, PTL_A64_OWN(stack));
    ptl_a64_emit_aligned_fence(&e, at);

    size_t loop = e.n;
    ptl_emit_bytes(&e, code->body, code->size);
    ptl_a64_emit_decrement(&e, PTL_A64_COUNTER);
    ptl_a64_emit_jump_unless_zero(&e, PTL_A64_COUNTER, loop);

    ptl_a64_emit_frame(&e);
    ptl_a64_emit_store(&e, 0, PTL_A64_OWN(x0));
    ptl_a64_emit_stamp(&e, PTL_A64_FIELD(end));
    ptl_a64_emit_load(&e, 0, PTL_A64_FIELD(timed));
    ptl_a64_emit_skip_if_zero(&e, 0, 3);
    ptl_a64_emit(&e, 0xaa0003e0 | PTL_A64_COUNTER); /* mov x27, x0 */
    ptl_a64_emit_store(&e, 31, PTL_A64_FIELD(timed));
    ptl_a64_emit_jump(&e, pass);
    ptl_a64_emit(&e, 0xaa0003e0 | PTL_A64_COUNTER << 16); /* mov x0, x27 */
    ptl_a64_emit_leave(&e);
    return e.n;
}
