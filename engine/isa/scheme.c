#include "isa/scheme.h"

#include "isa/policy.h"

const char* ptl_encoding_name(ptl_encoding encoding) {
    static const char* const names[PTL_ENCODINGS] = {"legacy", "vex", "evex", "xop", "3dnow", "a64"};
    return (unsigned)encoding < PTL_ENCODINGS ? names[encoding] : "?";
}

static bool is_fixed_register(const ptl_operand* o) {
    return o->kind == PTL_REGISTER && o->fixed && o->register_class != PTL_FLAGS;
}

/* One register, or two names of one. */
static bool same_register(const ptl_scheme* s, uint16_t a, uint16_t b) {
    unsigned x, y;
    if (a == b) return true;
    ptl_file file = ptl_register_place(s->architecture, a, &x);
    return file != PTL_FILES && file == ptl_register_place(s->architecture, b, &y) && x == y;
}

/* Flags count one by one, except where a write may not happen: then the old ones are read. */
bool ptl_scheme_updates_flags(const ptl_scheme* s) {
    if (s->flags_read & s->flags_written) return true;
    for (unsigned k = 0; k < s->operand_count; k++)
        if (s->operands[k].register_class == PTL_FLAGS && (s->operands[k].access & PTL_COND_WRITE))
            return true;
    return false;
}

bool ptl_scheme_updates_fixed(const ptl_scheme* s) {
    for (unsigned w = 0; w < s->operand_count; w++) {
        if (!is_fixed_register(&s->operands[w]) || !ptl_operand_writes(&s->operands[w])) continue;
        for (unsigned r = 0; r < s->operand_count; r++)
            if (is_fixed_register(&s->operands[r]) && ptl_operand_reads(&s->operands[r]) &&
                same_register(s, s->operands[w].fixed, s->operands[r].fixed))
                return true;
    }
    return ptl_scheme_updates_flags(s);
}

unsigned ptl_scheme_vector_bits(const ptl_scheme* s) {
    unsigned bits = 0;
    for (unsigned k = 0; k < s->operand_count; k++) {
        unsigned width = 0;
        switch ((ptl_register_class)s->operands[k].register_class) {
        case PTL_XMM:
        case PTL_Q:
        case PTL_V: width = 128; break;
        case PTL_YMM: width = 256; break;
        case PTL_ZMM:
        case PTL_MASK: width = 512; break;
        default: break;
        }
        if (width > bits) bits = width;
    }
    return bits;
}
