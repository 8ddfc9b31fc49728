#include <Zydis/Zydis.h>

#include "isa/x86_64/x86_64.h"

/* Is its condition false behind a zeroing idiom? */
bool ptl_x86_is_never_taken(const ptl_scheme* s) {
    switch (s->mnemonic) {
    case ZYDIS_MNEMONIC_JNZ:
    case ZYDIS_MNEMONIC_JNP:
    case ZYDIS_MNEMONIC_JB:
    case ZYDIS_MNEMONIC_JNBE:
    case ZYDIS_MNEMONIC_JO:
    case ZYDIS_MNEMONIC_JS:
    case ZYDIS_MNEMONIC_JL:
    case ZYDIS_MNEMONIC_JNLE:
    case ZYDIS_MNEMONIC_LOOPNE: return true;
    default: return false;
    }
}

/* xor r32, r32 */
size_t ptl_x86_breaker(const ptl_scheme* s, const ptl_policy* policy, unsigned number,
                       uint8_t out[PTL_BREAKER_SIZE]) {
    size_t size = 0;
    (void)s, (void)policy;
    if (number >= 8) out[size++] = 0x45;
    out[size++] = 0x31;
    out[size++] = (uint8_t)(0xC0 | (number & 7) << 3 | (number & 7));
    return size;
}
