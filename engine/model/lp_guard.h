/* GLPK without its habit of ending the process: calls are made inside a guard, which turns what GLPK would
 * abort on (misuse, no memory) into an error, keeps it silent, and leaves no memory behind.
 *
 * GLPK keeps an environment per thread. The guard makes one (in 0.2 microseconds) and frees it, so a thread
 * that has used it can simply end. */
#ifndef PTL_MODEL_LP_GUARD_H
#define PTL_MODEL_LP_GUARD_H

#include "base/error.h"

/* Runs work(data, error), which may call GLPK. Returns its status; PTL_INTERNAL with GLPK's own words when
 * GLPK failed, in which case work is left by longjmp: it must own no memory but GLPK's, and that is freed.
 * Must not be nested. */
ptl_status ptl_lp_guarded(ptl_status (*work)(void* data, ptl_error* error), void* data, ptl_error* error);

#endif
