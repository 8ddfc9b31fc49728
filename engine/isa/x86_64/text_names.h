/* Names in assembler text: registers, mnemonics and their aliases. Case does not matter. */
#ifndef PTL_ISA_TEXT_NAMES_H
#define PTL_ISA_TEXT_NAMES_H

#include <stddef.h>
#include <Zydis/Zydis.h>

/* ZYDIS_REGISTER_NONE if there is none of this name. `st` is st0; `st(1)` is the parser's affair. */
ZydisRegister ptl_register_by_name(const char* name, size_t length);

/* Tells what a mnemonic or one of its aliases stands for. */
typedef struct ptl_mnemonic_meaning {
    ZydisMnemonic mnemonic; /* ZYDIS_MNEMONIC_INVALID: no such mnemonic */
    int predicate;          /* an immediate that the alias implies (cmpltps: 1), or -1 */
} ptl_mnemonic_meaning;

ptl_mnemonic_meaning ptl_mnemonic_by_name(const char* name, size_t length);

/* The known mnemonic with the smallest edit distance, or NULL if none is near. */
const char* ptl_nearest_mnemonic(const char* name, size_t length);

#endif
