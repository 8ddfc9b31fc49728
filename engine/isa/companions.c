#include "isa/companions.h"

#include "isa/architecture.h"

ptl_companions ptl_scheme_companions(const ptl_scheme* s) {
    if (!s->architecture->companions) return (ptl_companions){0};
    return s->architecture->companions(s);
}

size_t ptl_write_companions(const ptl_scheme* s, const ptl_policy* policy, bool behind,
                            uint8_t out[PTL_COMPANIONS_SIZE]) {
    if (!s->architecture->companions) return 0;
    return s->architecture->write_companions(s, policy, behind, out);
}
