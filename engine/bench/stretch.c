#include "bench/stretch.h"

enum { WORTH_A_PROCESS = 16 }; /* visits */

typedef struct builder {
    const uint32_t* plan;
    size_t planned;
    const uint32_t* owner;
    uint32_t* to;
    size_t n;
    ptl_stretch* stretches;
    size_t count;
} builder;

/* A stretch of up to `most` visits to kernels of this owner, from plan[at] on; returns where it stopped. */
static size_t put(builder* b, uint32_t owner, size_t at, size_t most) {
    ptl_stretch s = {.first = b->n};
    for (; at < b->planned && s.count < most; at++)
        if (b->owner[b->plan[at]] == owner) b->to[b->n++] = b->plan[at], s.count++;
    if (s.count > 0) b->stretches[b->count++] = s;
    return at;
}

size_t ptl_stretches(const uint32_t* plan, size_t n, const uint32_t* owner, size_t owners, bool* done,
                     uint32_t* to, ptl_stretch* stretches) {
    builder b = {.plan = plan, .planned = n, .owner = owner, .to = to, .stretches = stretches};
    size_t others = 0, alone = 0;
    for (size_t o = 0; o <= owners; o++) done[o] = false;
    for (size_t i = 0; i < n; i++) {
        uint32_t o = owner[plan[i]];
        others += o == 0;
        alone += o != 0 && !done[o];
        done[o] = true;
    }
    for (size_t o = 0; o <= owners; o++) done[o] = false;
    size_t pieces = others / WORTH_A_PROCESS;
    pieces = pieces > alone + 1 ? alone + 1 : pieces ? pieces : 1;
    for (size_t i = 0, at = 0, put_before = 0, k = 1; i < n && k <= alone; i++) {
        uint32_t o = owner[plan[i]];
        if (o == 0 || done[o]) continue;
        size_t due = k++ * pieces / (alone + 1) * others / pieces; /* of the others, before this one */
        at = put(&b, 0, at, due - put_before), put_before = due;
        put(&b, o, i, n);
        done[o] = true;
        if (k > alone) put(&b, 0, at, n);
    }
    if (alone == 0) put(&b, 0, 0, n);
    return b.count;
}
