#include "model/lp_guard.h"

#include <glpk.h>
#include <setjmp.h>
#include <stdio.h>

typedef struct guard {
    jmp_buf back;
    char said[160]; /* the last line that GLPK wanted to print */
} guard;

static void failed(void* g) {
    longjmp(((guard*)g)->back, 1);
}

static int keep_silent(void* g, const char* text) {
    char* said = ((guard*)g)->said;
    if (text[0] == '\n' || !text[0]) return 1;
    snprintf(said, sizeof((guard*)g)->said, "%s", text);
    for (; *said; said++)
        if (*said == '\n') *said = 0;
    return 1;
}

ptl_status ptl_lp_guarded(ptl_status (*work)(void* data, ptl_error* error), void* data, ptl_error* error) {
    guard g = {.said = "no reason given"};
    if (glp_init_env() > 1) return ptl_no_memory(error, "for GLPK");
    glp_term_hook(keep_silent, &g);
    glp_error_hook(failed, &g);
    ptl_status s;
    if (setjmp(g.back) == 0)
        s = work(data, error);
    else
        s = ptl_fail(error, PTL_INTERNAL, NULL, NULL, "GLPK failed: %s", g.said);
    glp_free_env(); /* with all that it holds */
    return s;
}
