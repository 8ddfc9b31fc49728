#include "isa/architecture.h"

#include <stdlib.h>
#include <string.h>

const ptl_architecture* const ptl_architectures[] = {&ptl_x86_64, &ptl_aarch64, NULL};

const ptl_architecture* ptl_architecture_by_name(const char* name) {
    for (const ptl_architecture* const* a = ptl_architectures; *a; a++)
        if (strcmp((*a)->name, name) == 0) return *a;
    return NULL;
}

const ptl_architecture* ptl_architecture_host(void) {
#if defined(__x86_64__)
    return ptl_architecture_by_name("x86_64");
#elif defined(__aarch64__)
    return ptl_architecture_by_name("aarch64");
#else
    return NULL;
#endif
}

const ptl_architecture* ptl_architecture_default(void) {
    const char* name = getenv("PORTOLAN_DEFAULT_ARCHITECTURE");
    const ptl_architecture *meant = name ? ptl_architecture_by_name(name) : NULL, *host = ptl_architecture_host();
    return meant ? meant : host ? host : ptl_architectures[0];
}

ptl_status ptl_scheme_from_name(const char* name, ptl_scheme* out, ptl_error* error) {
    if (strlen(name) >= PTL_NAME_SIZE)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "'portolan isa list' shows the names",
                        "no instruction scheme has a name of %zu bytes", strlen(name));
    for (const ptl_architecture* const* a = ptl_architectures; *a; a++) {
        if (!(*a)->scheme_from_name(name, out)) continue;
        out->architecture = *a;
        return PTL_OK;
    }
    return ptl_fail(error, PTL_BAD_INPUT, name, "'portolan isa list' shows the names",
                    "no such instruction scheme");
}
