/* Any bytes as a scheme's name, and as machine code: what decodes has a name, its name leads back to its
 * scheme, and what encodes again is the same instruction. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/architecture.h"
#include "isa/codec.h"

static void check(int holds, const char* what, const char* name) {
    if (holds) return;
    fprintf(stderr, "%s: %s\n", what, name);
    abort();
}

static void check_name(const char* name) {
    ptl_scheme s;
    if (ptl_scheme_from_name(name, &s, NULL) == PTL_OK)
        check(strcmp(s.name, name) == 0, "another name", name);
}

static size_t check_code(const uint8_t* data, size_t size) {
    ptl_instance i, back;
    ptl_scheme s;
    uint8_t bytes[PTL_INSTRUCTION_MAX];
    size_t n, m;
    if (ptl_decode(&ptl_x86_64, data, size, &i, &n, NULL) != PTL_OK) return 1;
    check(ptl_scheme_from_name(i.scheme.name, &s, NULL) == PTL_OK, "no such name", i.scheme.name);
    check(memcmp(&s, &i.scheme, sizeof s) == 0, "another scheme", s.name);
    if (ptl_encode(&i, bytes, &m, NULL) != PTL_OK) return n;
    check(ptl_decode(&ptl_x86_64, bytes, m, &back, &m, NULL) == PTL_OK && ptl_instance_equal(&i, &back),
          "another instruction", s.name);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    char name[200];
    size_t n = size < sizeof name ? size : sizeof name - 1;
    memcpy(name, data, n);
    name[n] = 0;
    check_name(name);
    for (size_t at = 0; at < size && at < 256;) at += check_code(data + at, size - at);
    return 0;
}
