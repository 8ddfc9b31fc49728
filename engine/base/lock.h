/* One writer at a time: a lock that the kernel holds for this process on a file, and takes back when the
 * process ends, however it ends.
 *
 * It is a record lock of fcntl. Unlike flock's it is not handed on to forked children, which may outlive a
 * process that was killed; in return it has two rules of its own, which this file keeps: a process does not
 * lock itself out, and closing any descriptor of the file drops the lock. So locks of this process are kept
 * in a list, and a file on the list is never opened again. Nobody else in this process may open it. */
#ifndef PTL_BASE_LOCK_H
#define PTL_BASE_LOCK_H

#include <sys/types.h>

#include "base/error.h"

typedef struct ptl_lock ptl_lock;

/* Says who has the lock that one did not get. */
typedef struct ptl_lock_holder {
    pid_t pid;      /* as the kernel knows it; of this process itself, too; 0 where it cannot tell */
    char text[512]; /* what the holder wrote about itself, any bytes but NUL; empty if it has not yet */
} ptl_lock_holder;

/* Takes the lock at once or not at all. The file is made, and holds the text `owner` as long as the lock
 * lasts. A symbolic link, a second hard link to some other file or anything but a plain file is refused.
 * PTL_OK with *lock = NULL: somebody else has it, see *holder. */
ptl_status ptl_lock_take(const char* path, const char* owner, ptl_lock** lock, ptl_lock_holder* holder,
                         ptl_error* error);

/* Gives the lock back and removes the file. NULL is allowed. */
void ptl_lock_release(ptl_lock* lock);

#endif
