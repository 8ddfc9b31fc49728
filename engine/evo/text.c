#include "evo/text.h"

#include <stdio.h>
#include <stdlib.h>

#define UOP_SIZE 12 /* 65535*65535, */

size_t ptl_evo_text_size(const ptl_evo_usage* usages, size_t schemes) {
    size_t size = 1;
    for (size_t i = 0; i < schemes; i++) size += 1 + UOP_SIZE * (size_t)usages[i].size;
    return size;
}

size_t ptl_evo_text_write(const ptl_evo_usage* usages, size_t schemes, char* out) {
    char* at = out;
    for (size_t i = 0; i < schemes; i++) {
        if (i) *at++ = ';';
        for (uint32_t k = 0; k < usages[i].size; k++)
            at += sprintf(at, "%s%u*%u", k ? "," : "", usages[i].uops[k].ports, usages[i].uops[k].count);
    }
    *at = 0;
    return (size_t)(at - out);
}

/* A number from 1 to most; 0: there is none. */
static unsigned long number(const char** text, unsigned long most) {
    if (**text < '1' || **text > '9') return 0;
    char* end;
    unsigned long n = strtoul(*text, &end, 10);
    *text = end;
    return n <= most ? n : 0;
}

static bool read_usage(const ptl_evo_problem* p, const char** text, ptl_evo_usage* out) {
    out->size = 0;
    while (**text && **text != ';') {
        if (out->size && *(*text)++ != ',') return false;
        unsigned long ports = number(text, (1UL << p->ports) - 1);
        if (!ports || *(*text)++ != '*') return false;
        unsigned long count = number(text, PTL_EVO_COUNT_MAX);
        if (!count || !ptl_evo_usage_add(out, (uint32_t)ports, (uint32_t)count)) return false;
    }
    return true;
}

ptl_status ptl_evo_text_read(const ptl_evo_problem* p, const char* text, bool whole, ptl_evo_usage* out,
                             ptl_error* error) {
    for (size_t i = 0; i < p->schemes; i++) {
        bool separated = !i || *text++ == ';';
        if (!separated || !read_usage(p, &text, &out[i]) || (whole && !out[i].size))
            return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "scheme %zu of a mapping's text is wrong",
                            i + 1);
    }
    if (*text)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, NULL, "a mapping's text has more than %zu schemes",
                        p->schemes);
    return PTL_OK;
}
