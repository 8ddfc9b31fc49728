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
} ptl_stream;

#define PTL_STREAM_CLOSED ((ptl_stream){.fd = -1})

/* Starts `program` with no environment and no descriptor but the stream. */
ptl_status ptl_stream_open(ptl_stream* s, const char* program, bool counters, ptl_error* e);

/* Ends the program, at once. */
void ptl_stream_close(ptl_stream* s);

/* False: the other end is gone. */
bool ptl_stream_send(const ptl_stream* s, const void* from, size_t size);

typedef enum ptl_received { PTL_RECEIVED, PTL_GONE, PTL_LATE, PTL_STOPPED } ptl_received;

/* Waits for so many bytes until `deadline` (of ptl_now), or Ctrl-C (PTL_STOPPED). */
ptl_received ptl_stream_receive(const ptl_stream* s, void* to, size_t size, double deadline);

#endif
