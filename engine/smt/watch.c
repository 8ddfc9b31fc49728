#include "smt/watch.h"

#include <time.h>

#include "base/clock.h"
#include "base/interrupt.h"

static void* watch_over(void* argument) {
    ptl_watch* w = argument;
    pthread_mutex_lock(&w->mutex);
    while (!w->done) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 20 * 1000 * 1000;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&w->wake, &w->mutex, &until);
        if (w->done) break;
        if (ptl_interrupted())
            w->reason = PTL_INTERRUPTED;
        else if (w->deadline > 0 && ptl_now() >= w->deadline)
            w->reason = PTL_LIMIT;
        if (w->reason) Z3_interrupt(w->context); /* again until the check has noticed */
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

void ptl_watch_start(ptl_watch* w, Z3_context context, double deadline) {
    *w = (ptl_watch){.context = context, .deadline = deadline};
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->wake, NULL);
    w->watching = pthread_create(&w->thread, NULL, watch_over, w) == 0;
}

ptl_status ptl_watch_end(ptl_watch* w) {
    pthread_mutex_lock(&w->mutex);
    w->done = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->mutex);
    if (w->watching) pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->mutex);
    return w->reason;
}
