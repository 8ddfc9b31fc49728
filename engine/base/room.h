/* Arrays of malloc's that grow. `array` is where the pointer to one is, whatever its elements are.
 *
 * False: no memory, and everything is as it was. */
#ifndef PTL_BASE_ROOM_H
#define PTL_BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `count` elements of `size` bytes, and for at least twice as many as before. */
bool ptl_room(void* array, size_t* capacity, size_t count, size_t size);

/* Room for exactly so many. For arrays that share their capacity: it is the caller's then. */
bool ptl_resize(void* array, size_t count, size_t size);

#endif
