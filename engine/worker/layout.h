/* Tells where things are in the worker: the same addresses in every run, on every machine of an architecture.
 *
 * Generated code contains them, so that it can be compiled elsewhere than in the worker. They lie above 4 GiB
 * (an address cut to 32 bits hits nothing) and far from each other and from what the system maps. */
#ifndef PTL_WORKER_LAYOUT_H
#define PTL_WORKER_LAYOUT_H

#include <stdint.h>

/* Addresses of one architecture's worker (worker/ARCHITECTURE/..._places.h). */
typedef struct ptl_places {
    uint64_t code, data, frame, slot, page;
} ptl_places;

enum {
    PTL_CODE_SIZE = 8 << 20,
    PTL_DATA_SIZE = 64 << 10, /* accessible bytes of the data window */
    PTL_DATA_BASE = 16 << 10, /* the register that bodies address it by points this far into it */
    PTL_DATA_FRESH = 4096,    /* bytes from there on that are initialised anew for every visit */
    PTL_FRAME_SIZE = 4096,
    PTL_PAGE_SIZE = 4096
};

/* Bodies address their operands from the first place. The stack starts at the second: a scratch stack within
 * the window, half a page away from where operands lie in theirs. */
#define PTL_DATA_BASE_AT(places) ((places)->data + PTL_DATA_BASE)
#define PTL_STACK_AT(places) (PTL_DATA_BASE_AT(places) + 3 * (PTL_DATA_SIZE - PTL_DATA_BASE) / 4 + 2048)

/* Every 8 bytes of memory and of vector registers: normal numbers as float and as double, small as an integer
 * half, and no valid address. */
#define PTL_DATA_PATTERN UINT64_C(0x3f8000013f800001)

/* Every 8 bytes of the page onto which blocks of real code have all their memory mapped, and their general
 * registers: an address that can be mapped, as in BHive, so that what follows pointers meets pointers. */
#define PTL_PAGE_PATTERN 0x12345600

/* Everything that generated code reads or saves besides its body. */
enum { PTL_FRAME_OWN = 48 };
typedef struct ptl_frame {
    uint64_t own[PTL_FRAME_OWN]; /* of the architecture's code alone (bench/ARCHITECTURE/..._frame.h) */
    uint64_t warm_up;            /* iterations of the first pass, at least 1 */
    uint64_t timed;              /* iterations of the second pass; 0: there is none. The code sets it to 0 */
    uint64_t start, end;         /* time stamps around the last pass */
    uint64_t left;               /* iterations that are left, where no register counts them */
    uint64_t scratch[4];         /* of code that is added to a block */
} ptl_frame;

#endif
