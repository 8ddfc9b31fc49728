#include "isa/scheme.h"

const char* ptl_encoding_name(ptl_encoding encoding) {
    static const char* const names[PTL_ENCODINGS] = {"legacy", "vex", "evex", "xop", "3dnow"};
    return (unsigned)encoding < PTL_ENCODINGS ? names[encoding] : "?";
}
