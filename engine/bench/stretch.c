#include "bench/stretch.h"

enum { WORTH_A_PROCESS = 16 }; /* visits */

typedef struct builder {
    uint32_t* to;
    size_t n;
    ptl_stretch* stretches;
    size_t count;
} builder;

static void begin(builder* b) {
    b->stretches[b->count] = (ptl_stretch){.first = b->n};
}

static void end(builder* b) {
    b->stretches[b->count].count = b->n - b->stretches[b->count].first;
    if (b->stretches[b->count].count > 0) b->count++;
}

/* The next `most` visits to kernels that are not foreign, from plan[*at] on. */
static void put_others(builder* b, const uint32_t* plan, size_t n, const bool* foreign, size_t* at,
                       size_t most) {
    begin(b);
    for (; *at < n && most > 0; ++*at)
        if (!foreign[plan[*at]]) b->to[b->n++] = plan[*at], most--;
    end(b);
}

static void put_kernel(builder* b, uint32_t kernel, uint32_t* count) {
    begin(b);
    for (; *count > 0; --*count) b->to[b->n++] = kernel;
    end(b);
}

size_t ptl_stretches(const uint32_t* plan, size_t n, const bool* foreign, uint32_t* counts, size_t kernels,
                     uint32_t* to, ptl_stretch* stretches) {
    size_t others = 0, alone = 0, at = 0, put = 0;
    for (size_t k = 0; k < kernels; k++) counts[k] = 0;
    for (size_t i = 0; i < n; i++) {
        if (!foreign[plan[i]])
            others++;
        else if (counts[plan[i]]++ == 0)
            alone++;
    }
    builder b = {.to = to, .stretches = stretches};
    size_t pieces = alone + 1 < others / WORTH_A_PROCESS ? alone + 1 : others / WORTH_A_PROCESS;
    if (pieces == 0) pieces = 1;
    for (size_t i = 0, done = 0; i < n; i++) {
        uint32_t kernel = plan[i];
        if (!foreign[kernel] || counts[kernel] == 0) continue;
        size_t due = (done + 1) * pieces / (alone + 1) * others / pieces; /* of the others, before this one */
        if (due > put) put_others(&b, plan, n, foreign, &at, due - put), put = due;
        put_kernel(&b, kernel, &counts[kernel]);
        done++;
    }
    put_others(&b, plan, n, foreign, &at, others - put);
    return b.count;
}
