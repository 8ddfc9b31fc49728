/* Words of A64's assembly language that stand for numbers of the system: registers, domains of barriers,
 * operations on caches. */
#ifndef PTL_ISA_AARCH64_SYSTEM_WORDS_H
#define PTL_ISA_AARCH64_SYSTEM_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* The number of a lower-case word beside a mnemonic: of mrs and msr a system register by its name (nzcv,
 * s3_3_c4_c2_0), in the 15 bits that the instructions have for it; of msr also a field of PSTATE (daifset),
 * in 6 bits; of dmb, dsb and isb a domain (ish); of dc and ic an operation (zva), in 14 bits: op1, CRn, CRm,
 * op2; of sys and sysl c0 to c15; of bti and psb what they are for, as a hint's number. False: it is none. */
bool ptl_a64_find_system_word(const char* mnemonic, const char* word, int64_t* number);

#endif
