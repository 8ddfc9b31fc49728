#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ptl_arena_block {
    ptl_arena_block* next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
};

enum { FIRST_BLOCK = 4096, ALIGN = alignof(max_align_t) };

static ptl_arena_block* grow(ptl_arena* a, size_t need) {
    size_t size = a->blocks ? a->blocks->size * 2 : FIRST_BLOCK;
    if (size < need) size = need;
    if (size > SIZE_MAX - sizeof(ptl_arena_block)) return NULL;
    ptl_arena_block* b = calloc(1, sizeof *b + size);
    if (!b) return NULL;
    b->size = size;
    b->next = a->blocks;
    a->blocks = b;
    return b;
}

void* ptl_arena_alloc(ptl_arena* a, size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (size == 0) size = ALIGN;
    ptl_arena_block* b = a->blocks;
    if (!b || b->size - b->used < size) b = grow(a, size);
    if (!b) return NULL;
    void* p = b->data + b->used;
    b->used += size;
    return p;
}

void* ptl_arena_array(ptl_arena* a, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    return ptl_arena_alloc(a, count * size);
}

char* ptl_arena_string(ptl_arena* a, const char* s) {
    size_t n = strlen(s) + 1;
    char* copy = ptl_arena_alloc(a, n);
    return copy ? memcpy(copy, s, n) : NULL;
}

void ptl_arena_release(ptl_arena* a) {
    for (ptl_arena_block* b = a->blocks; b;) {
        ptl_arena_block* next = b->next;
        free(b);
        b = next;
    }
    a->blocks = NULL;
}
