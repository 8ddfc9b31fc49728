#include "bench/aarch64/a64_emit.h"

enum { SP = 31 };

/* stp x0, x0, [x1], 16 over the whole page. */
static void fill_page(ptl_emitter* e) {
    ptl_a64_emit_constant(e, 0, PTL_PAGE_PATTERN);
    ptl_a64_emit_constant(e, 1, PTL_A64_PAGE_AT);
    ptl_a64_emit_constant(e, 2, PTL_PAGE_SIZE / 16);
    size_t loop = e->n;
    ptl_a64_emit(e, 0xa8810020);
    ptl_a64_emit_decrement(e, 2);
    ptl_a64_emit_jump_unless_zero(e, 2, loop);
    ptl_a64_emit(e, PTL_A64_MEMORY_FENCE);
}

/* The state that every iteration starts from. */
static void initialise(ptl_emitter* e, const ptl_block_setup* setup) {
    ptl_a64_emit_frame(e);
    ptl_a64_emit(e, PTL_A64_CLEAR_FLAGS);
    if (setup->writes) fill_page(e);
    ptl_a64_emit_load_vectors(e, setup->vector_bits);
    for (unsigned r = 0; r < 31; r++) ptl_a64_emit_constant(e, r, PTL_PAGE_PATTERN);
    ptl_a64_emit_set_sp(e, 0);
}

size_t ptl_a64_block(uint8_t* out, uint64_t at, const uint8_t* body, size_t size,
                     const ptl_block_setup* setup) {
    const size_t left = PTL_A64_FIELD(left);
    ptl_emitter e = {out, 0};
    ptl_a64_emit_enter(&e);
    ptl_a64_emit_load(&e, 0, PTL_A64_FIELD(warm_up));
    ptl_a64_emit_store(&e, 0, left);
    size_t pass = e.n;
    ptl_a64_emit_stamp(&e, PTL_A64_FIELD(start));

    size_t loop = e.n;
    initialise(&e, setup);
    ptl_a64_emit_aligned_fence(&e, at);
    ptl_emit_bytes(&e, body, size);
    ptl_a64_emit(&e, PTL_A64_FENCE);
    ptl_a64_emit_frame(&e);
    ptl_a64_emit_load(&e, 0, left);
    ptl_a64_emit_decrement(&e, 0);
    ptl_a64_emit_store(&e, 0, left);
    ptl_a64_emit_jump_unless_zero(&e, 0, loop);

    ptl_a64_emit_stamp(&e, PTL_A64_FIELD(end));
    ptl_a64_emit_load(&e, 0, PTL_A64_FIELD(timed));
    ptl_a64_emit_skip_if_zero(&e, 0, 3);
    ptl_a64_emit_store(&e, 0, left);
    ptl_a64_emit_store(&e, SP, PTL_A64_FIELD(timed)); /* the zero register */
    ptl_a64_emit_jump(&e, pass);
    ptl_a64_emit_load(&e, 0, left);
    ptl_a64_emit_leave(&e);
    return e.n;
}
