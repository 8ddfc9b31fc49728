#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

struct ptl_pool {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    ptl_task* task;
    void* context;
    size_t next, n;  /* tasks handed out, and all of them */
    size_t finished; /* tasks that have returned */
    bool stop;
    unsigned helpers;    /* threads beside the caller */
    pthread_t threads[]; /* helpers of them */
};

/* Works off tasks until none is left to hand out. The lock is held on entry and on exit. */
static void drain(ptl_pool* p) {
    while (p->next < p->n) {
        size_t index = p->next++;
        pthread_mutex_unlock(&p->lock);
        p->task(p->context, index);
        pthread_mutex_lock(&p->lock);
        if (++p->finished == p->n) pthread_cond_signal(&p->done);
    }
}

static void* helper(void* pool) {
    ptl_pool* p = pool;
    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        drain(p);
        if (!p->stop) pthread_cond_wait(&p->work, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static unsigned usable_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set)) return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (unsigned)n : 1;
}

ptl_status ptl_pool_new(ptl_pool** out, unsigned threads, ptl_error* error) {
    *out = NULL;
    if (threads == 0) threads = usable_processors();
    ptl_pool* p = calloc(1, sizeof *p + (threads - 1) * sizeof p->threads[0]);
    if (!p) return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for a pool of %u threads", threads);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    for (; p->helpers < threads - 1; p->helpers++) {
        if (pthread_create(&p->threads[p->helpers], NULL, helper, p)) {
            ptl_fail(error, PTL_SYSTEM, NULL, "ask for fewer threads", "cannot start thread %u of %u",
                     p->helpers + 2, threads);
            ptl_pool_free(p);
            return PTL_SYSTEM;
        }
    }
    *out = p;
    return PTL_OK;
}

void ptl_pool_free(ptl_pool* p) {
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->helpers; i++) pthread_join(p->threads[i], NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

unsigned ptl_pool_threads(const ptl_pool* p) {
    return p->helpers + 1;
}

void ptl_pool_run(ptl_pool* p, size_t n, ptl_task* task, void* context) {
    pthread_mutex_lock(&p->lock);
    p->task = task;
    p->context = context;
    p->next = p->finished = 0;
    p->n = n;
    pthread_cond_broadcast(&p->work);
    drain(p);
    while (p->finished < p->n) pthread_cond_wait(&p->done, &p->lock);
    p->next = p->n = 0;
    pthread_mutex_unlock(&p->lock);
}
