#include "bench/emitter.h"

#include <string.h>

void ptl_emit_bytes(ptl_emitter* e, const void* code, size_t n) {
    if (n) memcpy(e->out + e->n, code, n);
    e->n += n;
}

void ptl_emit_byte(ptl_emitter* e, unsigned b) {
    e->out[e->n++] = (uint8_t)b;
}

void ptl_emit_imm32(ptl_emitter* e, uint32_t v) {
    for (unsigned i = 0; i < 4; i++) ptl_emit_byte(e, v >> 8 * i & 0xff);
}

void ptl_emit_imm64(ptl_emitter* e, uint64_t v) {
    ptl_emit_imm32(e, (uint32_t)v);
    ptl_emit_imm32(e, (uint32_t)(v >> 32));
}
