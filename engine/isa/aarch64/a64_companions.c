/* Tells what stands around instances of A64 where they are measured: a comparison of two registers that
 * nothing writes, ahead of what reads and writes the flags. No instruction of A64 writes flags without a
 * port. */
#include "isa/aarch64/aarch64.h"

ptl_companions ptl_a64_companions(const ptl_scheme* s) {
    ptl_companions c = {0};
    if (s->branch_type || !s->flags_read || !s->flags_written) return c;
    c.ahead = c.count = 1;
    c.schemes[0] = "subs x, x, x";
    return c;
}

size_t ptl_a64_write_companions(const ptl_scheme* s, const ptl_policy* policy, bool behind,
                                uint8_t out[PTL_COMPANIONS_SIZE]) {
    if (behind || ptl_a64_companions(s).count == 0) return 0;
    uint32_t word = UINT32_C(0xEB00001F) | (uint32_t)PTL_A64_STORE_BASE << 16 |
                    (uint32_t)policy->memory_base << 5; /* subs xzr, x28, x25: ne */
    for (unsigned k = 0; k < 4; k++) out[k] = (uint8_t)(word >> 8 * k);
    return 4;
}
