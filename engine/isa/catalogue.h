/* All schemes of an architecture, derived by decoding the opcode space. */
#ifndef PTL_ISA_CATALOGUE_H
#define PTL_ISA_CATALOGUE_H

#include "isa/scheme.h"

typedef struct ptl_catalogue ptl_catalogue;

/* Derives the sets asked for (a mask of the architecture's sets): a fraction of a second. The caller frees.
 */
ptl_status ptl_catalogue_new(ptl_catalogue** out, const ptl_architecture* architecture, unsigned sets,
                             ptl_error* error);
void ptl_catalogue_free(ptl_catalogue* c);

/* Schemes in the order of their names (strcmp), valid as long as the catalogue. */
size_t ptl_catalogue_count(const ptl_catalogue* c);
const ptl_scheme* ptl_catalogue_at(const ptl_catalogue* c, size_t index);

/* NULL if there is none of this name. */
const ptl_scheme* ptl_catalogue_find(const ptl_catalogue* c, const char* name);

/* Returns how many instructions had the name of another scheme but differed from it in what it reads and
 * writes; the first one met is kept. It is 0 unless the decoder changes; for tests. */
size_t ptl_catalogue_conflicts(const ptl_catalogue* c);

#endif
