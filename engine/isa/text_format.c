#include "isa/text_format.h"

#include "isa/architecture.h"

ptl_status ptl_format_instruction(const ptl_architecture* architecture, const uint8_t* bytes, size_t size,
                                  char out[PTL_TEXT_SIZE], ptl_error* error) {
    return architecture->format(bytes, size, out, error);
}
