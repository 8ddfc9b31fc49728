/* Errors: what happened, where, and how to mend it.
 *
 * Every function that can fail returns a ptl_status and fills the ptl_error that its caller passes.
 * A NULL error is allowed: the status alone is then the answer. */
#ifndef PTL_BASE_ERROR_H
#define PTL_BASE_ERROR_H

typedef enum ptl_status {
    PTL_OK = 0,
    PTL_BAD_INPUT,   /* a user's input is wrong; mending it is up to the user */
    PTL_UNSUPPORTED, /* right in itself, but not on this machine or in this build */
    PTL_INTERRUPTED, /* Ctrl-C; what is known so far is still valid */
    PTL_LIMIT,       /* a time, size or sample budget ran out */
    PTL_NO_MEMORY,
    PTL_SYSTEM,  /* the operating system refused a call */
    PTL_INTERNAL /* a defect of Portolan or of a library below it */
} ptl_status;

typedef struct ptl_error {
    ptl_status status;
    char what[256];
    char where[128]; /* file:line, a name, a position in a text; empty if there is none */
    char mend[192];  /* how to mend it; empty if there is nothing to say */
} ptl_error;

/* Fills error (if not NULL) and returns s. where and mend may be NULL. fmt as in printf: what happened. */
__attribute__((format(printf, 5, 6))) ptl_status ptl_fail(ptl_error* error, ptl_status s, const char* where,
                                                          const char* mend, const char* fmt, ...);

/* The same with PTL_NO_MEMORY and "no memory PURPOSE", or "no memory" in that place. */
ptl_status ptl_no_memory(ptl_error* error, const char* purpose);
ptl_status ptl_no_memory_in(ptl_error* error, const char* where);

/* As ptl_fail with PTL_SYSTEM; appends the text of errno. */
ptl_status ptl_fail_errno(ptl_error* error, const char* where, const char* call);

/* A short, stable name: "ok", "bad input", "unsupported", ... */
const char* ptl_status_name(ptl_status s);

/* Writes "what (where); mend" as one line into out[size]; returns out. */
const char* ptl_error_line(const ptl_error* error, char* out, unsigned size);

#endif
