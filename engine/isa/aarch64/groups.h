/* Categories and features of A64's forms, as schemes name them. */
#ifndef PTL_ISA_AARCH64_GROUPS_H
#define PTL_ISA_AARCH64_GROUPS_H

typedef enum ptl_a64_category {
    PTL_A64_CATEGORY_INTEGER,
    PTL_A64_CATEGORY_LOAD,
    PTL_A64_CATEGORY_STORE,
    PTL_A64_CATEGORY_PREFETCH,
    PTL_A64_CATEGORY_BRANCH,
    PTL_A64_CATEGORY_FP,     /* scalars with point */
    PTL_A64_CATEGORY_SIMD,   /* vectors, and scalars in vector registers */
    PTL_A64_CATEGORY_CRYPTO, /* AES, SHA, polynomials of 64 bits */
    PTL_A64_CATEGORY_EXCEPTION,
    PTL_A64_CATEGORY_SYSTEM, /* hints and barriers, too */
    PTL_A64_CATEGORIES
} ptl_a64_category;

/* These are what a core must have: /proc/cpuinfo lists them in lower case. */
typedef enum ptl_a64_feature {
    PTL_A64_FEATURE_BASE, /* every core */
    PTL_A64_FEATURE_FP,
    PTL_A64_FEATURE_SIMD,
    PTL_A64_FEATURE_AES,
    PTL_A64_FEATURE_PMULL,
    PTL_A64_FEATURE_SHA1,
    PTL_A64_FEATURE_SHA2,
    PTL_A64_FEATURE_CRC,
    PTL_A64_FEATURES
} ptl_a64_feature;

const char* ptl_a64_category_text(ptl_a64_category category); /* "INTEGER", "LOAD", ... */
const char* ptl_a64_feature_text(ptl_a64_feature feature);    /* "BASE", "FP", "ASIMD", "AES", ... */

#endif
