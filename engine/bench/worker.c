#include "bench/worker.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench/outcome.h"
#include "bench/stream.h"
#include "worker/request.h"

enum { STOP_MS = 1000, DEADLINE_MS = 3000 };
static const double GRACE = 10; /* seconds in which the worker itself must answer, beside what a run takes */

struct ptl_worker {
    const char* program; /* of this structure */
    bool counters;
    const ptl_target* target;
    ptl_stream stream;
    uint32_t layers;
    uint8_t* code;
    size_t code_size;
    bool sent_code, sent_frame; /* to the program that runs now */
    ptl_frame frame;
    ptl_reply reply;
    _Alignas(8) unsigned char request[PTL_REQUEST_MAX];
    ptl_visit visit[PTL_PLAN_MAX];
    char path[];
};

static ptl_status broken(ptl_worker* w, ptl_error* error, const char* how) {
    ptl_stream_close(&w->stream);
    return ptl_fail(error, PTL_SYSTEM, "worker", NULL, "the program that runs measured code %s", how);
}

static ptl_status status_of(ptl_worker* w, ptl_passed passed, ptl_error* error) {
    switch (passed) {
    case PTL_PASSED: return PTL_OK;
    case PTL_GONE: return broken(w, error, "has ended");
    case PTL_LATE: return broken(w, error, "does not answer");
    default:
        ptl_stream_close(&w->stream); /* and with it what it runs; the next run starts it again */
        return ptl_fail(error, PTL_INTERRUPTED, "worker", NULL, "interrupted");
    }
}

static ptl_status receive(ptl_worker* w, void* to, size_t size, double deadline, ptl_error* error) {
    return status_of(w, ptl_stream_receive(&w->stream, to, size, deadline), error);
}

/* Starts the program, unless it runs. A process that was forked needs one of its own. */
static ptl_status start(ptl_worker* w, ptl_error* error) {
    if (ptl_stream_is_ours(&w->stream)) return PTL_OK;
    ptl_stream_close(&w->stream);
    ptl_message header;
    ptl_hello hello;
    double deadline = ptl_now() + GRACE;
    w->sent_code = w->sent_frame = false;
    ptl_status s = ptl_stream_open(&w->stream, w->program, w->counters, error);
    if (!s) s = receive(w, &header, sizeof header, deadline, error);
    if (s) return s;
    if (header.magic != PTL_MAGIC || header.kind != PTL_HELLO || header.size != sizeof hello)
        return broken(w, error, "is another one");
    if ((s = receive(w, &hello, sizeof hello, deadline, error))) return s;
    if (hello.protocol != PTL_PROTOCOL) return broken(w, error, "is of another version");
    if (hello.error) {
        hello.step[sizeof hello.step - 1] = 0;
        ptl_stream_close(&w->stream);
        return ptl_fail(error, PTL_SYSTEM, "worker", NULL, "%s: %s", hello.step, strerror((int)hello.error));
    }
    w->layers = hello.layers;
    return PTL_OK;
}

ptl_status ptl_worker_open(ptl_worker** out, const char* program, bool counters, ptl_error* error) {
    size_t length = strlen(program) + 1;
    *out = NULL;
    ptl_worker* w = calloc(1, sizeof *w + length);
    uint8_t* code = malloc(PTL_CODE_SIZE);
    if (!w || !code) {
        free(w), free(code);
        return ptl_no_memory_in(error, "worker");
    }
    w->program = memcpy(w->path, program, length);
    w->counters = counters;
    w->target = ptl_target_host();
    w->stream = PTL_STREAM_CLOSED;
    w->code = code;
    ptl_status s = start(w, error);
    if (!s)
        *out = w;
    else
        ptl_worker_close(w);
    return s;
}

void ptl_worker_close(ptl_worker* w) {
    if (!w) return;
    ptl_stream_close(&w->stream);
    free(w->code);
    free(w);
}

const ptl_target* ptl_worker_target(const ptl_worker* w) {
    return w->target;
}

uint32_t ptl_worker_layers(const ptl_worker* w) {
    return w->layers;
}

uint8_t* ptl_worker_code(ptl_worker* w) {
    return w->code;
}

void ptl_worker_compiled(ptl_worker* w, size_t size) {
    w->code_size = size;
    w->sent_code = false;
}

void ptl_worker_set_frame(ptl_worker* w, const ptl_frame* f) {
    w->frame = *f;
    w->sent_frame = false;
}

