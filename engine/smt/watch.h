/* Ends a check of Z3 on Ctrl-C or at a deadline: a thread that looks every 20 ms while the check runs. */
#ifndef PTL_SMT_WATCH_H
#define PTL_SMT_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <z3.h>

#include "base/error.h"

typedef struct ptl_watch {
    Z3_context context;
    double deadline;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool watching, done;
    ptl_status reason;
} ptl_watch;

/* deadline: a moment of ptl_now, 0 for none. Without a thread to be had the check runs unwatched. */
void ptl_watch_start(ptl_watch* w, Z3_context context, double deadline);

/* To be called when the check has returned: PTL_OK, or why it was interrupted (PTL_INTERRUPTED, PTL_LIMIT).
 */
ptl_status ptl_watch_end(ptl_watch* w);

#endif
