/* Writing machine code: what every architecture's generated code is written with. */
#ifndef PTL_BENCH_EMITTER_H
#define PTL_BENCH_EMITTER_H

#include <stddef.h>
#include <stdint.h>

/* Code is written to `out`; so far there are n bytes of it. The caller sees to the room. */
typedef struct ptl_emitter {
    uint8_t* out;
    size_t n;
} ptl_emitter;

void ptl_emit_bytes(ptl_emitter* e, const void* code, size_t n);
void ptl_emit_byte(ptl_emitter* e, unsigned b);
void ptl_emit_imm32(ptl_emitter* e, uint32_t v); /* little-endian */
void ptl_emit_imm64(ptl_emitter* e, uint64_t v);

#endif