static ptl_status send(ptl_worker* w, ptl_message_kind kind, const void* payload, size_t size,
                       ptl_error* error) {
    ptl_message header = {.magic = PTL_MAGIC, .kind = kind, .size = (uint32_t)size};
    double deadline = ptl_now() + GRACE;
    ptl_passed passed = ptl_stream_send(&w->stream, &header, sizeof header, deadline);
    if (passed == PTL_PASSED) passed = ptl_stream_send(&w->stream, payload, size, deadline);
    return status_of(w, passed, error);
}

static ptl_status send_request(ptl_worker* w, const ptl_run* run, ptl_error* error) {
    ptl_request r = {.segments = run->segments,
                     .cpu = run->cpu,
                     .kernels = (uint32_t)run->kernels,
                     .planned = (uint32_t)run->planned,
                     .stop_ms = STOP_MS,
                     .deadline_ms = DEADLINE_MS,
                     .cycles = run->cycles != NULL,
                     .events = (uint32_t)run->event_count,
                     .mapped = run->mapped,
                     .apart = run->apart,
                     .pages = (uint32_t)run->page_count};
    if (run->cycles) r.attribute[0] = *run->cycles;
    for (size_t k = 0; k < run->event_count; k++) r.attribute[1 + k] = run->events[k];
    unsigned char* p = w->request;
    size_t each = run->kernels * sizeof *run->offsets;
    memcpy(p, &r, sizeof r), p += sizeof r;
    if (run->page_count) memcpy(p, run->pages, run->page_count * sizeof *run->pages);
    p += run->page_count * sizeof *run->pages;
    memcpy(p, run->offsets, each), p += each;
    memcpy(p, run->iterations, each), p += each;
    memcpy(p, run->plan, run->planned * sizeof *run->plan);
    return send(w, PTL_RUN, w->request, ptl_request_size(run->page_count, run->kernels, run->planned), error);
}

static ptl_status ask(ptl_worker* w, const ptl_run* run, ptl_error* error) {
    ptl_status s = PTL_OK;
    if (!w->sent_code) s = send(w, PTL_CODE, w->code, w->code_size, error);
    w->sent_code = !s;
    if (!s && !w->sent_frame) s = send(w, PTL_FRAME, &w->frame, sizeof w->frame, error);
    w->sent_frame = !s;
    return s ? s : send_request(w, run, error);
}

static ptl_status hear(ptl_worker* w, const ptl_run* run, ptl_run_outcome* out, ptl_error* error) {
    ptl_message header;
    double deadline = ptl_now() + DEADLINE_MS / 1000.0 + GRACE;
    ptl_status s = receive(w, &header, sizeof header, deadline, error);
    if (s) return s;
    if (header.magic != PTL_MAGIC || header.kind != PTL_OUTCOME || header.size < sizeof w->reply ||
        header.size > sizeof w->reply + sizeof w->visit)
        return broken(w, error, "talks nonsense");
    s = receive(w, &w->reply, sizeof w->reply, deadline, error);
    if (!s) s = receive(w, w->visit, header.size - sizeof w->reply, deadline, error);
    if (s) return s;
    if (w->reply.end == PTL_END_NO_PROCESS)
        return ptl_fail(
            error, PTL_SYSTEM, "worker", "the processor must exist, the system allow seccomp filters",
            "the sandbox cannot be set up on processor %d: %s", run->cpu, strerror((int)w->reply.detail));
    return ptl_outcome_read(&w->reply, w->visit, header.size, run, out) ? PTL_OK
                                                                        : broken(w, error, "talks nonsense");
}

static ptl_status attempt(ptl_worker* w, const ptl_run* run, ptl_run_outcome* out, ptl_error* error) {
    ptl_status s = start(w, error);
    if (!s) s = ask(w, run, error);
    return s ? s : hear(w, run, out, error);
}

/* A worker that somebody else ended or stopped is started anew, once. */
ptl_status ptl_worker_run(ptl_worker* w, const ptl_run* run, ptl_run_outcome* out, ptl_error* error) {
    *out = (ptl_run_outcome){.visit = w->visit};
    if (run->planned > PTL_PLAN_MAX || run->kernels > PTL_KERNELS_MAX || run->event_count > PTL_EVENTS_MAX ||
        run->page_count > PTL_PAGES_MAX)
        return ptl_fail(error, PTL_INTERNAL, "worker", NULL,
                        "a plan of %zu visits to %zu kernels is too large", run->planned, run->kernels);
    bool ran = w->stream.fd >= 0;
    ptl_status s = attempt(w, run, out, error);
    if (s == PTL_SYSTEM && ran && w->stream.fd < 0) s = attempt(w, run, out, error);
    if (s != PTL_INTERRUPTED) return s;
    out->status = PTL_BENCH_INTERRUPTED;
    return PTL_OK;
}
