/* The greatest common divisor; of x and 0 it is x. */
#ifndef PTL_BASE_DIVISOR_H
#define PTL_BASE_DIVISOR_H

#include <stdint.h>

static inline uint64_t ptl_common_divisor(uint64_t x, uint64_t y) {
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

#endif
