#include "isa/allocate.h"
#include "isa/architecture.h"

int64_t ptl_operand_immediate(const ptl_scheme* scheme, const ptl_operand* o, const ptl_policy* policy) {
    for (uint32_t i = 0; i < policy->immediate_count; i++) {
        if (policy->immediates[i].mnemonic == scheme->mnemonic) return policy->immediates[i].value;
    }
    if (scheme->architecture->immediate) return scheme->architecture->immediate(scheme, o);
    if (o->width < 8) return 2; /* selectors of a few bits */
    unsigned width = o->width >= 64 ? 64 : o->width > 16 ? 16 : o->width;
    return (int64_t)((1ull << (width - 8)) + 42);
}
