/* The stream to a worker: starting the program, and messages to and from it. */
#ifndef PTL_BENCH_STREAM_H
#define PTL_BENCH_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "worker/protocol.h"

typedef struct ptl_stream {
    int fd; /* -1: closed */
    pid_t process;
    pid_t owner; /* that started it, and ends it: not a process that this one forked */
} ptl_stream;

#define PTL_STREAM_CLOSED ((ptl_stream){.fd = -1})

/* Starts `program` with no environment and no descriptor but the stream. */
ptl_status ptl_stream_open(ptl_stream* s, const char* program, bool counters, ptl_error* error);

/* Ends the program, at once; in a process that the owner forked, closes the stream. */
void ptl_stream_close(ptl_stream* s);

/* Is it open, and this process's own? */
bool ptl_stream_is_ours(const ptl_stream* s);

/* GONE: the other end is. LATE: it did not take or send all in time. STOPPED: Ctrl-C. */
typedef enum ptl_passed { PTL_PASSED, PTL_GONE, PTL_LATE, PTL_STOPPED } ptl_passed;

/* Pass so many bytes until `deadline` (of ptl_now). */
ptl_passed ptl_stream_send(const ptl_stream* s, const void* from, size_t size, double deadline);
ptl_passed ptl_stream_receive(const ptl_stream* s, void* to, size_t size, double deadline);

#endif
