/* How long the derivation of A64's forms takes: the walk through the opcode space, the fields, the names. */
#include <stdio.h>

#include "base/clock.h"
#include "isa/aarch64/derive/derive.h"

int main(void) {
    for (unsigned round = 0; round < 5; round++) {
        ptl_derivation d;
        char message[200];
        double begin = ptl_now();
        bool done = ptl_derive(&d, message, sizeof message);
        double seconds = ptl_now() - begin;
        if (!done) {
            fprintf(stderr, "%s\n", message);
            return 1;
        }
        printf("%u forms, %u words decoded, %.3f s\n", d.count, d.decoded, seconds);
        ptl_derivation_free(&d);
    }
    return 0;
}
