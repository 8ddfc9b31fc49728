/* Disassembly by Capstone: readable listings, and of x86-64 a second opinion on what Zydis encodes. */
#ifndef PTL_ISA_LISTING_H
#define PTL_ISA_LISTING_H

#include "isa/scheme.h"

typedef struct ptl_listing ptl_listing;

typedef struct ptl_line {
    size_t size;       /* bytes of the instruction; of the least that can be one if there is none */
    char mnemonic[32]; /* Capstone's, without prefixes; empty if Capstone does not know the instruction */
    char text[200];    /* of x86-64 Intel syntax; by Zydis where Capstone does not know; ".byte 0xd6" or
                          ".inst 0x00000000" if there is no instruction */
} ptl_line;

/* A disassembler to be used by one thread at a time. PTL_NO_MEMORY, PTL_UNSUPPORTED. */
ptl_status ptl_listing_new(ptl_listing** out, const ptl_architecture* architecture, ptl_error* error);
void ptl_listing_free(ptl_listing* l);

/* The instruction at the start of bytes; size is at least 1. address: for branch targets. */
void ptl_listing_line(ptl_listing* l, const uint8_t* bytes, size_t size, uint64_t address, ptl_line* out);

/* The same in the architecture's other syntax (of x86-64 AT&T syntax, by Zydis); no mnemonic. */
void ptl_listing_att_line(ptl_listing* l, const uint8_t* bytes, size_t size, uint64_t address, ptl_line* out);

/* Tells what Capstone thinks of an encoded instruction of this scheme. */
typedef enum ptl_opinion {
    PTL_SAME,           /* same length and mnemonic */
    PTL_OTHER_MNEMONIC, /* same length; perhaps only another name: arch/NAME/second_opinion.lua */
    PTL_OTHER_LENGTH,
    PTL_UNKNOWN_TO_THEM,
} ptl_opinion;

ptl_opinion ptl_listing_check(ptl_listing* l, const ptl_scheme* scheme, const uint8_t* bytes, size_t size,
                              ptl_line* theirs);

#endif
