#include "base/room.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool ptl_resize(void* array, size_t count, size_t size) {
    if (count > SIZE_MAX / size) return false;
    void* old;
    memcpy(&old, array, sizeof old);
    void* moved = realloc(old, count * size);
    if (!moved) return false;
    memcpy(array, &moved, sizeof moved);
    return true;
}

bool ptl_room(void* array, size_t* capacity, size_t count, size_t size) {
    enum { LEAST = 16 };
    if (count <= *capacity) return true;
    size_t more = *capacity ? 2 * *capacity : LEAST;
    if (more < count) more = count;
    if (!ptl_resize(array, more, size)) return false;
    *capacity = more;
    return true;
}
