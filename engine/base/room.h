/* Arrays of malloc's that grow. */
#ifndef PTL_BASE_ROOM_H
#define PTL_BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `count` elements of `size` bytes in the array whose pointer is at `array`, and for at least
 * twice as many as before. False: no memory, and everything is as it was. */
bool ptl_room(void* array, size_t* capacity, size_t count, size_t size);

#endif
