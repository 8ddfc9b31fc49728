/* Levenshtein's edit distance: how many letters to insert, delete or replace (Table 8.2, Edit Distances). */
#ifndef PTL_ANICA_EDIT_DISTANCE_H
#define PTL_ANICA_EDIT_DISTANCE_H

#include <stdbool.h>

#define PTL_EDIT_LENGTH_MAX 255 /* bytes of a text; longer ones are compared by their beginning */

/* Tells whether at most `most` edits turn a into b. */
bool ptl_within_edits(const char* a, const char* b, unsigned most);

#endif
