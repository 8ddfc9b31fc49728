/* Arena: many small allocations, one release. Memory is zeroed and aligned for any type. */
#ifndef PTL_BASE_ARENA_H
#define PTL_BASE_ARENA_H

#include <stddef.h>

typedef struct ptl_arena_block ptl_arena_block;

typedef struct ptl_arena {
    ptl_arena_block* blocks; /* newest first */
} ptl_arena;

#define PTL_ARENA_EMPTY ((ptl_arena){0})

/* Zeroed memory, or NULL when there is none left (or the size is absurd). Valid until ptl_arena_release. */
void* ptl_arena_alloc(ptl_arena* a, size_t size);

/* count elements of size bytes each; NULL also when the product overflows. */
void* ptl_arena_array(ptl_arena* a, size_t count, size_t size);

/* A copy of the string; NULL when there is no memory. */
char* ptl_arena_string(ptl_arena* a, const char* s);

/* Frees everything; the arena is empty again and may be used on. */
void ptl_arena_release(ptl_arena* a);

#endif
