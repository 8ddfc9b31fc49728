#include "isa/aarch64/text_writer.h"

#include <stdarg.h>
#include <stdio.h>

void ptl_a64_put(ptl_a64_writer* w, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (w->used < w->size)
        w->used += (size_t)vsnprintf(w->out + w->used, w->size - w->used, format, arguments);
    va_end(arguments);
}
