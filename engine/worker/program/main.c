/* portolan-worker: runs measured code for Portolan. It speaks on descriptor 0 (worker/protocol.h), has no
 * other, and needs nothing but itself: no library, no file, no environment.
 *
 * usage: worker [counters]      counters: hardware counters are to be opened */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worker/request.h"
#include "worker/sandbox.h"
#include "worker/supervise.h"

enum { STREAM = 0 };
enum { EXIT_BROKEN = 2 };

typedef struct worker {
    ptl_memory memory;
    size_t code_size;
    bool unfiltered; /* there are no seccomp filters, as an emulator runs it */
    _Alignas(8) unsigned char request[PTL_REQUEST_MAX];
} worker;

/* Nobody is left to hear of it where this fails. */
static void receive(void* to, size_t size) {
    for (char* p = to; size > 0;) {
        ssize_t n = read(STREAM, p, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) exit(n == 0 ? 0 : EXIT_BROKEN);
        p += n, size -= (size_t)n;
    }
}

static void send_all(const void* from, size_t size) {
    for (const char* p = from; size > 0;) {
        ssize_t n = write(STREAM, p, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) exit(EXIT_BROKEN);
        p += n, size -= (size_t)n;
    }
}

static void send_header(ptl_message_kind kind, size_t size) {
    ptl_message h = {.magic = PTL_MAGIC, .kind = kind, .size = (uint32_t)size};
    send_all(&h, sizeof h);
}

static void require(bool holds) {
    if (!holds) exit(EXIT_BROKEN);
}

static void take_code(worker* w, size_t size) {
    require(size <= PTL_CODE_SIZE && !ptl_memory_writable(&w->memory, true));
    receive(w->memory.code, size);
    require(!ptl_memory_writable(&w->memory, false));
    w->code_size = size;
}

static void take_frame(worker* w, size_t size) {
    require(size == sizeof *w->memory.frame);
    receive(w->memory.frame, size);
}

static void take_run(worker* w, size_t size) {
    ptl_plan plan;
    ptl_reply reply;
    require(size <= sizeof w->request);
    receive(w->request, size);
    require(ptl_request_read(w->request, size, w->code_size, &plan));
    plan.unfiltered = w->unfiltered;
    if (ptl_supervise(&w->memory, &plan, STREAM, &reply))
        reply = (ptl_reply){.end = PTL_END_NO_PROCESS, .detail = (uint32_t)errno};
    size_t visits = reply.visits * sizeof(ptl_visit);
    send_header(PTL_OUTCOME, sizeof reply + visits);
    send_all(&reply, sizeof reply);
    send_all(w->memory.slot->visit, visits);
}

static void greet(const ptl_memory* m, uint32_t layers, const char* failed) {
    ptl_hello hello = {.protocol = PTL_PROTOCOL, .layers = layers};
    if (m->wide_guards) hello.layers |= PTL_LAYER_GUARDS;
    if (failed) {
        hello.error = (uint32_t)errno;
        strncpy(hello.step, failed, sizeof hello.step - 1);
    }
    send_header(PTL_HELLO, sizeof hello);
    send_all(&hello, sizeof hello);
    if (failed) exit(EXIT_BROKEN);
}

int main(int argc, char** argv) {
    static worker w;
    bool emulated = ptl_sandbox_is_emulated();
    if (ptl_memory_open(&w.memory)) greet(&w.memory, 0, "memory");
    uint32_t layers = ptl_sandbox_confine(argc > 1 && !strcmp(argv[1], "counters"));
    bool filters = ptl_sandbox_try() == 0;
    w.unfiltered = emulated && !filters;
    layers |= (filters ? PTL_LAYER_SECCOMP : 0u) | (emulated ? PTL_LAYER_EMULATOR : 0u);
    greet(&w.memory, layers, filters || emulated ? NULL : "seccomp");
    for (;;) {
        ptl_message h;
        receive(&h, sizeof h);
        require(h.magic == PTL_MAGIC);
        switch (h.kind) {
        case PTL_CODE: take_code(&w, h.size); break;
        case PTL_FRAME: take_frame(&w, h.size); break;
        case PTL_RUN: take_run(&w, h.size); break;
        default: return EXIT_BROKEN;
        }
    }
}
