/* Text that is put together piece by piece. */
#ifndef PTL_ISA_AARCH64_TEXT_WRITER_H
#define PTL_ISA_AARCH64_TEXT_WRITER_H

#include <stddef.h>

typedef struct ptl_a64_writer {
    char* out;
    size_t size; /* bytes of out, with the final 0 */
    size_t used; /* what the pieces need, without it; more than fits is cut off */
} ptl_a64_writer;

void ptl_a64_put(ptl_a64_writer* w, const char* format, ...) __attribute__((format(printf, 2, 3)));

#endif
