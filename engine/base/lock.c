#include "base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ptl_lock {
    int fd;
    pid_t owner; /* a forked child has a copy of this, but not the lock */
    dev_t device;
    ino_t inode;
    ptl_lock* next;
    char path[];
};

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static ptl_lock* held; /* by this process */

enum { MOST_TRIES = 100, OF_ALL = 0666 };

static bool same(const struct stat* s, dev_t device, ino_t inode) {
    return s->st_dev == device && s->st_ino == inode;
}

static bool ours(const char* path) {
    struct stat there;
    if (lstat(path, &there) != 0) return false;
    for (const ptl_lock* l = held; l; l = l->next)
        if (l->owner == getpid() && same(&there, l->device, l->inode)) return true;
    return false;
}

static int set_lock(int fd, int command, struct flock* f) {
    *f = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, command, f);
}

static void ask(int fd, ptl_lock_holder* holder) {
    struct flock f;
    if (set_lock(fd, F_GETLK, &f) == 0 && f.l_type != F_UNLCK && f.l_pid > 0) holder->pid = f.l_pid;
    ssize_t n = pread(fd, holder->text, sizeof holder->text - 1, 0);
    holder->text[n > 0 ? n : 0] = '\0';
}

static ptl_status open_file(const char* path, int* fd, struct stat* found, ptl_error* error) {
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, OF_ALL);
    if (*fd < 0 && errno == ELOOP)
        return ptl_fail(error, PTL_BAD_INPUT, path, "remove it", "the lock is a symbolic link");
    if (*fd < 0) {
        bool machine = errno == EMFILE || errno == ENFILE || errno == ENOSPC || errno == ENOMEM ||
                       errno == EIO || errno == EDQUOT;
        return ptl_fail(error, machine ? PTL_SYSTEM : PTL_BAD_INPUT, path, NULL,
                        "the folder cannot be locked: %s", strerror(errno));
    }
    if (fstat(*fd, found) == 0 && S_ISREG(found->st_mode) && found->st_nlink <= 1) return PTL_OK;
    close(*fd);
    return ptl_fail(error, PTL_BAD_INPUT, path, "remove it", "the lock is not a plain file of its own");
}

/* One try. *fd < 0 afterwards: somebody else has the lock. *stale: whoever had it has just removed the file.
 */
static ptl_status attempt(const char* path, int* fd, struct stat* found, int* stale, ptl_lock_holder* holder,
                          ptl_error* error) {
    struct flock f;
    struct stat there;
    *stale = 0;
    ptl_status s = open_file(path, fd, found, error);
    if (s) return s;
    if (set_lock(*fd, F_SETLK, &f) == 0) {
        *stale = lstat(path, &there) != 0 || !same(&there, found->st_dev, found->st_ino);
        if (*stale) close(*fd);
        return PTL_OK;
    }
    if (errno != EACCES && errno != EAGAIN) {
        s = ptl_fail_errno(error, path, "this file system has no locks");
    } else {
        ask(*fd, holder);
    }
    close(*fd);
    *fd = -1;
    return s;
}

/* The text is for people: that it cannot be written is no reason to refuse the lock. */
static void sign(int fd, const char* owner) {
    if (ftruncate(fd, 0) != 0) return;
    size_t length = strlen(owner), limit = sizeof((ptl_lock_holder*)0)->text - 1;
    if (pwrite(fd, owner, length < limit ? length : limit, 0) < 0) return;
}

static ptl_lock* keep(const char* path, int fd, const struct stat* found) {
    size_t length = strlen(path) + 1;
    ptl_lock* l = malloc(sizeof *l + length);
    if (!l) return NULL;
    *l = (ptl_lock){
        .fd = fd, .owner = getpid(), .device = found->st_dev, .inode = found->st_ino, .next = held};
    memcpy(l->path, path, length);
    return held = l;
}

static ptl_status take(const char* path, const char* owner, ptl_lock** lock, ptl_lock_holder* holder,
                       ptl_error* error) {
    if (ours(path)) {
        holder->pid = getpid();
        return PTL_OK;
    }
    int fd = -1, stale = 1;
    struct stat found;
    for (int tries = 0; stale; tries++) {
        if (tries == MOST_TRIES)
            return ptl_fail(error, PTL_LIMIT, path, "try again", "the lock comes and goes");
        ptl_status s = attempt(path, &fd, &found, &stale, holder, error);
        if (s || fd < 0) return s;
    }
    *lock = keep(path, fd, &found);
    if (!*lock) {
        close(fd);
        return ptl_fail(error, PTL_NO_MEMORY, path, NULL, "out of memory");
    }
    sign(fd, owner);
    return PTL_OK;
}

ptl_status ptl_lock_take(const char* path, const char* owner, ptl_lock** lock, ptl_lock_holder* holder,
                         ptl_error* error) {
    *lock = NULL;
    *holder = (ptl_lock_holder){0};
    pthread_mutex_lock(&guard);
    ptl_status s = take(path, owner, lock, holder, error);
    pthread_mutex_unlock(&guard);
    return s;
}

void ptl_lock_release(ptl_lock* lock) {
    if (!lock) return;
    struct stat there;
    pthread_mutex_lock(&guard);
    ptl_lock** link = &held;
    while (*link && *link != lock) link = &(*link)->next;
    if (*link) *link = lock->next;
    /* Removed before it is free: who opened it meanwhile sees that the name leads elsewhere, and tries again.
     */
    if (lock->owner == getpid() && lstat(lock->path, &there) == 0 && same(&there, lock->device, lock->inode))
        unlink(lock->path);
    close(lock->fd);
    free(lock);
    pthread_mutex_unlock(&guard);
}
