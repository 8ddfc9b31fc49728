#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ptl_status ptl_fail(ptl_error* error, ptl_status s, const char* where, const char* mend, const char* fmt,
                    ...) {
    if (!error) return s;
    error->status = s;
    va_list args;
    va_start(args, fmt);
    vsnprintf(error->what, sizeof error->what, fmt, args);
    va_end(args);
    snprintf(error->where, sizeof error->where, "%s", where ? where : "");
    snprintf(error->mend, sizeof error->mend, "%s", mend ? mend : "");
    return s;
}

ptl_status ptl_no_memory(ptl_error* error, const char* purpose) {
    return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory %s", purpose);
}

ptl_status ptl_no_memory_in(ptl_error* error, const char* where) {
    return ptl_fail(error, PTL_NO_MEMORY, where, NULL, "no memory");
}

ptl_status ptl_fail_errno(ptl_error* error, const char* where, const char* call) {
    return ptl_fail(error, PTL_SYSTEM, where, NULL, "%s: %s", call, strerror(errno));
}

const char* ptl_status_name(ptl_status s) {
    switch (s) {
    case PTL_OK: return "ok";
    case PTL_BAD_INPUT: return "bad input";
    case PTL_UNSUPPORTED: return "unsupported";
    case PTL_INTERRUPTED: return "interrupted";
    case PTL_LIMIT: return "limit reached";
    case PTL_NO_MEMORY: return "out of memory";
    case PTL_SYSTEM: return "system error";
    case PTL_INTERNAL: return "internal error";
    }
    return "unknown status";
}

const char* ptl_error_line(const ptl_error* error, char* out, unsigned size) {
    snprintf(out, size, "%s%s%s%s%s%s", error->what, error->where[0] ? " (" : "", error->where,
             error->where[0] ? ")" : "", error->mend[0] ? "; " : "", error->mend);
    for (char* p = out; *p; p++)
        if (*p == '\n' || *p == '\r') *p = ' ';
    return out;
}
