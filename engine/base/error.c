#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ptl_status ptl_fail(ptl_error* e, ptl_status s, const char* where, const char* mend, const char* fmt, ...) {
    if (!e) return s;
    e->status = s;
    va_list args;
    va_start(args, fmt);
    vsnprintf(e->what, sizeof e->what, fmt, args);
    va_end(args);
    snprintf(e->where, sizeof e->where, "%s", where ? where : "");
    snprintf(e->mend, sizeof e->mend, "%s", mend ? mend : "");
    return s;
}

ptl_status ptl_fail_errno(ptl_error* e, const char* where, const char* call) {
    return ptl_fail(e, PTL_SYSTEM, where, NULL, "%s: %s", call, strerror(errno));
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

const char* ptl_error_line(const ptl_error* e, char* out, unsigned size) {
    snprintf(out, size, "%s%s%s%s%s%s", e->what, e->where[0] ? " (" : "", e->where, e->where[0] ? ")" : "",
             e->mend[0] ? "; " : "", e->mend);
    for (char* p = out; *p; p++)
        if (*p == '\n' || *p == '\r') *p = ' ';
    return out;
}
