/* Where things are in the worker: the same addresses in every run, on every machine.
 *
 * Generated code contains them, so that it can be compiled elsewhere than in the worker. They lie above 4 GiB
 * (an address cut to 32 bits hits nothing) and far from each other and from what the system maps. */
#ifndef PTL_WORKER_LAYOUT_H
#define PTL_WORKER_LAYOUT_H

#include <stdint.h>

#define PTL_CODE_AT UINT64_C(0x100000000000)
#define PTL_DATA_AT UINT64_C(0x200000000000)
#define PTL_FRAME_AT UINT64_C(0x300000000000)
#define PTL_SLOT_AT UINT64_C(0x400000000000)
#define PTL_PAGE_AT UINT64_C(0x500000000000)

enum {
    PTL_CODE_SIZE = 8 << 20,
    PTL_DATA_SIZE = 64 << 10, /* accessible bytes of the data window */
    PTL_DATA_BASE = 16 << 10, /* r14 points this far into it */
    PTL_DATA_FRESH = 4096,    /* bytes from r14 on that are initialised anew for every visit */
    PTL_FRAME_SIZE = 4096,
    PTL_PAGE_SIZE = 4096
};

/* Every 8 bytes of memory and of vector registers: normal numbers as float and as double, small as an integer
 * half, and no valid address. */
#define PTL_DATA_PATTERN UINT64_C(0x3f8000013f800001)

/* Every 8 bytes of the page onto which blocks of real code have all their memory mapped, and their general
 * registers: an address that can be mapped, as in BHive, so that what follows pointers meets pointers. */
#define PTL_PAGE_PATTERN 0x12345600

/* Everything that generated code reads or saves besides its body; at PTL_FRAME_AT. */
typedef struct ptl_frame {
    uint64_t saved_rsp;
    uint32_t mxcsr; /* FTZ and DAZ set: subnormals cost nothing (dissertation, section 3.2.1) */
    uint32_t reserved;
    uint64_t gpr[16];    /* initial values in encoding order: rax, rcx, rdx, rbx, rsp, rbp, ... */
    uint64_t mask;       /* initial value of k1-k7 */
    uint64_t vector[8];  /* initial value of every vector register */
    uint64_t warm_up;    /* iterations of the first pass, at least 1 */
    uint64_t timed;      /* iterations of the second pass; 0: there is none. The code sets it to 0 */
    uint64_t start, end; /* time stamps around the last pass */
    uint64_t rax, rdx;   /* of the body, while the code itself needs these registers */
    uint64_t left;       /* iterations that are left, where no register counts them */
    uint64_t scratch[4]; /* of code that is added to a block */
} ptl_frame;

#endif
