#include "base/order.h"

#include <stdint.h>
#include <string.h>

int ptl_ascending_numbers(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

int ptl_ascending_words(const void* a, const void* b) {
    uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

int ptl_ascending_longs(const void* a, const void* b) {
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

int ptl_ascending_texts(const void* a, const void* b) {
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}
