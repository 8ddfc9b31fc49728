/* Mappings as text, for checkpoints, migration between processes and Lua: "PORTS*COUNT" per uop, PORTS as a
 * decimal bit set, uops separated by commas, schemes by semicolons: "3*1,12*2;8*1". A scheme may be empty. */
#ifndef PTL_EVO_TEXT_H
#define PTL_EVO_TEXT_H

#include <stdbool.h>

#include "evo/usage.h"

/* Upper bound of the length of a text, with its end. */
size_t ptl_evo_text_size(const ptl_evo_usage* usages, size_t schemes);

/* Writes the text; returns its length. */
size_t ptl_evo_text_write(const ptl_evo_usage* usages, size_t schemes, char* out);

/* PTL_BAD_INPUT: not a text of so many schemes over the problem's ports, or an empty scheme where `whole`. */
ptl_status ptl_evo_text_read(const ptl_evo_problem* p, const char* text, bool whole, ptl_evo_usage* out,
                             ptl_error* error);

#endif
