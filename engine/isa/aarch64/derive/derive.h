/* All forms of A64, derived from what Capstone decodes: walk, find the fields, add what access and category
 * they have. Happens when Portolan is built; emit.c makes a C table of it. */
#ifndef PTL_ISA_AARCH64_DERIVE_DERIVE_H
#define PTL_ISA_AARCH64_DERIVE_DERIVE_H

#include "isa/aarch64/shape.h"

/* A form on its way: what the table will hold, and where it comes from. */
typedef struct ptl_derived {
    ptl_a64_form form; /* name points to the text below */
    char name[PTL_A64_NAME_SIZE];
    char mnemonic[16];
    uint32_t word;                         /* an instruction of it that Capstone decodes */
    uint8_t theirs[PTL_A64_OPERANDS_MAX];  /* access as Capstone tells it */
    uint8_t repairs[PTL_A64_OPERANDS_MAX]; /* ptl_a64_repair: why access differs; 0 if it does not */
    uint8_t flags_repair;                  /* the same of flags */
    bool is_dropped;                       /* another name of what another form has */
} ptl_derived;

typedef struct ptl_derivation {
    ptl_derived* forms;
    unsigned count, capacity;
    unsigned decoded; /* words that Capstone was asked for */
} ptl_derivation;

/* Walks and derives; false if Capstone fails, memory ends, or a form has a field that nobody understands
 * (message is then one line). Release with ptl_derivation_free. */
bool ptl_derive(ptl_derivation* out, char* message, size_t message_size);
void ptl_derivation_free(ptl_derivation* d);

#endif
