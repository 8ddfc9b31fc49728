#include "predict/block_batch.h"

#include "base/interrupt.h"

#define CHUNK 64 /* blocks of one task: they share their memory */

typedef struct batch {
    const ptl_block_model* model;
    const ptl_block_way* way;
    const ptl_machine_code* code;
    size_t count;
    ptl_block_answer* answers;
} batch;

static ptl_status ask(ptl_block_work* w, const ptl_block_way* way, ptl_block_bounds* out, ptl_error* error) {
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    change.premises = way->premises;
    if (!way->simulate) return ptl_block_bounds_of(w, &change, out, error);
    double cycles;
    ptl_status s = ptl_simulate(w, way->premises, way->simulate, out, &cycles, error);
    if (!s) out->cycles = cycles;
    return s;
}

static void answer(const batch* b, ptl_block_work* w, size_t i) {
    ptl_block_answer* a = &b->answers[i];
    *a = (ptl_block_answer){.status = PTL_OK};
    if (ptl_interrupted()) {
        a->status = ptl_fail(&a->error, PTL_INTERRUPTED, NULL, NULL, "interrupted");
        return;
    }
    a->status = ptl_code_block_decode(&w->block, b->model, b->code[i].bytes, b->code[i].size, &a->error);
    if (!a->status) a->status = ask(w, b->way, &a->bounds, &a->error);
}

static void answer_chunk(void* context, size_t chunk) {
    const batch* b = context;
    ptl_block_work w = PTL_BLOCK_WORK_EMPTY;
    size_t end = (chunk + 1) * CHUNK < b->count ? (chunk + 1) * CHUNK : b->count;
    for (size_t i = chunk * CHUNK; i < end; i++) answer(b, &w, i);
    ptl_block_work_free(&w);
}

void ptl_block_batch(ptl_pool* pool, const ptl_block_model* m, const ptl_block_way* way,
                     const ptl_machine_code* code, size_t count, ptl_block_answer* answers) {
    batch b = {m, way, code, count, answers};
    size_t chunks = (count + CHUNK - 1) / CHUNK;
    if (pool) {
        ptl_pool_run(pool, chunks, answer_chunk, &b);
        return;
    }
    for (size_t k = 0; k < chunks; k++) answer_chunk(&b, k);
}
