#include "isa/aarch64/groups.h"

const char* ptl_a64_category_text(ptl_a64_category category) {
    static const char* const texts[PTL_A64_CATEGORIES] = {"INTEGER", "LOAD", "STORE",  "PREFETCH",  "BRANCH",
                                                          "FP",      "SIMD", "CRYPTO", "EXCEPTION", "SYSTEM"};
    return (unsigned)category < PTL_A64_CATEGORIES ? texts[category] : "?";
}

const char* ptl_a64_feature_text(ptl_a64_feature feature) {
    static const char* const texts[PTL_A64_FEATURES] = {"BASE",  "FP",   "ASIMD", "AES",
                                                        "PMULL", "SHA1", "SHA2",  "CRC32"};
    return (unsigned)feature < PTL_A64_FEATURES ? texts[feature] : "?";
}
