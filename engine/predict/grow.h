/* Arrays that grow, and keep their memory. */
#ifndef PTL_PREDICT_GROW_H
#define PTL_PREDICT_GROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `count` elements of `size` bytes behind the pointer *array; what was there stays. False: no
 * memory, nothing changed. */
static inline bool ptl_grow(void* array, size_t* capacity, size_t count, size_t size) {
    enum { LEAST = 16 };
    if (count <= *capacity) return true;
    size_t more = *capacity ? *capacity * 2 : LEAST;
    if (more < count) more = count;
    if (more > SIZE_MAX / size) return false;
    void* old;
    memcpy(&old, array, sizeof old);
    void* moved = realloc(old, more * size);
    if (!moved) return false;
    memcpy(array, &moved, sizeof moved);
    *capacity = more;
    return true;
}

#endif
