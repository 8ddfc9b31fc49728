#include "base/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>

unsigned ptl_terminal_columns(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void ptl_terminal_waits(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && flags & O_NONBLOCK) fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}
