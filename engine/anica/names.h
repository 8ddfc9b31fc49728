/* Strings with numbers: each distinct one gets the next number from 0 on. */
#ifndef PTL_ANICA_NAMES_H
#define PTL_ANICA_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define PTL_NO_NAME UINT32_MAX

typedef struct ptl_names {
    ptl_arena arena;
    const char** texts; /* by number */
    size_t capacity;    /* texts there is room for */
    uint32_t count;
    uint32_t* slots; /* hash table of numbers + 1; 0 is free */
    uint32_t slot_count;
} ptl_names;

/* The number of a text, a new one if it has none yet; PTL_NO_NAME if there is no memory. */
uint32_t ptl_names_add(ptl_names* names, const char* text);

/* The number of a text, or PTL_NO_NAME. */
uint32_t ptl_names_find(const ptl_names* names, const char* text);

/* Frees what the names hold; they are empty again. A zeroed struct is empty, too. */
void ptl_names_release(ptl_names* names);

#endif
