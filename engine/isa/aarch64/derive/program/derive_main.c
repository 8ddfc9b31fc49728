/* Writes the table of A64's forms: derive_aarch64 FILE. Runs when Portolan is built. */
#include <stdio.h>

#include "isa/aarch64/derive/derive.h"
#include "isa/aarch64/derive/emit_forms.h"

int main(int argc, char** argv) {
    ptl_derivation d;
    char message[200];
    if (argc != 2) {
        fprintf(stderr, "usage: derive_aarch64 FILE\n");
        return 2;
    }
    if (!ptl_derive(&d, message, sizeof message)) {
        fprintf(stderr, "derive_aarch64: %s\n", message);
        ptl_derivation_free(&d);
        return 1;
    }
    FILE* out = fopen(argv[1], "w");
    bool written = out && ptl_emit(&d, out);
    if (out && fclose(out) != 0) written = false;
    ptl_derivation_free(&d);
    if (!written) fprintf(stderr, "derive_aarch64: cannot write %s\n", argv[1]);
    return written ? 0 : 1;
}
